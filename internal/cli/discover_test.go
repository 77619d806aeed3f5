package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// TestADiscoveryThatIsToldToEnd: it ends soon, keeps the draft of what it has seen and
// leaves no browser and no wizard.
func TestADiscoveryThatIsToldToEnd(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	out, wizards := t.TempDir(), t.TempDir()
	cmd := command(t, []string{"LEGWORK_PRACTICE_ADDR=" + site.addr, "FEDERALSCOUT_WIZARDS_DIR=" + wizards},
		"--allow-private", "discover", "http://"+site.addr+"/aid-estimator/", "--id", "cut-short", "--out", out)
	var said syncBuffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer terminate(t, cmd)
	eventually(t, 5*time.Minute, "the second pass", func() bool { return strings.Contains(said.String(), "pass 2") })
	browsers := named(children(t, cmd.Process.Pid), "chrom")
	if len(browsers) == 0 {
		t.Fatal("there is no browser below the program")
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() == 0 {
		t.Errorf("it says that all is well: %v\n%s", err, said.String())
	}
	eventually(t, time.Minute, "the end of the browsers", func() bool { return len(alive(browsers)) == 0 })
	raw, err := os.ReadFile(filepath.Join(out, "cut-short.json"))
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if w, err := wizard.Parse(raw); err != nil || len(w.Pages) == 0 || len(w.Pages[0].Fields) == 0 {
		t.Errorf("the draft has nothing of what was seen: %v\n%s", err, raw)
	}
	if !strings.Contains(said.String(), "it was ended; not every answer was tried") {
		t.Errorf("it does not say that it is not whole:\n%s", said.String())
	}
	if saved, err := filepath.Glob(filepath.Join(wizards, "*", "*")); err != nil || len(saved) > 0 {
		t.Errorf("it became a wizard: %v, %v", saved, err)
	}
}

// TestDiscoveriesThatAreProven: pages whose questions come late, that take several files,
// and that ask in a message box, are found out and replayed by the real program.
func TestDiscoveriesThatAreProven(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	for _, form := range []string{"f09j", "f13d", "f16d"} {
		cmd := command(t, []string{"LEGWORK_PRACTICE_ADDR=" + site.addr}, "discover", "http://practice.localhost/widgets/"+form, "--id", form, "--allow-submit")
		if stdout, stderr, code := output(t, cmd); code != fault.ExitOK || !strings.Contains(stdout, "proven: 1 branch replayed") {
			t.Errorf("%s: exit code %d\n%s%s", form, code, stdout, stderr)
		}
	}
}
