package scout

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Discoverer explores forms without a model.
type Discoverer struct {
	Browser Opener
	// Policy is what the form at an address may reach.
	Policy func(address string) (browser.Policy, error)
	// Prover replays what was found; nil leaves it unproven.
	Prover        Prover
	Width, Height int
	Headed        bool
	Logger        *slog.Logger
}

// Discover explores a form, drafts its wizard and replays the draft. A draft
// whose replay fails is part of the answer: its Proofs say what failed. So is the draft of
// what had been explored when the context ended, if that was a step at least.
func (d Discoverer) Discover(ctx context.Context, req Request) (*Discovery, error) {
	u, err := url.Parse(req.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fault.New(fault.Invalid, "invalid_url", "This is no address of a web page: "+req.URL, "Give the full address of the form, such as https://example.gov/form.")
	}
	if req.ID != "" {
		id, err := wizard.NormalizeID(req.ID)
		if err != nil {
			return nil, fault.New(fault.Invalid, "invalid_wizard_id", err.Error(), "Use small letters, digits and hyphens.")
		}
		req.ID = id
	}
	policy, err := d.Policy(req.URL)
	if err != nil {
		return nil, err
	}
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	x := newExplorer(req, func(ctx context.Context) (*browser.Tab, error) {
		return d.Browser.Open(ctx, browser.TabOptions{Policy: policy, Width: d.Width, Height: d.Height, Headed: d.Headed, InitScripts: page.InitScripts()})
	}, d.Logger)
	x.pictures, x.width = true, d.Width
	if err := x.exploreInTime(ctx); err != nil {
		return nil, err
	}
	found, err := x.assemble()
	if err != nil {
		return nil, err
	}
	short := x.fellShort()
	if short != "" {
		found.Remarks = append([]string{"No way led to the end of the form: " + strings.TrimRight(short, ".") + "."}, found.Remarks...)
	}
	if found.Submitted = req.AllowSubmit; short == "" && !req.AllowSubmit {
		found.Remarks = append(found.Remarks, unsubmitted(found.Wizard))
	}
	if d.Prover == nil {
		return found, nil
	}
	if x.sentItself {
		mark(found)
		return found, nil
	}
	found.Proofs, err = prove(ctx, d.Prover, proving{found.Wizard, req.AllowSubmit, x.report})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	found.Proven = err == nil && short == "" && proven(found.Proofs)
	if ctx.Err() != nil && !found.Proven { // what was explored is kept, and it is the caller who ended it
		found.Remarks = append([]string{"The discovery was ended before the draft was proven."}, found.Remarks...)
	}
	mark(found)
	return found, nil
}

// mark writes into the wizard what is known about it.
func mark(d *Discovery) {
	note := map[string]any{"proven": d.Proven, "branches": len(d.Proofs), "passes": d.Coverage.Passes}
	if len(d.Remarks) > 0 {
		note["remarks"] = d.Remarks
	}
	raw, err := json.Marshal(note)
	if err != nil {
		return // strings and numbers marshal
	}
	if d.Wizard.Extra == nil {
		d.Wizard.Extra = map[string]json.RawMessage{}
	}
	d.Wizard.Extra["discovery"] = raw
}
