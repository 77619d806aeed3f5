package scout

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// fact is one question as it really is.
type fact struct {
	id, label string
	selectors []string
	kind      string
	required  bool
	options   []string          // labels; nil when nothing is known about them
	values    map[string]string // of the options, by their folded labels
	when      *wizard.Condition
}

// score is how a discovery compares with the facts.
type score struct {
	name                                 string
	fields, found, extra                 int
	kinds, required, options, conditions int // right ones
	withOptions, withConditions          int
	passes, loads                        int
	seconds                              float64
	wrong                                []string
}

// factsOf are the questions of a wizard that somebody wrote.
func factsOf(w *wizard.Wizard) []fact {
	var out []fact
	for i := range w.Pages {
		for _, f := range w.Pages[i].Fields {
			in := strings.Join(f.Frame, " ") + "|"
			t := fact{id: f.FieldID, label: f.Label, selectors: []string{in + f.Selector}, kind: kindWord(f.FieldType, f.Format), required: f.Required, when: f.VisibleWhen}
			for _, x := range f.SelectorAlternatives {
				t.selectors = append(t.selectors, in+x)
			}
			if len(f.Options) > 0 {
				t.values = map[string]string{}
			}
			for _, o := range f.Options {
				t.values[fold(cmp.Or(o.Label, o.Value))] = o.Value
				t.options = append(t.options, cmp.Or(o.Label, o.Value))
				if o.Selector != "" {
					t.selectors = append(t.selectors, in+o.Selector)
				}
			}
			if f.FieldType == "group" {
				for _, s := range f.SubFields {
					t.selectors = append(t.selectors, in+s.Selector)
				}
				if !f.Repeatable && !f.IsDate() { // a group without rows is its parts
					for _, s := range f.SubFields {
						out = append(out, fact{id: s.FieldID, label: s.Label, selectors: []string{in + s.Selector}, kind: kindWord(s.FieldType, s.Format), required: s.Required, when: s.VisibleWhen})
					}
					continue
				}
				if f.Repeatable {
					t.selectors = append(t.selectors, in+f.AddButtonSelector)
				}
			}
			out = append(out, t)
		}
	}
	return out
}

// kindWord makes one word of the type and the format of a field.
func kindWord(fieldType, format string) string {
	switch format {
	case "date", "month", "time", "file", "range", "richtext":
		return format
	}
	switch fieldType {
	case "number", "search":
		return "text" // how a number is typed is the page's affair
	}
	return fieldType
}

// compare scores the fields of a discovery.
func compare(name string, facts []fact, w *wizard.Wizard) score {
	s := score{name: name, fields: len(facts)}
	found := factsOf(w)
	used := map[string]bool{}
	mine := map[string]string{} // id in the facts to id in the discovery
	pairs := map[int]*wizard.Field{}
	for i, f := range facts {
		j := slices.IndexFunc(found, func(d fact) bool { return !used[d.id] && bySelector(f, d) })
		if j < 0 {
			j = slices.IndexFunc(found, func(d fact) bool {
				return bySelector(f, d) || !used[d.id] && fold(f.label) == fold(d.label) && f.label != ""
			})
		}
		if j < 0 {
			s.wrong = append(s.wrong, "missing "+f.id)
			continue
		}
		used[found[j].id], mine[f.id], pairs[i] = true, found[j].id, w.Field(found[j].id)
		s.found++
	}
	for _, d := range found {
		if !used[d.id] {
			s.extra++
			s.wrong = append(s.wrong, "extra "+d.id)
		}
	}
	for i, f := range facts {
		if pairs[i] != nil {
			s.judge(f, *pairs[i], facts, w, mine)
		}
	}
	return s
}

// bySelector tells whether two descriptions are of one control.
func bySelector(f, d fact) bool {
	return slices.ContainsFunc(f.selectors, func(x string) bool { return slices.Contains(d.selectors, x) })
}

func (s *score) judge(f fact, d wizard.Field, facts []fact, w *wizard.Wizard, mine map[string]string) {
	if k := kindWord(d.FieldType, d.Format); k == f.kind || part(f, d) {
		s.kinds++
	} else {
		s.wrong = append(s.wrong, fmt.Sprintf("%s is %s, not %s", f.id, f.kind, k))
	}
	if d.Required == f.required {
		s.required++
	} else {
		s.wrong = append(s.wrong, fmt.Sprintf("%s required: %v", f.id, f.required))
	}
	if len(f.options) > 0 {
		s.withOptions++
		var have []string
		for _, o := range d.Options {
			have = append(have, fold(cmp.Or(o.Label, o.Value)))
		}
		lost := 0
		for _, o := range f.options {
			if !slices.Contains(have, fold(o)) {
				lost++
			}
		}
		if lost == 0 {
			s.options++
		} else {
			s.wrong = append(s.wrong, fmt.Sprintf("%s: %d of %d options missing", f.id, lost, len(f.options)))
		}
	}
	s.condition(f, d, facts, w, mine)
}

// part tells whether the fact is one input of a date that was found whole.
func part(f fact, d wizard.Field) bool {
	return d.FieldType == "group" && slices.ContainsFunc(d.SubFields, func(x wizard.SubField) bool { return slices.Contains(f.selectors, "|"+x.Selector) })
}

// condition compares conditions on a single answer by what they say of each.
func (s *score) condition(f fact, d wizard.Field, facts []fact, w *wizard.Wizard, mine map[string]string) {
	if f.when == nil || f.when.FieldID == "" || mine[f.when.FieldID] == "" {
		return
	}
	s.withConditions++
	cause := w.Field(mine[f.when.FieldID])
	var answers []any
	for _, o := range cause.Options {
		answers = append(answers, o.Value)
	}
	if len(answers) == 0 {
		answers = []any{true, false}
	}
	i := slices.IndexFunc(facts, func(x fact) bool { return x.id == f.when.FieldID })
	for _, a := range answers {
		truth := wizard.Answers{f.when.FieldID: truthAnswer(facts[i], cause, a)}
		if got, want := d.VisibleWhen.Holds(wizard.Answers{cause.FieldID: a}), f.when.Holds(truth); got != want {
			s.wrong = append(s.wrong, fmt.Sprintf("%s when %s: %s", f.id, f.when, d.VisibleWhen))
			return
		}
	}
	s.conditions++
}

// truthAnswer spells an answer of the discovery as the facts spell it.
func truthAnswer(f fact, cause *wizard.Field, a any) any {
	if f.values == nil {
		return a
	}
	for _, o := range cause.Options {
		if o.Value == a {
			if v, ok := f.values[fold(cmp.Or(o.Label, o.Value))]; ok {
				return v
			}
		}
	}
	return a
}

// formTruths are the facts of testdata/forms.
func formTruths(t *testing.T) map[string][]fact {
	t.Helper()
	type when struct {
		Field  string   `json:"field"`
		Values []string `json:"values"`
	}
	type field struct {
		Key, Label, Selector, Kind, Format string
		Required                           bool
		Options                            []string
		VisibleWhen                        *when `json:"visible_when"`
		Repeatable                         bool
	}
	out := map[string][]fact{}
	dirs, err := os.ReadDir("testdata/forms")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		raw, err := os.ReadFile(path.Join("testdata/forms", dir.Name(), "truth.json"))
		if err != nil {
			continue
		}
		var truth struct {
			Pages []struct{ Fields []field }
		}
		if err := json.Unmarshal(raw, &truth); err != nil {
			t.Fatal(err)
		}
		for _, p := range truth.Pages {
			for _, f := range p.Fields {
				x := fact{id: f.Key, label: f.Label, selectors: []string{"|" + f.Selector}, kind: kindWord(f.Kind, f.Kind), required: f.Required, options: f.Options}
				if f.VisibleWhen != nil && len(f.VisibleWhen.Values) > 0 {
					x.when = conditionOf(f.VisibleWhen.Field, f.VisibleWhen.Values)
				}
				if len(f.Options) > 0 {
					x.values = map[string]string{}
					for _, o := range f.Options {
						x.values[fold(o)] = o
					}
				}
				out[dir.Name()] = append(out[dir.Name()], x)
			}
		}
	}
	return out
}

func conditionOf(id string, values []string) *wizard.Condition {
	if values[0] == "true" || values[0] == "false" {
		return &wizard.Condition{FieldID: id, Value: raw(values[0] == "true")}
	}
	return &wizard.Condition{FieldID: id, Op: "in", Value: raw(values)}
}

// practiceTruths are the wizards that ship with the practice site.
func practiceTruths(t *testing.T, source fs.FS) []*wizard.Wizard {
	t.Helper()
	names, err := fs.Glob(source, "wizard-structures/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []*wizard.Wizard
	for _, name := range names {
		data, err := fs.ReadFile(source, name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := wizard.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, w)
	}
	return out
}

// TestScores prints how discovery does on forms whose questions are known.
func TestScores(t *testing.T) {
	pool := browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell, TabsPerBrowser: 4})
	defer pool.Close(context.Background())
	open := practiceTabs(t, pool)
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	var scores []score
	seen := map[string]bool{}
	for _, w := range append(practiceTruths(t, practice.Wizards()), practiceTruths(t, practice.Widgets())...) {
		only := os.Getenv("ONLY")
		if seen[w.URL+w.Name] || only != "" && !strings.Contains(w.WizardID, only) || only == "" && strings.Contains(w.WizardID, "f21") {
			continue
		}
		seen[w.URL+w.Name] = true
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			req := Request{URL: w.URL, AllowSubmit: true}
			if w.StartAction != nil {
				req.Start = strings.TrimPrefix(w.StartAction.Selector, "#")
				if w.StartAction.SelectorType == "id" {
					req.Start = "#" + req.Start
				}
			}
			began := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
			defer cancel()
			x := newExplorer(req, open, slog.New(slog.DiscardHandler))
			err := x.explore(ctx)
			s := score{name: w.WizardID, fields: len(factsOf(w))}
			if err != nil {
				s.wrong = append(s.wrong, err.Error())
			}
			if d, err2 := x.assemble(); err2 == nil {
				s = compare(w.WizardID, factsOf(w), d.Wizard)
				s.passes, s.loads = d.Coverage.Passes, d.Coverage.PageLoads
				s.wrong = append(s.wrong, d.Coverage.Unseen...)
				if os.Getenv("NEED") != "" {
					for _, n := range x.graph.nodes {
						fmt.Println("  NODE", titleOf(n), n.place.URL, n.button.Text, n.final)
						for _, k := range n.controls {
							fmt.Println("    ", k.id, k.ident, k.control.Kind, "required", k.control.Required, "need", len(k.need), k.need, "example", k.example)
						}
					}
					for _, p := range x.passes {
						var way []string
						for _, n := range p.path {
							way = append(way, titleOf(n))
						}
						fmt.Println("  PASS", p.overrides, way, p.end, p.why, p.answers)
					}
				}
				if out, err := d.Wizard.Marshal(); err == nil && os.Getenv("KEEP") != "" {
					os.WriteFile(path.Join(os.Getenv("KEEP"), w.WizardID+".json"), out, 0o644)
				}
			} else if err == nil {
				s.wrong = append(s.wrong, err2.Error())
			}
			s.seconds = time.Since(began).Seconds()
			mu.Lock()
			defer mu.Unlock()
			scores = append(scores, s)
			if len(s.wrong) > 0 {
				fmt.Printf("%s (%.0fs, %d passes): %s\n", s.name, s.seconds, s.passes, strings.Join(s.wrong, "; "))
			}
		})
	}
	wg.Wait()
	var sum score
	for _, s := range scores {
		sum.fields += s.fields
		sum.found += s.found
		sum.extra += s.extra
		sum.kinds += s.kinds
		sum.required += s.required
		sum.options += s.options
		sum.withOptions += s.withOptions
		sum.conditions += s.conditions
		sum.withConditions += s.withConditions
	}
	fmt.Printf("forms %d, fields %d, found %d, extra %d, kinds %d, required %d, options %d/%d, conditions %d/%d\n", len(scores), sum.fields, sum.found, sum.extra, sum.kinds, sum.required, sum.options, sum.withOptions, sum.conditions, sum.withConditions)
}
