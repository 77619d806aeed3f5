package scout_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// limited is something about a practice page that no exploration can find.
type limited struct {
	page     string // begins so
	question string
	aspect   string // required, or options that cannot be chosen; empty is all of it
	gate     bool   // there is no form at all: the discovery must say so
	why      string
}

// beyond are the facts that are not scored, each with its reason.
var beyond = []limited{
	{page: "f06d-select-groups", question: "program", aspect: "TEACH, Perkins", why: "both options are disabled: nobody can choose them"},
	{page: "f08b-readonly", question: "account", why: "it can only be read: the form asks nobody for it"},
	{page: "f08c-disabled", question: "account", why: "it is disabled: the form asks nobody for it"},
	{page: "f09b-continue-dead", question: "full_name", aspect: "required", why: "the button does nothing, so the form never says what it needs"},
	{page: "f10c-conditional-server", question: "county", aspect: "required", why: "the form insists on it where it is shown; the wizard that somebody wrote does not say when that is, and leaves it open"},
	{page: "f10c-conditional-server", question: "ferry", aspect: "required", why: "the form insists on it where it is shown; the wizard that somebody wrote does not say when that is, and leaves it open"},
	{page: "f19a-blocked-403", gate: true, why: "the site blocks programs, and discovery says so"},
	{page: "f19b-blocked-200", gate: true, why: "the site blocks programs, and discovery says so"},
	{page: "f19c-captcha", gate: true, why: "a person must prove to be one, and discovery says so"},
	{page: "f19d-login", gate: true, why: "a person must sign in, and discovery says so"},
	{page: "f19e-one-time-code", gate: true, why: "a person must enter a code, and discovery says so"},
	{page: "f19h-rate-limited", gate: true, why: "the site wants to be left alone, and discovery says so"},
	{page: "f19g-challenge-later", question: "full_name", aspect: "required", why: "a person must prove to be one before the form says what it needs"},
	{page: "f22f-selector-missing", question: "full_name", why: "this wizard file is wrong on purpose: its selector is of nothing on the page"},
	{page: "f25b-honeypot-asked", question: "website", why: "it is there to catch programs: nobody sees it"},
	{page: "f25d-continue-inside", question: "full_name", aspect: "required", why: "the button leads to an address that is not allowed, so the form never says what it needs"},
	{page: "f25e-continue-redirected", question: "full_name", aspect: "required", why: "the button leads to an address that is not allowed, so the form never says what it needs"},
	{page: "f25f-meta-refresh", gate: true, why: "the page leaves for another site before it asks anything"},
	{page: "f25i-continue-spins", question: "full_name", aspect: "required", why: "the button never gives the page back, so the form never says what it needs"},
}

// what names the thing in the list below the table.
func (x limited) what() string {
	return strings.TrimSpace(strings.Join([]string{x.page, x.question, x.aspect}, " "))
}

// limit takes out of the facts what cannot be found. It reports whether anything
// is left to look for.
func (s *subject) limit() bool {
	for _, x := range beyond {
		if s.name != x.page {
			continue
		}
		switch {
		case x.gate:
			s.gate = true
		case x.aspect == "":
			s.facts = slices.DeleteFunc(s.facts, func(f fact) bool { return f.id == x.question })
		default:
			i := slices.IndexFunc(s.facts, func(f fact) bool { return f.id == x.question })
			s.facts[i].doubt(x.aspect)
		}
	}
	return s.gate || len(s.facts) > 0
}

func (f *fact) doubt(aspect string) {
	if aspect == "required" {
		f.unsure = true
		return
	}
	out := strings.Split(aspect, ", ")
	f.options = slices.DeleteFunc(f.options, func(o string) bool { return slices.Contains(out, o) })
}

// drawnAlike tells of two descriptions whether the first page of the form draws
// the same control for both. Selectors of many kinds may lead to one control.
func drawnAlike(t *testing.T, pool *browser.Pool, s subject, w *wizard.Wizard) func(f, d fact) bool {
	t.Helper()
	found := factsOf(w)
	lone := func(a fact, others []fact) bool {
		return a.target.Selector != "" && !slices.ContainsFunc(others, func(b fact) bool { return bySelector(a, b) })
	}
	var ids []string
	var targets []page.Target
	for _, f := range s.facts {
		if lone(f, found) {
			ids, targets = append(ids, "truth "+f.id), append(targets, f.target)
		}
	}
	if len(targets) == 0 {
		return func(fact, fact) bool { return false }
	}
	for _, d := range found {
		if lone(d, s.facts) {
			ids, targets = append(ids, "found "+d.id), append(targets, d.target)
		}
	}
	boxes := boxesOn(t, pool, s, targets)
	at := map[string]page.Box{}
	for i, b := range boxes {
		at[ids[i]] = b
	}
	return func(f, d fact) bool {
		a, b := at["truth "+f.id], at["found "+d.id]
		return a.W > 0 && a == b
	}
}

// boxesOn opens the form's address and tells where the targets are drawn.
func boxesOn(t *testing.T, pool *browser.Pool, s subject, targets []page.Target) []page.Box {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tab, err := pool.Open(ctx, browser.TabOptions{Policy: s.policy, Width: 1280, Height: 1024, InitScripts: page.InitScripts()})
	if err != nil {
		t.Error(err)
		return nil
	}
	defer func() {
		if err := tab.Close(context.WithoutCancel(ctx)); err != nil {
			t.Error(err)
		}
	}()
	p := page.Open(ctx, tab)
	if _, err := p.Goto(ctx, s.url); err != nil {
		t.Error(err)
		return nil
	}
	if err := p.Settle(ctx); err != nil {
		t.Error(err)
		return nil
	}
	boxes, err := p.Boxes(ctx, targets)
	if err != nil {
		t.Error(err)
	}
	return boxes
}
