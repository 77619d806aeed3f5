package cli_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// quickSite is the practice wizard whose discovery is quick enough for every day.
// LEGWORK_SCORES=all discovers all four.
const quickSite = "ssa-quick-calculator"

// TestDiscoveredBranches discovers the practice forms from their addresses and
// runs every hand-written data set through what was found, by the real program:
// the site must record exactly what was given.
func TestDiscoveredBranches(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	dir := t.TempDir()
	env := []string{"LEGWORK_PRACTICE_ADDR=" + site.addr, "FEDERALSCOUT_WIZARDS_DIR=" + dir}
	want := cmp.Or(os.Getenv("LEGWORK_SCORES"), quickSite)
	rows := map[string]string{}
	known := shipped(t)
	for _, id := range sortedIDs(known) {
		if want != "all" && !slices.ContainsFunc(strings.Split(want, ","), func(o string) bool { return strings.Contains(id, o) }) {
			continue
		}
		found, row := discovered(t, env, dir, known[id])
		all, ran := 0, 0
		client := overStdio(t, env...)
		for _, set := range datasets(t) {
			if set.wizard != id || strings.HasPrefix(set.name, "generated-") {
				continue
			}
			all++
			if wrong := runDiscovered(t, client, site, translator{known[id], found}, set); wrong != "" {
				t.Errorf("%s/%s: %s", id, set.name, wrong)
				continue
			}
			ran++
		}
		rows[id] = fmt.Sprintf("%s %d | %d |\n", row, all, ran)
		if all == 0 {
			t.Errorf("%s has no data sets", id)
		}
	}
	t.Log(rows)
	if out := os.Getenv("LEGWORK_SCORES_OUT"); out != "" && len(rows) > 0 {
		if err := writeBranches(out, rows); err != nil {
			t.Error(err)
		}
	}
}

// writeBranches writes the table with these rows and those of earlier runs.
func writeBranches(out string, rows map[string]string) error {
	dir := filepath.Join(out, "branches")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for id, row := range rows {
		if err := os.WriteFile(filepath.Join(dir, id+".md"), []byte(row), 0o600); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.md")) // in order
	if err != nil {
		return err
	}
	table := branchesHead + "| form | pages | fields | passes | page loads | data sets | executed |\n|---|---|---|---|---|---|---|\n"
	for _, f := range files {
		row, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		table += string(row)
	}
	return os.WriteFile(filepath.Join(out, "2-branches.md"), []byte(table), 0o600)
}

// branchesHead begins the table in the document with the scores.
const branchesHead = `
## What was found, run

The hand-written data sets of the practice forms, executed with the discovered wizards. The site recorded exactly what was given.

`

// shipped are the practice wizards as somebody wrote them.
func shipped(t *testing.T) map[string]*wizard.Wizard {
	t.Helper()
	store, err := wizard.OpenStore(t.TempDir(), wizard.Source{FS: practice.Wizards(), Practice: true})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*wizard.Wizard{}
	list, _ := store.List()
	for _, e := range list {
		out[e.Wizard.WizardID] = e.Wizard
	}
	return out
}

func sortedIDs(m map[string]*wizard.Wizard) []string {
	var ids []string
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// discovered runs the discovery of a form and puts what it found into the folder
// of wizards, under the form's id with "found-" before it. row begins its line in
// the table.
func discovered(t *testing.T, env []string, dir string, w *wizard.Wizard) (found *wizard.Wizard, row string) {
	t.Helper()
	id, out := "found-"+w.WizardID, t.TempDir()
	args := []string{"discover", w.URL, "--id", id, "--out", out, "--allow-submit", "--json"}
	if a := w.StartAction; a != nil {
		start := strings.TrimPrefix(a.Selector, "#")
		if a.SelectorType == "id" {
			start = "#" + start
		}
		args = append(args, "--start", start)
	}
	stdout, stderr, _ := output(t, command(t, env, args...))
	var said struct {
		Proven        bool
		Pages, Fields int
		Structure     string
		Proofs        []struct{ Problem string }
		Coverage      struct {
			Passes    int
			PageLoads int `json:"page_loads"`
		}
	}
	if err := json.Unmarshal([]byte(stdout), &said); err != nil {
		t.Fatalf("discovering %s: %v\n%s%s", w.WizardID, err, stdout, stderr)
	}
	if !said.Proven {
		t.Logf("%s is not proven: %v\n%s", w.WizardID, said.Proofs, stderr)
	}
	raw, err := os.ReadFile(said.Structure)
	if err != nil {
		t.Fatal(err)
	}
	if found, err = wizard.Parse(raw); err != nil {
		t.Fatal(err)
	}
	structures := filepath.Join(dir, "wizard-structures")
	if err := os.MkdirAll(structures, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(structures, id+".json"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return found, fmt.Sprintf("| %s | %d | %d | %d | %d |", w.WizardID, said.Pages, said.Fields, said.Coverage.Passes, said.Coverage.PageLoads)
}

// runDiscovered executes one data set with a discovered wizard and says what is
// wrong with the outcome.
func runDiscovered(t *testing.T, client *legwork, site *practiceServer, tr translator, set dataset) string {
	t.Helper()
	data, err := tr.data(set.data)
	if err != nil {
		return err.Error()
	}
	before := len(site.Submissions())
	answer, _, err := execute(t, client, tr.found.WizardID, data, map[string]any{"return_screenshots": false, "timeout_seconds": 120, "wait_seconds": 120})
	if err != nil {
		return err.Error()
	}
	if !answer.Success {
		return answer.Text()
	}
	all := site.Submissions()
	if len(all) != before+1 {
		return fmt.Sprintf("%d submissions, want one", len(all)-before)
	}
	if extra := all[before].Extra; len(extra) > 0 {
		return fmt.Sprintf("the site received what it did not ask for: %v", extra)
	}
	if d := diff.Diff(asTyped(plain(t, set.data)), withoutDefaults(set.data, asTyped(plain(t, all[before].Data)))); d != "" {
		return "what the site recorded differs (-given +recorded):\n" + d
	}
	return ""
}

// translator carries answers from the wizard that somebody wrote to the one that
// was discovered: both describe the same controls under other names.
type translator struct{ known, found *wizard.Wizard }

// data translates a data set.
func (tr translator) data(set map[string]any) (map[string]any, error) {
	out := map[string]any{}
	for id, value := range set {
		f := tr.known.Field(id)
		if f == nil {
			return nil, fmt.Errorf("the shipped wizard has no field %s", id)
		}
		d := tr.field(f)
		switch {
		case d == nil:
			return nil, fmt.Errorf("the discovery has no field for %s", id)
		case d.IsDate() && !f.IsDate():
			date, err := tr.date(d, set)
			if err != nil {
				return nil, err
			}
			out[d.FieldID] = date
		case f.Repeatable:
			rows, err := rowsOf(f, d, value)
			if err != nil {
				return nil, err
			}
			out[d.FieldID] = rows
		default:
			out[d.FieldID] = spelled(d.FieldType, option(f.Options, d.Options, value))
		}
	}
	return out, nil
}

// field is the discovered field of the same control.
func (tr translator) field(f *wizard.Field) *wizard.Field {
	for i := range tr.found.Pages {
		for j := range tr.found.Pages[i].Fields {
			d := &tr.found.Pages[i].Fields[j]
			if slices.ContainsFunc(selectors(f), func(s string) bool { return slices.Contains(selectors(d), s) }) {
				return d
			}
		}
	}
	return nil
}

// selectors are all ways to a field's controls.
func selectors(f *wizard.Field) []string {
	out := append([]string{f.Selector, f.AddButtonSelector}, f.SelectorAlternatives...)
	for _, o := range f.Options {
		out = append(out, o.Selector)
	}
	for _, s := range f.SubFields {
		out = append(out, s.Selector)
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// date puts the parts of a date together that the shipped wizard asks one by one.
func (tr translator) date(d *wizard.Field, set map[string]any) (string, error) {
	parts := map[string]string{}
	for id, value := range set {
		f := tr.known.Field(id)
		for i := range d.SubFields {
			if f != nil && slices.Contains(selectors(f), d.SubFields[i].Selector) {
				parts[d.SubFields[i].DatePart()] = fmt.Sprint(value)
			}
		}
	}
	if len(parts) != 3 {
		return "", fmt.Errorf("of the date %s only %v is in the data", d.FieldID, parts)
	}
	return fmt.Sprintf("%04s-%02s-%02s", parts["year"], parts["month"], parts["day"]), nil
}

// option is the discovered value of the option with the same label.
func option(known, found []wizard.Option, value any) any {
	for _, o := range known {
		if o.Value != value {
			continue
		}
		for _, x := range found {
			if words(cmp.Or(x.Label, x.Value)) == words(cmp.Or(o.Label, o.Value)) {
				return x.Value
			}
		}
	}
	return value
}

// spelled is a number as text where the discovered field takes text: the page does
// not tell how its author would have typed it.
func spelled(fieldType string, v any) any {
	if n, ok := v.(float64); ok && fieldType == "text" {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return v
}

func words(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("’", "'").Replace(s)), " "))
}

// rowsOf translates the rows of a repeatable group.
func rowsOf(f, d *wizard.Field, value any) ([]any, error) {
	list, ok := value.([]any)
	if !ok || !d.Repeatable {
		return nil, fmt.Errorf("%s has rows; the discovery says %s, repeatable: %v", f.FieldID, d.FieldType, d.Repeatable)
	}
	var out []any
	for _, item := range list {
		row := map[string]any{}
		for id, v := range item.(map[string]any) {
			i := slices.IndexFunc(f.SubFields, func(s wizard.SubField) bool { return s.FieldID == id })
			j := slices.IndexFunc(d.SubFields, func(s wizard.SubField) bool { return s.Selector == f.SubFields[i].Selector })
			if j < 0 {
				return nil, fmt.Errorf("the discovery has no field for %s of %s", id, f.FieldID)
			}
			row[d.SubFields[j].FieldID] = spelled(d.SubFields[j].FieldType, option(f.SubFields[i].Options, d.SubFields[j].Options, v))
		}
		out = append(out, row)
	}
	return out, nil
}
