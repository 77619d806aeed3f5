package complaints

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryComplaintIsHeld: the page has 38 rows, and every test that it names is in
// the package that it names.
func TestEveryComplaintIsHeld(t *testing.T) {
	text, err := os.ReadFile("../../docs/board/complaints.md")
	if err != nil {
		t.Fatal(err)
	}
	wanted := 1
	for line := range strings.SplitSeq(string(text), "\n") {
		if !strings.HasPrefix(line, fmt.Sprintf("| %d |", wanted)) {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 5 {
			t.Errorf("row %d has %d cells", wanted, len(cells))
		}
		held := 0
		for part := range strings.SplitSeq(cells[len(cells)-1], ";") {
			held += testsNamed(t, wanted, part)
		}
		if held == 0 {
			t.Errorf("complaint %d is held by no test", wanted)
		}
		wanted++
	}
	if wanted != 39 {
		t.Errorf("row %d is missing", wanted)
	}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// testsNamed checks one folder and its tests, and returns how many there are.
func testsNamed(t *testing.T, row int, part string) (found int) {
	t.Helper()
	var folder, code string
	for _, m := range quoted.FindAllStringSubmatch(part, -1) {
		name := m[1]
		if !strings.HasPrefix(name, "Test") {
			if _, err := os.Stat("../../" + name); err != nil {
				t.Errorf("row %d: %v", row, err)
			}
			folder, code = name, testsOf(t, name)
			continue
		}
		if !strings.Contains(code, "func "+name+"(t *testing.T)") {
			t.Errorf("row %d: %s has no %s", row, folder, name)
		}
		found++
	}
	return found
}

func testsOf(t *testing.T, folder string) string {
	t.Helper()
	paths, err := filepath.Glob("../../" + folder + "/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
