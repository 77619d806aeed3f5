package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
)

// loginLimit bounds one way through the steps of a login.
const loginLimit = 2 * time.Minute

// enter goes through the steps in a tab. What goes wrong is told by the number of
// the step: its value is a secret, and so may be what the page says.
func (l *Login) enter(ctx context.Context, tab *browser.Tab) error {
	if l == nil || len(l.Steps) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, loginLimit)
	defer cancel()
	p := page.Open(ctx, tab)
	for i, s := range l.Steps {
		if why := s.do(ctx, tab, p); why != "" {
			return fault.New(fault.Failed, "login_failed", fmt.Sprintf("The login did not work: step %d (%s) %s.", i+1, s.Action, why),
				"Go through the steps of legwork.login in a browser, and correct the one that is named.")
		}
	}
	return nil
}

// do does one step and lets the page come to rest. It returns why it could not.
func (s LoginStep) do(ctx context.Context, tab *browser.Tab, p *page.Page) string {
	target := page.Target{Selector: s.Selector}
	switch s.Action {
	case StepGoto:
		place, err := p.Goto(ctx, s.Value)
		switch {
		case err != nil && fault.From(err).Kind == fault.Denied:
			return "leads to an address of this machine or of a private network, which the scan may not reach without --allow-private"
		case err != nil:
			return "could not load the address"
		}
		if place.Status >= 400 {
			return fmt.Sprintf("got the status %d", place.Status)
		}
	case StepFill:
		got, err := p.Set(ctx, []page.Answer{{Input: page.Input{ID: "login", Target: target, Kind: page.KindText}, Value: s.Value}})
		if err != nil {
			return "lost the page"
		}
		if len(got) != 1 || !got[0].State.OK() {
			return "could not fill the field in"
		}
	case StepClick:
		if p.Click(ctx, target) != nil {
			return "found nothing to click"
		}
	case StepPress:
		if s.Selector != "" && p.Click(ctx, target) != nil {
			return "did not find the field"
		}
		if tab.Press(ctx, tab.Main(), s.Value) != nil {
			return "could not press the key"
		}
	case StepWait:
		return s.await(ctx, tab, p)
	}
	if p.Settle(ctx) != nil {
		return "lost the page"
	}
	return ""
}

// calm is one slice of waiting for what a login leads to.
const calm = 200 * time.Millisecond

func (s LoginStep) await(ctx context.Context, tab *browser.Tab, p *page.Page) string {
	for {
		here := s.Value != "" && strings.Contains(tab.Doc().URL, s.Value)
		if s.Selector != "" {
			seen, err := p.Survey(ctx, []page.Target{{Selector: s.Selector}})
			here = err == nil && len(seen) == 1 && seen[0].Present && (s.Value == "" || here)
		}
		if here {
			return ""
		}
		if err := p.Calm(ctx, calm); err != nil || ctx.Err() != nil {
			return "waited in vain"
		}
	}
}

// lost reports whether the page in the tab is what comes when the session is over.
func (l *Login) lost(ctx context.Context, tab *browser.Tab, text string) bool {
	if l == nil {
		return false
	}
	address := tab.Doc().URL
	switch {
	case l.Lost.URL != "" && strings.Contains(address, l.Lost.URL):
		return true
	case l.Lost.Text != "" && strings.Contains(text, l.Lost.Text):
		return true
	case l.Lost.Selector != "":
		seen, err := page.Open(ctx, tab).Survey(ctx, []page.Target{{Selector: l.Lost.Selector}})
		if err == nil && len(seen) == 1 && seen[0].Present {
			return true
		}
	}
	if l.Lost == (LostSession{}) && len(l.Steps) > 0 && l.Steps[0].Action == StepGoto {
		return withoutQuery(address) == withoutQuery(l.Steps[0].Value)
	}
	return false
}

func withoutQuery(address string) string {
	before, _, _ := strings.Cut(address, "#")
	before, _, _ = strings.Cut(before, "?")
	return strings.TrimSuffix(before, "/")
}
