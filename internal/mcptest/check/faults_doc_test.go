package check

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
)

var update = flag.Bool("update", false, "rewrite the table of servers in docs/mcptest-faults.md")

// faultsPage has a table of the servers behind a mark.
const (
	faultsPage = "../../../docs/mcptest-faults.md"
	faultsMark = "-update -->\n"
)

// TestFaultsAreDocumented holds the page to the library and to the rules.
func TestFaultsAreDocumented(t *testing.T) {
	page, err := os.ReadFile(faultsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, table, found := strings.Cut(string(page), faultsMark)
	if !found {
		t.Fatal("the page has no mark")
	}
	var b strings.Builder
	b.WriteString("| server | transports | rows | what is wrong | named by |\n|---|---|---|---|---|\n")
	for _, s := range fixture.All() {
		var over []string
		for _, o := range s.Over {
			over = append(over, string(o))
		}
		named := "trap"
		if rule := names[s.Name]; rule != "" {
			named = "`" + rule + "`"
			if rules[rule].title == "" {
				t.Errorf("%s: there is no rule %s", s.Name, rule)
			}
		}
		fault := strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(strings.TrimPrefix(s.Fault, "none: "))
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", s.Name, strings.Join(over, ", "), s.Row, fault, named)
		for _, row := range strings.Fields(s.Row) {
			if !strings.Contains(before, "\n| "+row+" | ") {
				t.Errorf("%s: the page has no row %s", s.Name, row)
			}
		}
	}
	switch {
	case *update:
		err = os.WriteFile(faultsPage, []byte(before+faultsMark+b.String()), 0o600)
	case table != b.String():
		t.Error("the table of servers is old; run the test with -update")
	}
	if err != nil {
		t.Fatal(err)
	}
}
