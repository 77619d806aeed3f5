package page_test

import (
	"maps"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/practice"
)

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
		got, err := v.Choices(v.ctx, c, 0)
		if err != nil {
			t.Errorf("%s: %v", f.FieldID, err)
			return
		}
		list, complete = got.Options, got.Complete
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
