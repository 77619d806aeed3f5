package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// auditor runs one audit at the view that the page has, and writes what it found.
// It reports whether that gave rows. It is a method of [visit].
type auditor func(v *visit, ctx context.Context, p results.Plugin) (rows bool, err error)

// auditors are the audits of a page, by their plugins.
var auditors = map[string]auditor{
	results.AuditAxe:        (*visit).axeAudit,
	results.AuditLanguage:   (*visit).languageAudit,
	results.AuditReflow:     (*visit).reflowAudit,
	results.AuditTitle:      (*visit).titleAudit,
	results.AuditScreenshot: (*visit).screenshotAudit,
	results.AuditElement:    (*visit).elementAudit,
	results.AuditFocus:      (*visit).focusAudit,
	results.AuditHTML:       (*visit).htmlAudit,
	results.AuditSEO:        (*visit).seoAudit,
}

// once are the audits of the document, which is the same at every viewport.
var once = map[string]bool{results.AuditHTML: true, results.AuditSEO: true}

// audits looks at the page at each viewport, by resizing it: it is loaded only once.
func (v *visit) audits(ctx context.Context) error {
	if err := v.consent(ctx); err != nil {
		return err
	}
	for i, p := range v.Config.Viewports {
		if err := v.look(ctx, p); err != nil {
			return err
		}
		for _, plugin := range v.Config.Plugins {
			if run := auditors[plugin.Name]; run != nil && v.due(plugin, p, i == 0) {
				if err := v.audit(ctx, run, plugin); err != nil {
					return err
				}
			}
		}
	}
	return v.links(ctx)
}

// due reports whether an audit is to look at a viewport. The focus audit, which takes
// long, looks at the widest one unless the plugin names another: CWAC repeats it.
func (v *visit) due(plugin results.Plugin, p results.Viewport, first bool) bool {
	switch {
	case !plugin.Enabled:
		return false
	case plugin.Viewport != "":
		return plugin.Viewport == p.Name
	case once[plugin.Name]:
		return first
	case plugin.Name == results.AuditFocus && !v.Config.Legwork.Compat:
		return p == slices.MaxFunc(v.Config.Viewports, func(a, b results.Viewport) int { return a.Width - b.Width })
	}
	return true
}

// look gives the page a viewport and lets it come to rest there.
func (v *visit) look(ctx context.Context, p results.Viewport) error {
	if err := v.resize(ctx, p); err != nil {
		return err
	}
	if v.Config.OpenDetails {
		if _, err := v.page.OpenDetails(ctx); err != nil {
			return err
		}
	}
	return v.settle(ctx)
}

// audit runs one audit. One that fails leaves the others: only a page that is gone
// or out of time ends the visit.
func (v *visit) audit(ctx context.Context, run auditor, p results.Plugin) error {
	title, err := v.page.Title(ctx)
	if err == nil {
		v.view.Title = title
		v.page.View = v.view
		var rows bool
		if rows, err = run(v, ctx, p); rows {
			v.rows++
		}
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil || errors.Is(err, browser.ErrCrashed) || errors.Is(err, browser.ErrClosed) {
		return err
	}
	v.broken = append(v.broken, p.Name+" at "+v.view.Viewport.Name)
	v.remark(p.Name, "failed", cause(err))
	return nil
}

// cut makes a page whose audit ran out of time a page that was scanned in part: that
// nothing more was found says little.
func (v *visit) cut(p results.Plugin, notes []results.Note) {
	if slices.ContainsFunc(notes, func(n results.Note) bool { return n.Kind == "time_limit" }) {
		v.broken = append(v.broken, p.Name+" at "+v.view.Viewport.Name+" (out of time)")
	}
}

// links reads the page again: scripts may have made links since it was loaded.
func (v *visit) links(ctx context.Context) error {
	facts, err := v.page.Facts(ctx)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, l := range v.facts.Links {
		seen[l.Raw] = true
	}
	for _, l := range facts.Links {
		if !seen[l.Raw] {
			v.facts.Links = append(v.facts.Links, l)
		}
	}
	return nil
}

// consent deals with a banner that asks for consent. It is part of the page, so it
// is audited like all of it; when the configuration says so it is dismissed then, so
// that the page behind it is audited too.
func (v *visit) consent(ctx context.Context) error {
	if v.Config.Legwork.Consent != "dismiss" {
		return nil
	}
	found, err := v.page.FindConsent(ctx)
	if err != nil || !found.Found {
		return err
	}
	if axe := v.Config.Plugins.Named(results.AuditAxe); axe != nil && axe.Enabled {
		for _, p := range v.Config.Viewports {
			if err := v.look(ctx, p); err != nil {
				return err
			}
			got, err := v.page.Axe(ctx, v.axeOptions(*axe))
			if err != nil {
				return err
			}
			v.axe[p.Name] = got
		}
	}
	did, err := v.page.DismissConsent(ctx)
	if err != nil {
		return err
	}
	switch {
	case did.Gone:
		v.remark("", "consent_dismissed", fmt.Sprintf("A banner that asks for consent was audited, then %s with %q; the page was audited without it too.", did.Action, short(did.Button)))
	default:
		v.remark("", "consent_stays", "A banner that asks for consent could not be refused or closed: the page was audited with it.")
	}
	return nil
}

// short keeps a name that a page gives to a line.
func short(s string) string {
	r := []rune(printable(s))
	return string(r[:min(len(r), 60)])
}

func (v *visit) axeOptions(p results.Plugin) audit.AxeOptions {
	return audit.AxeOptions{
		Frames: v.Config.Legwork.Frames, ClosedRoots: !v.Config.Legwork.Compat,
		BestPractice: p.BestPractice, Limit: delay(v.Config.ScriptTimeout),
	}
}

func (v *visit) axeAudit(ctx context.Context, p results.Plugin) (bool, error) {
	got, err := v.page.Axe(ctx, v.axeOptions(p))
	if err != nil {
		return false, err
	}
	before := v.axe[v.view.Viewport.Name]
	got.Violations = union(before.Violations, got.Violations)
	got.Review = union(before.Review, got.Review)
	got.Notes = append(before.Notes, got.Notes...)
	for _, n := range got.Notes {
		n.Audit = results.AuditAxe
		v.take(n)
	}
	v.cut(p, got.Notes)
	v.issues += v.found(got.Violations)
	view := v.view
	v.put(func() error { return v.out.Axe(view, got) })
	return true, nil
}

// union is the first list and what only the second has.
func union(first, second []results.Finding) []results.Finding {
	type place struct{ rule, target, frame, html string }
	seen := map[place]bool{}
	all := first
	for _, f := range first {
		seen[place{f.Rule, f.Target, f.Frame, f.HTML}] = true
	}
	for _, f := range second {
		if !seen[place{f.Rule, f.Target, f.Frame, f.HTML}] {
			all = append(all, f)
		}
	}
	return all
}

// reflowWidth is the width that WCAG 2.2 gives in 1.4.10, in CSS pixels.
const reflowWidth = 320

func (v *visit) reflowAudit(ctx context.Context, p results.Plugin) (bool, error) {
	if w := v.view.Viewport.Width; w != reflowWidth {
		v.remark(p.Name, "wrong_viewport", fmt.Sprintf("Reflow is measured at %d pixels; the viewport %s has %d.", reflowWidth, v.view.Viewport.Name, w))
		return false, nil
	}
	got, err := v.page.Reflow(ctx)
	if err != nil {
		return false, err
	}
	view := v.view
	if got.Overflow > 0 {
		v.issues += v.found([]results.Finding{{}})
		if p.ScreenshotFailures {
			if png, err := v.page.Screenshot(ctx, false); err == nil {
				v.put(func() error { return v.out.Picture(view, png) })
			}
		}
	}
	v.put(func() error { return v.out.Reflow(view, got) })
	return true, nil
}

// focusAudit tabs through the page. CWAC compares as many presses as the plugin says;
// this engine comes to every stop, unless it is to be like CWAC.
func (v *visit) focusAudit(ctx context.Context, p results.Plugin) (bool, error) {
	o := audit.FocusOptions{Limit: v.Limits.Focus, Frames: v.Config.Legwork.Frames}
	if v.Config.Legwork.Compat {
		o.Stops = p.PreTabs + p.MaxTabs
	}
	got, err := v.page.Focus(ctx, o)
	if err != nil {
		return false, err
	}
	for _, n := range got.Notes {
		n.Audit = p.Name
		v.take(n)
	}
	v.cut(p, got.Notes)
	v.issues += v.found(got.Missing)
	view := v.view
	v.put(func() error { return v.out.Focus(view, got) })
	return true, nil
}

func (v *visit) titleAudit(context.Context, results.Plugin) (bool, error) {
	view := v.view
	v.put(func() error { return v.out.Title(view) })
	return true, nil
}

func (v *visit) screenshotAudit(ctx context.Context, _ results.Plugin) (bool, error) {
	png, err := v.page.Screenshot(ctx, !v.Config.Legwork.Compat) // CWAC pictures the window only
	if err != nil {
		return false, err
	}
	view := v.view
	v.put(func() error { return v.out.Screenshot(view, png) })
	return true, nil
}

func (v *visit) elementAudit(ctx context.Context, p results.Plugin) (bool, error) {
	found, total, err := v.page.Elements(ctx, p.Target)
	if err != nil {
		return false, err
	}
	if total > len(found) {
		v.remark(p.Name, "limit", fmt.Sprintf("%d elements match; the first %d are recorded.", total, len(found)))
	}
	markup := make([]string, 0, len(found))
	for _, e := range found {
		markup = append(markup, e.HTML)
	}
	view := v.view
	v.put(func() error { return v.out.Elements(view, markup) })
	return true, nil
}
