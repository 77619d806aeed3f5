package page_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/practice"
)

// truth is what a wizard file says about one control of its first page.
type truth struct {
	FieldID  string   `json:"field_id"`
	Label    string   `json:"label"`
	Selector string   `json:"selector"`
	Type     string   `json:"field_type"`
	Format   string   `json:"format"`
	Required bool     `json:"required"`
	Multiple bool     `json:"multiple"`
	Frame    []string `json:"frame"`
	Options  []struct {
		Value string `json:"value"`
		Label string `json:"label"`
	} `json:"options"`
	SubFields []truth `json:"sub_fields"`
	part      bool
}

type truthWizard struct {
	URL         string `json:"url"`
	StartAction *struct {
		Selector string `json:"selector"`
		Type     string `json:"selector_type"`
	} `json:"start_action"`
	Pages []struct {
		Fields []truth `json:"fields"`
	} `json:"pages"`
}

// notAsked are pages whose first page shows no question to a visitor, or whose
// wizard is wrong on purpose.
var notAsked = map[string]string{
	"f18a-very-slow-first-response": "the same page as f18a-slow-first-response, later",
	"f18b-reset-first-response":     "the first answer is a broken connection",
	"f19a-blocked-403":              "a refusal instead of the form",
	"f19b-blocked-200":              "a refusal instead of the form",
	"f19d-login":                    "a sign-in page instead of the form",
	"f19e-one-time-code":            "a page that asks for a code instead of the form",
	"f19h-rate-limited":             "a refusal instead of the form",
	"f22f-selector-missing":         "its selector is not on the page, on purpose",
	"f22f-renamed-id":               "its selector is not on the page, on purpose",
	"f25b-honeypot-asked":           "asks for the trap, on purpose",
	"f25f-meta-refresh":             "leaves for a forbidden address",
	"f25g-fifty-megabytes":          "is refused for its size",
}

// otherFormats are formats where wizard and page may both be right.
var otherFormats = map[string]string{
	"loan_rate": "percent", // the wizard calls the percentage a decimal
}

// wanted lists the controls of a first page, date parts and rows opened up.
func (w truthWizard) wanted() []truth {
	var out []truth
	for _, f := range w.Pages[0].Fields {
		if len(f.SubFields) == 0 {
			out = append(out, f)
			continue
		}
		for _, s := range f.SubFields {
			s.Required = s.Required || f.Required
			s.part = f.Format == "date"
			if len(s.Frame) == 0 {
				s.Frame = f.Frame
			}
			out = append(out, s)
		}
	}
	return out
}

// loadTruth reads every wizard that is shipped for practice, by file name.
func loadTruth(t *testing.T) map[string]truthWizard {
	t.Helper()
	out := map[string]truthWizard{}
	for _, from := range []fs.FS{practice.Wizards(), practice.Widgets()} {
		files, err := fs.Glob(from, "wizard-structures/*.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			data, err := fs.ReadFile(from, name)
			if err != nil {
				t.Fatal(err)
			}
			var w truthWizard
			if err := json.Unmarshal(data, &w); err != nil {
				t.Fatal(err)
			}
			out[strings.TrimSuffix(strings.TrimPrefix(name, "wizard-structures/"), ".json")] = w
		}
	}
	return out
}

// practiceView opens a wizard's first page on the practice server at address.
func practiceView(t *testing.T, w truthWizard, address string) *view {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	hosts := map[string]string{"practice.localhost:80": address, "partner.localhost:80": address}
	tab, err := pool.Open(ctx, browser.TabOptions{Policy: browser.Policy{
		Hosts: hosts, AllowOrigins: []string{"http://practice.localhost", "http://partner.localhost"},
	}, InitScripts: page.InitScripts(), Width: 1280, Height: 900})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := tab.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	v := &view{Page: page.Open(ctx, tab), tab: tab, ctx: ctx}
	v.ElementTimeout = 5 * time.Second
	if _, err := v.Goto(ctx, w.URL); err != nil {
		t.Fatal(err)
	}
	if err := v.Settle(ctx); err != nil {
		t.Fatal(err)
	}
	v.start(t, w)
	return v
}

// comesLater are controls that the page makes some time after it has loaded.
var comesLater = map[string]page.Target{
	"f14d-frame-replaced": {Selector: "#city", Frame: []string{"#part"}},
}

// awaitPresent looks until the target is on the page.
func (v *view) awaitPresent(t *testing.T, target page.Target) {
	t.Helper()
	for {
		seen, err := v.Survey(v.ctx, []page.Target{target})
		if err != nil {
			t.Fatal(err)
		}
		if seen[0].Present {
			return
		}
	}
}

// start takes the click that leads to the first page.
func (v *view) start(t *testing.T, w truthWizard) {
	t.Helper()
	if w.StartAction == nil || w.StartAction.Selector == "" {
		return
	}
	kind := w.StartAction.Type
	if kind == "" {
		kind = "text"
	}
	if _, err := v.Advance(v.ctx, page.Target{Selector: w.StartAction.Selector, Type: kind}, page.Proof{}); err != nil {
		t.Fatal(err)
	}
	if err := v.Settle(v.ctx); err != nil {
		t.Fatal(err)
	}
}

// TestWalk compares what every practice page offers with what its wizard asks.
func TestWalk(t *testing.T) {
	site := httptest.NewServer(practice.New())
	t.Cleanup(site.Close)
	all := loadTruth(t)
	merged := mergeByURL(all)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if notAsked[name] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := all[name]
			v := practiceView(t, w, site.Listener.Addr().String())
			if late, ok := comesLater[name]; ok {
				v.awaitPresent(t, late)
			}
			inv, err := v.Controls(v.ctx, 0)
			if err != nil {
				t.Fatal(err)
			}
			v.compare(t, w, inv, merged[pathOf(w.URL)])
			v.agreeing(t, inv)
		})
	}
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Path
}

// mergeByURL is what all wizards of one page ask together.
func mergeByURL(all map[string]truthWizard) map[string][]truth {
	out := map[string][]truth{}
	for _, w := range all {
		out[pathOf(w.URL)] = append(out[pathOf(w.URL)], w.wanted()...)
	}
	return out
}

// compare checks recall, precision, kinds, required flags and options.
func (v *view) compare(t *testing.T, w truthWizard, inv page.Inventory, asked []truth) {
	t.Helper()
	if inv.Total != len(inv.Controls) {
		t.Errorf("total %d, %d listed", inv.Total, len(inv.Controls))
	}
	for _, f := range w.wanted() {
		c, part, state := v.controlOf(t, inv, f)
		if state != "" {
			if state == "missing" {
				t.Errorf("%s (%s): on the page, not in the inventory", f.FieldID, f.Selector)
			}
			continue
		}
		v.compareOne(t, f, c, part)
	}
	for _, c := range inv.Controls {
		if c.Decoy == "" && c.Visible && !v.askedFor(t, c, asked) {
			t.Errorf("%s %q: %s that no wizard asks for", c.Selector, c.Label, c.Kind)
		}
	}
}

// controlOf finds the control that a wizard's selector means. The state is
// missing, or absent when the page has no such element now.
func (v *view) controlOf(t *testing.T, inv page.Inventory, f truth) (page.Control, *page.Part, string) {
	t.Helper()
	if c, part, ok := v.match(t, inv, f); ok {
		return c, part, ""
	}
	seen, err := v.Survey(v.ctx, []page.Target{{Selector: f.Selector, Type: "css", Frame: f.Frame}})
	if err != nil {
		t.Fatal(err)
	}
	if !seen[0].Present {
		return page.Control{}, nil, "absent"
	}
	return page.Control{}, nil, "missing"
}

// match finds the control, or the part of a date, that a selector means.
func (v *view) match(t *testing.T, inv page.Inventory, f truth) (page.Control, *page.Part, bool) {
	t.Helper()
	for _, c := range inv.Controls {
		if !slices.Equal(c.Frame, f.Frame) {
			continue
		}
		if v.samePlace(t, f, c.Selector) || c.Kind == page.KindRadio && slices.ContainsFunc(c.Options, func(o page.ControlOption) bool { return v.samePlace(t, f, o.Selector) }) {
			if len(c.Parts) == 0 {
				return c, nil, true
			}
		}
		for i := range c.Parts {
			if v.samePlace(t, f, c.Parts[i].Selector) {
				return c, &c.Parts[i], true
			}
		}
	}
	return page.Control{}, nil, false
}

func (v *view) samePlace(t *testing.T, f truth, selector string) bool {
	t.Helper()
	if selector == f.Selector {
		return true
	}
	if strings.HasPrefix(selector, "#") && strings.HasPrefix(f.Selector, "#") && !strings.Contains(f.Selector, " ") {
		box := f.Type == "radio"
		if !box {
			return false
		}
	}
	bad, err := page.Disagreeing(v.ctx, v.Page, f.Frame, [][]string{{selector, f.Selector}})
	return err == nil && len(bad[0]) == 0
}

// kindsOf are the kinds that a wizard's type may be on a page.
var kindsOf = map[string][]page.Kind{
	"text":      {page.KindText, page.KindNumber},
	"number":    {page.KindNumber, page.KindText},
	"textarea":  {page.KindTextarea},
	"radio":     {page.KindRadio},
	"checkbox":  {page.KindCheckbox},
	"select":    {page.KindSelect},
	"typeahead": {page.KindTypeahead},
	"search":    {page.KindSearch},
}

func (v *view) compareOne(t *testing.T, f truth, c page.Control, part *page.Part) {
	t.Helper()
	kind := c.Kind
	if part != nil {
		kind = part.Kind
	}
	want := kindsOf[f.Type]
	switch f.Format {
	case "date", "month", "time":
		want = []page.Kind{page.KindDate}
	case "file", "range", "richtext":
		want = []page.Kind{page.Kind(f.Format)}
	}
	if !slices.Contains(want, kind) {
		t.Errorf("%s: kind %s, want %s", f.FieldID, kind, want)
	}
	if part == nil && f.Format != "" && c.Format != f.Format && otherFormats[f.FieldID] != c.Format {
		t.Errorf("%s %q: format %q, want %q", f.FieldID, c.Label, c.Format, f.Format)
	}
	if f.Format == "" && part == nil && c.Format != "" {
		t.Logf("%s %q: format %q where the wizard has none", f.FieldID, c.Label, c.Format)
	}
	if c.Required && !f.Required || c.Optional && f.Required {
		t.Errorf("%s: required %v by %q, optional %v, want required %v", f.FieldID, c.Required, c.RequiredBy, c.Optional, f.Required)
	}
	if !f.part && f.Label != "" && bareLabel(c.Label) != bareLabel(f.Label) {
		t.Logf("%s: label %q, wizard %q, group %q", f.FieldID, c.Label, f.Label, c.Group)
	}
	if c.Multiple != f.Multiple && f.Type != "checkbox" {
		t.Errorf("%s: multiple %v", f.FieldID, c.Multiple)
	}
	if c.Decoy != "" && c.Decoy != "not shown" && c.Decoy != "readonly" {
		t.Errorf("%s: taken for %s", f.FieldID, c.Decoy)
	}
	if part == nil && len(f.Options) > 0 && c.Visible {
		v.compareOptions(t, f, c)
	}
}

func bareLabel(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(s, "’", "'")), " "))
}

// compareOptions reads the options, late ones too, and wants every one named.
func (v *view) compareOptions(t *testing.T, f truth, c page.Control) {
	t.Helper()
	list, complete := c.Options, true
	if !c.OptionsKnown {
		var err error
		if list, complete, err = v.Choices(v.ctx, c, 0); err != nil {
			t.Errorf("%s: %v", f.FieldID, err)
			return
		}
	}
	if !complete || len(list) != len(f.Options) {
		t.Errorf("%s: %d options, complete %v, want %d", f.FieldID, len(list), complete, len(f.Options))
	}
	for _, o := range f.Options {
		if !slices.ContainsFunc(list, func(x page.ControlOption) bool {
			return x.Value == o.Value || bareLabel(x.Label) == bareLabel(o.Label) || bareLabel(x.Label) == bareLabel(o.Value)
		}) {
			t.Errorf("%s: option %q (%q) is not among %d", f.FieldID, o.Value, o.Label, len(list))
		}
	}
}

// askedFor tells whether any wizard of the page asks for the control.
func (v *view) askedFor(t *testing.T, c page.Control, asked []truth) bool {
	t.Helper()
	one := page.Inventory{Controls: []page.Control{c}}
	for _, f := range asked {
		if _, _, ok := v.match(t, one, f); ok {
			return true
		}
	}
	return false
}

// agreeing checks that all ways to a control lead to the same element.
func (v *view) agreeing(t *testing.T, inv page.Inventory) {
	t.Helper()
	lists := map[string][][]string{}
	paths := map[string][]string{}
	add := func(frame []string, ways []page.Way) {
		var list []string
		for _, w := range ways {
			list = append(list, w.Selector)
		}
		key := strings.Join(frame, "\n")
		paths[key] = frame
		lists[key] = append(lists[key], list)
	}
	for _, c := range inv.Controls {
		if c.Kind == page.KindRadio {
			continue // a radio stands for its group
		}
		add(c.Frame, c.Ways)
		if len(c.Ways) == 0 || c.Selector != c.Ways[0].Selector {
			t.Errorf("%q: selector %q, ways %v", c.Label, c.Selector, c.Ways)
		}
	}
	for key, list := range lists {
		list = list[:min(len(list), 40)] // looking up each by hand takes long
		bad, err := page.Disagreeing(v.ctx, v.Page, paths[key], list)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range bad {
			if len(b) > 0 {
				t.Errorf("%q leads elsewhere than %q", b, list[i])
			}
		}
	}
}
