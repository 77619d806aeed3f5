package results

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// writeUntilKilled is the argument with which the test binary is a scan that writes
// into the folder that follows, page after page, until someone ends it.
const writeUntilKilled = "write-until-killed"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == writeUntilKilled {
		fmt.Println(scanForever(os.Args[2]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func scanForever(parent string) error {
	w, err := Create(parent, DefaultConfig(), began, Scan{})
	if err != nil {
		return err
	}
	finding := Finding{Rule: "image-alt", HTML: strings.Repeat("<img>", 20_000)}
	for page := 1; ; page++ {
		if err := w.Axe(view(page), Axe{Violations: []Finding{finding, finding}}); err != nil {
			return err
		}
		fmt.Println(w.Dir())
	}
}

// A scan that is killed in the middle of its work leaves results that can be read.
func TestKilledScanLeavesWholeRows(t *testing.T) {
	for kills := range 5 {
		child := exec.Command(os.Args[0], writeUntilKilled, t.TempDir())
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines, dir := bufio.NewScanner(out), ""
		for range 10 + kills {
			if !lines.Scan() {
				t.Fatal("the scan ended by itself")
			}
			dir = lines.Text()
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := child.Wait(); err == nil {
			t.Fatal("the scan was not killed")
		}
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if r.Scan.State != StateRunning {
			t.Errorf("the state is %s", r.Scan.State)
		}
		findings, rows := len(collect(t, r.Findings())), len(collect(t, r.Records(AuditAxe+".csv")))
		if rows < 20 || findings < rows || findings > rows+2 {
			t.Errorf("%d findings, %d rows", findings, rows)
		}
	}
}
