package scout_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/scout"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// fact is one question as it really is.
type fact struct {
	id, label string
	selectors []string
	target    page.Target
	kind      string
	required  bool
	options   []string          // labels; nil when nothing is known about them
	values    map[string]string // of the options, by their folded labels
	when      *wizard.Condition
	unsure    bool // whether it is required cannot be told
}

// score is how a discovery compares with the facts.
type score struct {
	Name                                 string
	Fields, Found, Extra                 int
	Kinds, Required, Options, Conditions int // right ones
	WithOptions, WithConditions          int
	Passes, Loads                        int
	Seconds                              float64
	Wrong                                []string
	Gate                                 bool // no form, and the discovery said so
}

// factsOf are the questions of a wizard that somebody wrote.
func factsOf(w *wizard.Wizard) []fact {
	var out []fact
	for i := range w.Pages {
		for _, f := range w.Pages[i].Fields {
			in := strings.Join(f.Frame, " ") + "|"
			t := fact{
				id: f.FieldID, label: f.Label, selectors: []string{in + f.Selector}, target: page.Target{Selector: f.Selector, Frame: f.Frame},
				kind: kindWord(f.FieldType, f.Format), required: f.Required, when: f.VisibleWhen,
			}
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

// compare scores the fields of a discovery. alike tells of a fact and a found
// field whether the page itself shows that they are one.
func compare(name string, facts []fact, w *wizard.Wizard, alike func(f, d fact) bool) score {
	s := score{Name: name, Fields: len(facts)}
	found := factsOf(w)
	used := map[string]bool{}
	mine := map[string]string{} // id in the facts to id in the discovery
	pairs := map[int]*wizard.Field{}
	for i, f := range facts {
		j := match(f, found, used, alike)
		if j < 0 {
			s.Wrong = append(s.Wrong, "missing "+f.id)
			continue
		}
		used[found[j].id], mine[f.id], pairs[i] = true, found[j].id, w.Field(found[j].id)
		s.Found++
	}
	for _, d := range found {
		if !used[d.id] {
			s.Extra++
			s.Wrong = append(s.Wrong, "extra "+d.id)
		}
	}
	for i, f := range facts {
		if pairs[i] != nil {
			s.judge(f, *pairs[i], facts, w, mine)
		}
	}
	return s
}

// match finds the field of a discovery that a fact is about: by its selector, by
// where the page draws it, as a part of a date, or by its label.
func match(f fact, found []fact, used map[string]bool, alike func(f, d fact) bool) int {
	for _, is := range []func(d fact) bool{
		func(d fact) bool { return !used[d.id] && bySelector(f, d) },
		func(d fact) bool { return !used[d.id] && alike(f, d) },
		func(d fact) bool { return bySelector(f, d) },
		func(d fact) bool { return !used[d.id] && fold(f.label) == fold(d.label) && f.label != "" },
	} {
		if j := slices.IndexFunc(found, is); j >= 0 {
			return j
		}
	}
	return -1
}

// bySelector tells whether two descriptions are of one control.
func bySelector(f, d fact) bool {
	return slices.ContainsFunc(f.selectors, func(x string) bool { return slices.Contains(d.selectors, x) })
}

func (s *score) judge(f fact, d wizard.Field, facts []fact, w *wizard.Wizard, mine map[string]string) {
	if k := kindWord(d.FieldType, d.Format); k == f.kind || part(f, d) {
		s.Kinds++
	} else {
		s.Wrong = append(s.Wrong, fmt.Sprintf("%s is %s, not %s", f.id, f.kind, k))
	}
	if d.Required == f.required || f.unsure {
		s.Required++
	} else {
		s.Wrong = append(s.Wrong, fmt.Sprintf("%s required: %v", f.id, f.required))
	}
	if len(f.options) > 0 {
		s.WithOptions++
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
			s.Options++
		} else {
			s.Wrong = append(s.Wrong, fmt.Sprintf("%s: %d of %d options missing", f.id, lost, len(f.options)))
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
	s.WithConditions++
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
			s.Wrong = append(s.Wrong, fmt.Sprintf("%s when %s: %s", f.id, f.when, d.VisibleWhen))
			return
		}
	}
	s.Conditions++
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

// factsOfForm are the questions of a form of testdata/forms.
func factsOfForm(truth formTruth) []fact {
	var out []fact
	for _, p := range truth.Pages {
		for _, f := range p.Fields {
			x := fact{id: f.Key, label: f.Label, selectors: []string{strings.Join(f.Frame, " ") + "|" + f.Selector}, kind: kindWord(f.Kind, f.Kind), required: f.Required, options: f.Options}
			if f.Kind == "group" && !f.Repeatable {
				continue
			}
			if f.VisibleWhen != nil && len(f.VisibleWhen.Values) > 0 {
				x.when = conditionOf(f.VisibleWhen.Field, f.VisibleWhen.Values)
			}
			if len(f.Options) > 0 {
				x.values = map[string]string{}
				for _, o := range f.Options {
					x.values[fold(o)] = o
				}
			}
			out = append(out, x)
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

func raw(v any) json.RawMessage {
	b, _ := json.Marshal(v) // texts and booleans marshal
	return b
}

func fold(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("’", "'", "\u00a0", " ", "*", "").Replace(s)), " "))
}

// subject is a form to be discovered and what is known about it.
type subject struct {
	name, url, start string
	facts            []fact
	policy           browser.Policy
	ours             bool // a form of the practice site
	gate             bool // there is no form; the discovery must say so
}

// subjects are the practice wizards, the widget pages and the forms of other
// people's libraries.
func subjects(t *testing.T) []subject {
	t.Helper()
	srv := httptest.NewServer(practice.New())
	t.Cleanup(srv.Close)
	addr := strings.TrimPrefix(srv.URL, "http://")
	policy := browser.Policy{
		Hosts:       map[string]string{"practice.localhost:80": addr, "partner.localhost:80": addr},
		OnlyOrigins: []string{"http://practice.localhost", "http://partner.localhost"},
	}
	var out []subject
	seen := map[string]bool{}
	for _, w := range append(practiceTruths(t, practice.Wizards()), practiceTruths(t, practice.Widgets())...) {
		if seen[w.URL+w.Name] {
			continue
		}
		seen[w.URL+w.Name] = true
		s := subject{name: w.WizardID, url: w.URL, facts: factsOf(w), policy: policy, ours: true}
		if a := w.StartAction; a != nil {
			s.start = strings.TrimPrefix(a.Selector, "#")
			if a.SelectorType == "id" {
				s.start = "#" + s.start
			}
		}
		if s.limit() {
			out = append(out, s)
		}
	}
	for _, f := range forms(t) {
		out = append(out, subject{name: "form " + f.Truth.Name, url: f.URL, facts: factsOfForm(f.Truth), policy: browser.Policy{AllowPrivate: true}})
	}
	return out
}

// discoverScore discovers a form and scores the outcome.
func discoverScore(t *testing.T, pool *browser.Pool, s subject) (score, *scout.Discovery) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	began := time.Now()
	d, err := scout.Discoverer{
		Browser: pool, Width: 1280, Height: 1024, Policy: func(string) (browser.Policy, error) { return s.policy, nil },
	}.Discover(ctx, scout.Request{URL: s.url, Start: s.start, AllowSubmit: true})
	if s.gate {
		out := score{Name: s.name, Gate: true}
		if err == nil {
			out.Wrong = []string{"a form was found where there is none"}
		}
		return out, nil
	}
	if err != nil {
		return score{Name: s.name, Fields: len(s.facts), Wrong: []string{err.Error()}}, nil
	}
	out := compare(s.name, s.facts, d.Wizard, drawnAlike(t, pool, s, d.Wizard))
	out.Passes, out.Loads, out.Seconds = d.Coverage.Passes, d.Coverage.PageLoads, time.Since(began).Seconds()
	return out, d
}

// everyDay are forms of every kind that are quick to discover. LEGWORK_SCORES=all
// takes all that there are, which is a matter of half an hour; what is wrong with
// forms of other people's libraries is only printed then.
const everyDay = "f01a-radio-visible,f02b,f05b,f06a-select-apostrophe,f08a,f09c,f10b,f12a,f13a,f22a,form Signup,form Request for,form Inquiry in,form Dog,form Trade,form Community,form Add a pet,form Grant,form Request a quote,form Certificate,form Parking permit in,form Opinion in,form Boat rental"

// TestScores discovers forms whose questions are known: every field, of the right
// kind, required or not as it really is, with all options and conditions, and
// nothing besides.
func TestScores(t *testing.T) {
	pool := browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell, TabsPerBrowser: 4})
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := pool.Close(ctx); err != nil {
			t.Error(err)
		}
	}()
	want := os.Getenv("LEGWORK_SCORES")
	names := strings.Split(everyDay, ",")
	if want != "" && want != "all" {
		names = strings.Split(want, ",")
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	var scores []score
	for _, s := range subjects(t) {
		if want != "all" && !slices.ContainsFunc(names, func(o string) bool { return strings.Contains(s.name, o) }) {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			got, _ := discoverScore(t, pool, s)
			mu.Lock()
			defer mu.Unlock()
			scores = append(scores, got)
			got.keep(t)
			if (want == "" || s.ours) && len(got.Wrong) > 0 {
				t.Errorf("%s: %s", got.Name, strings.Join(got.Wrong, "; "))
			}
		})
	}
	wg.Wait()
	if len(scores) < min(10, len(names)) {
		t.Errorf("only %d forms were discovered", len(scores))
	}
	t.Log("\n" + table(scores))
	if dir := os.Getenv(scoresOut); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "1-fields.md"), []byte(scoresHead+table(kept(t, dir))), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// scoresOut names the folder for the scores, where those of forms that were discovered
// in an earlier run stay: the forms can be taken a few at a time.
const scoresOut = "LEGWORK_SCORES_OUT"

// keep writes a score for the table, if there is to be one.
func (s score) keep(t *testing.T) {
	dir := os.Getenv(scoresOut)
	if dir == "" {
		return
	}
	raw, err := json.Marshal(s)
	rows := filepath.Join(dir, "fields")
	err = errors.Join(err, os.MkdirAll(rows, 0o700))
	if err = errors.Join(err, os.WriteFile(filepath.Join(rows, url.PathEscape(s.Name)+".json"), raw, 0o600)); err != nil {
		t.Error(err)
	}
}

// kept are all scores that were written.
func kept(t *testing.T, dir string) []score {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "fields", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]score, len(files))
	for i, f := range files {
		raw, err := os.ReadFile(f)
		if err = errors.Join(err, json.Unmarshal(raw, &scores[i])); err != nil {
			t.Fatal(err)
		}
	}
	return scores
}

// scoresHead begins the document with the tables.
const scoresHead = `# How well forms are discovered

Written by ` + "`make scores`" + `: every form of the practice site and of other people's libraries is discovered without a model
and compared with what is known about it.

## What was found

` + "`extra`" + ` are fields that no question of the form is. Conditions are those on a single answer.

`

// table is the scores as a Markdown table, with their sum.
func table(scores []score) string {
	slices.SortFunc(scores, func(a, b score) int { return cmp.Compare(a.Name, b.Name) })
	sum := score{Name: fmt.Sprintf("**%d forms**", len(scores))}
	var b strings.Builder
	b.WriteString("| form | fields | found | extra | kinds | required | options | conditions | passes | page loads | wrong |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range scores {
		sum.add(s)
		b.WriteString(s.row())
	}
	b.WriteString(sum.row())
	b.WriteString("\nNot scored:\n\n")
	for _, x := range beyond {
		fmt.Fprintf(&b, "- %s: %s\n", x.what(), x.why)
	}
	return b.String()
}

func (s *score) add(o score) {
	s.Fields, s.Found, s.Extra, s.Kinds, s.Required = s.Fields+o.Fields, s.Found+o.Found, s.Extra+o.Extra, s.Kinds+o.Kinds, s.Required+o.Required
	s.Options, s.WithOptions = s.Options+o.Options, s.WithOptions+o.WithOptions
	s.Conditions, s.WithConditions = s.Conditions+o.Conditions, s.WithConditions+o.WithConditions
	s.Passes, s.Loads = s.Passes+o.Passes, s.Loads+o.Loads
}

func (s score) row() string {
	if s.Gate && len(s.Wrong) == 0 {
		return fmt.Sprintf("| %s | no form | | | | | | | | | |\n", s.Name)
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d/%d | %d/%d | %d | %d | %s |\n", s.Name, s.Fields, s.Found, s.Extra, s.Kinds, s.Required,
		s.Options, s.WithOptions, s.Conditions, s.WithConditions, s.Passes, s.Loads, strings.ReplaceAll(strings.Join(s.Wrong, "; "), "|", "/"))
}
