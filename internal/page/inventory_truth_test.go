package page_test

import (
	"context"
	"encoding/json"
	"io/fs"
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
