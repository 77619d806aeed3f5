package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	results.AuditFocus:      (*visit).focusAudit, // after the others, whatever its place
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
	var focus []results.Viewport
	for i, p := range v.Config.Viewports {
		if err := v.look(ctx, p); err != nil {
			return err
		}
		for _, plugin := range v.Config.Plugins {
			run := auditors[plugin.Name]
			switch {
			case run == nil || !v.due(plugin, p, i == 0):
			case plugin.Name == results.AuditFocus:
				focus = append(focus, p)
			default:
				if err := v.audit(ctx, run, plugin); err != nil {
					return err
				}
			}
		}
	}
	if err := v.focusAudits(ctx, focus); err != nil {
		return err
	}
	return v.links(ctx)
}

// focusAudits come last: they scroll, and what gets the focus may open and change.
func (v *visit) focusAudits(ctx context.Context, at []results.Viewport) error {
	for _, p := range at {
		if v.view.Viewport != p {
			if err := v.look(ctx, p); err != nil {
				return err
			}
		}
		if err := v.audit(ctx, (*visit).focusAudit, *v.Config.Plugins.Named(results.AuditFocus)); err != nil {
			return err
		}
	}
	return nil
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
	return steadily(func() error {
		if err := v.resize(ctx, p); err != nil {
			return err
		}
		if v.Config.OpenDetails {
			if _, err := v.page.OpenDetails(ctx); err != nil {
				return err
			}
		}
		return v.settle(ctx)
	})
}

// audit runs one audit. One that fails leaves the others: only a page that is gone
// or out of time ends the visit. What an audit read while the page went elsewhere is
// dropped: it may be of another page.
func (v *visit) audit(ctx context.Context, run auditor, p results.Plugin) error {
	writes, broken, rows := len(v.writes), len(v.broken), false
	drop := func() { v.writes, v.broken, rows = v.writes[:writes], v.broken[:broken], false }
	err := v.reading(ctx, func() error {
		drop()
		title, err := v.page.Title(ctx)
		if err != nil || v.stayed() != nil {
			return err
		}
		v.view.Title = title
		v.page.View = v.view
		rows, err = run(v, ctx, p)
		return err
	})
	if errors.As(err, new(errMoved)) {
		drop()
		return err
	}
	if rows {
		v.rows++
	}
	return v.endured(ctx, p, err)
}

// endured notes an audit that failed, unless the page is gone or out of time.
func (v *visit) endured(ctx context.Context, p results.Plugin, err error) error {
	if err == nil || gone(ctx, err) || errors.As(err, new(errMoved)) {
		return err
	}
	v.broken = append(v.broken, fmt.Sprintf("%s at %s (%s)", p.Name, v.view.Viewport.Name, strings.TrimSuffix(cause(err), ".")))
	v.remark(p.Name, "failed", cause(err))
	return nil
}

// gone reports an error after which nothing can be read of the page.
func gone(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, browser.ErrCrashed) || errors.Is(err, browser.ErrClosed)
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
	if moved := v.stayed(); moved != nil {
		v.leave(moved) // it was audited before
		return nil
	}
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
	if err == nil && !found.Found {
		return nil
	}
	if err == nil {
		if err := v.withBanner(ctx); err != nil {
			return err
		}
		found, err = v.page.DismissConsent(ctx)
	}
	if err != nil && gone(ctx, err) {
		return err
	}
	if err := steadily(func() error { return v.settle(ctx) }); err != nil {
		return err
	}
	if v.stayed() != nil { // the answer led to another page
		if err := v.back(ctx); err != nil {
			return err
		}
	}
	switch {
	case err != nil:
		v.remark("", "consent_failed", "It is not known whether a banner that asks for consent was in the way. "+cause(err))
	case found.Gone:
		v.remark("", "consent_dismissed", fmt.Sprintf("A banner that asks for consent was audited, then %s with %q; the page was audited without it too.", found.Action, short(found.Button)))
	default:
		v.remark("", "consent_stays", "A banner that asks for consent could not be refused or closed: the page was audited with it.")
	}
	return nil
}

// withBanner runs axe on the page as it is before its banner goes.
func (v *visit) withBanner(ctx context.Context) error {
	axe := v.Config.Plugins.Named(results.AuditAxe)
	if axe == nil || !axe.Enabled {
		return nil
	}
	for _, p := range v.Config.Viewports {
		if !v.due(*axe, p, false) {
			continue
		}
		if err := v.look(ctx, p); err != nil {
			return err
		}
		err := v.reading(ctx, func() error {
			got, err := v.page.Axe(ctx, v.axeOptions(*axe))
			v.axe[p.Name] = got
			return err
		})
		if err := v.endured(ctx, *axe, err); err != nil {
			return err
		}
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
	view := v.view
	v.putFound(got.Violations, func() error { return v.out.Axe(view, got) })
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
	if got.Overflow > 0 && p.ScreenshotFailures {
		if png, err := v.page.Screenshot(ctx, false); err == nil {
			v.put(func() error { return v.out.Picture(view, png) })
		}
	}
	v.putFound(got.Findings(), func() error { return v.out.Reflow(view, got) })
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
	view := v.view
	v.putFound(got.Missing, func() error { return v.out.Focus(view, got) })
	if slices.ContainsFunc(got.Notes, func(n results.Note) bool { return n.Kind == "focus_navigates" }) {
		return true, v.back(ctx) // what was found was found before it led away
	}
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
