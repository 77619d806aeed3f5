package cli_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// What is compared between the engines.
const (
	whatBranches = "data sets of the practice wizards: what the site records"
	whatWidgets  = "widget pages, each in its first way: how the run ends"
	whatDrafts   = "practice wizards as they are discovered: fields, kinds, options and conditions"
)

// differences are what ends otherwise in an engine than in Chromium, and why, by the
// widget page.
func differences() map[string]map[string]string {
	const silent = "it refuses the port itself, without a request and without a word"
	return map[string]map[string]string{
		"firefox": {"f25f-meta-refresh": silent},
		"webkit": {
			"f15b-shadow-closed": "its protocol does not reach closed shadow roots",
			"f25f-meta-refresh":  silent,
		},
	}
}

// count is how many of what was tried in an engine came out as in Chromium.
type count struct {
	What, Engine string
	Part         string `json:",omitempty"` // of What, where the parts are tried one by one
	Same, All    int

	mu sync.Mutex
}

func (c *count) add(same bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.All++
	if same {
		c.Same++
	}
}

// keep writes the count into the folder of LEGWORK_ENGINES_OUT, for the table.
func (c *count) keep(t *testing.T) {
	t.Helper()
	dir := os.Getenv("LEGWORK_ENGINES_OUT")
	if dir == "" {
		return
	}
	raw, err := json.Marshal([]*count{c})
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(c.What, " ")
	if err := os.WriteFile(filepath.Join(dir, strings.TrimSuffix(name+"-"+c.Engine+"-"+c.Part, "-")+".json"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// tried are the counts in a file, or in all files of a pattern.
func tried(t *testing.T, pattern string) []*count {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var out []*count
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var list []*count
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, list...)
	}
	return out
}

// expected is how many there are of what is compared, and how many of them come out as
// in Chromium when nothing differs but what is known to.
func expected(t *testing.T, c *count) (same, all int) {
	t.Helper()
	switch c.What {
	case whatBranches:
		all = len(datasets(t))
	case whatDrafts:
		all = len(shipped(t))
	case whatWidgets:
		pages := map[string]bool{}
		for _, c := range widgetCases(t) {
			pages[c.wizard] = true
		}
		return len(pages) - len(differences()[c.Engine]), len(pages)
	}
	return all, all
}

// whole puts parts together.
func whole(counts []*count) []*count {
	var out []*count
	for _, c := range counts {
		i := slices.IndexFunc(out, func(o *count) bool { return o.What == c.What && o.Engine == c.Engine })
		if i < 0 {
			out = append(out, &count{What: c.What, Engine: c.Engine, Same: c.Same, All: c.All})
			continue
		}
		out[i].Same, out[i].All = out[i].Same+c.Same, out[i].All+c.All
	}
	return out
}

// latest are the counts with newer ones in their places.
func latest(old, newer []*count) []*count {
	for _, n := range newer {
		old = slices.DeleteFunc(old, func(c *count) bool { return c.What == n.What && c.Engine == n.Engine })
	}
	out := append(old, newer...)
	slices.SortFunc(out, func(a, b *count) int { return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Engine, b.Engine)) })
	return out
}

// engineTable is the part of docs/engines.md that is made of counts and differences.
func engineTable(counts []*count) string {
	var b strings.Builder
	b.WriteString("| as in Chromium | Firefox | WebKit |\n| --- | --- | --- |\n")
	for _, what := range []string{whatBranches, whatWidgets, whatDrafts} {
		fmt.Fprintf(&b, "| %s |", what)
		for _, engine := range otherEngines {
			cell := "not run as a whole"
			for _, c := range counts {
				if c.What == what && c.Engine == engine {
					cell = fmt.Sprintf("%d of %d", c.Same, c.All)
				}
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n| widget page that ends otherwise | in | why |\n| --- | --- | --- |\n")
	for _, engine := range otherEngines {
		pages := differences()[engine]
		var names []string
		for name := range pages {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", name, engine, pages[name])
		}
	}
	return b.String()
}

const (
	tableBegins = "<!-- written by make engines -->\n"
	tableEnds   = "<!-- end of what is written -->\n"
)

// TestEngineTable: the table of docs/engines.md is made of what the last whole runs
// counted (testdata/engines.json), and these counted all that there is to try and found
// the differences that the tests know, and no other. With LEGWORK_ENGINES_OUT both are
// written from what was counted there.
func TestEngineTable(t *testing.T) {
	t.Parallel()
	doc, kept := filepath.Join("..", "..", "docs", "engines.md"), filepath.Join("testdata", "engines.json")
	raw, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(raw), tableBegins)
	table, after, ended := strings.Cut(rest, tableEnds)
	if !ok || !ended {
		t.Fatal("docs/engines.md has no place for the table")
	}
	counts := tried(t, kept)
	if dir := os.Getenv("LEGWORK_ENGINES_OUT"); dir != "" {
		counts = latest(counts, whole(tried(t, filepath.Join(dir, "*.json"))))
		table = engineTable(counts)
		if raw, err = json.MarshalIndent(counts, "", "  "); err != nil {
			t.Fatal(err)
		}
		err := errors.Join(os.WriteFile(doc, []byte(before+tableBegins+table+tableEnds+after), 0o644), os.WriteFile(kept, append(raw, '\n'), 0o644))
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(counts) == 0 {
		t.Fatal("nothing was counted")
	}
	for _, c := range counts {
		if same, all := expected(t, c); c.Same != same || c.All != all {
			t.Errorf("%s in %s: %d of %d, and the tests expect %d of %d: run make engines", c.What, c.Engine, c.Same, c.All, same, all)
		}
	}
	if diff := gocmp.Diff(engineTable(counts), table); diff != "" {
		t.Errorf("docs/engines.md is not what was counted: run make engines (-counted +document):\n%s", diff)
	}
}
