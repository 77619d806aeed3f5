package page

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Click presses a target as a person would, once it can be pressed. It does not
// wait for what comes of it.
func (p *Page) Click(ctx context.Context, t Target) error {
	frame, err := p.frameSoon(ctx, t.Frame)
	if errors.Is(err, errNoFrame) {
		return notThere(t, nil)
	}
	if err != nil {
		return err
	}
	why := "it moves away whenever it is pressed"
	for range presses {
		a, err := p.aim(ctx, frame, aimArg{Button: t})
		if err != nil {
			return err
		}
		if a.State != "ok" {
			why = a.Why
			break
		}
		if err := p.tab.Click(ctx, frame, a.X, a.Y); err != nil {
			return err
		}
		var missed bool
		err = p.invoke(ctx, frame, call{Name: "tookWrong"}, &missed)
		if errors.Is(err, browser.ErrNavigated) || err == nil && !missed {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return fault.New(fault.Failed, "not_clickable", "The button "+t.name()+" cannot be pressed: "+why+".",
		"Look at a picture of the page for what is in its way.")
}

// aimed is where and whether a target can be pressed.
type aimed struct {
	State      string    `json:"state"` // ok, lost, disabled, blocked, hidden, not_found, ambiguous
	Why        string    `json:"why"`
	Used       string    `json:"used"`
	Candidates []string  `json:"candidates"`
	X          float64   `json:"x"`
	Y          float64   `json:"y"`
	Quiet      float64   `json:"quiet"`
	Mark       *markOf   `json:"mark"`
	Kept       []Outcome `json:"kept"` // how the answers were found, when one is lost
	Waited     bool      `json:"-"`    // it could not be pressed at once
}

// patience is how long a quiet page may keep a button from being pressed: forms
// enable it after a debounce.
const patience = 1500 * time.Millisecond

// aimArg is the argument of the page-side aim.
type aimArg struct {
	Button  Target   `json:"button"`
	Fields  []Target `json:"fields"`
	Extra   []string `json:"extra"`
	Answers []Answer `json:"answers,omitempty"` // what the page must hold before the press
	Script  bool     `json:"script,omitempty"`  // press it by script, wherever it is
	Mark    bool     `json:"mark"`              // also say what the page is before the press
}

// aim waits until the target can be pressed, for as long as the page may still
// make that so. A disabled or covered target is an answer, a missing one an error.
func (p *Page) aim(ctx context.Context, frame browser.FrameID, arg aimArg) (aimed, error) {
	t := arg.Button
	baseline := p.tab.Doc().InFlight
	waited := false
	for since := time.Now(); ; waited = true {
		a := aimed{Waited: waited}
		if err := p.read(ctx, frame, call{"aim", arg}, &a); err != nil {
			return a, err
		}
		wait := patience
		switch a.State {
		case "ok", "lost":
			return a, nil
		case "ambiguous":
			return a, ambiguous(t, a.Candidates)
		case "not_found":
			wait = quietTime
			if more, err := p.pierce(ctx, frame); err != nil {
				return a, err
			} else if more {
				continue
			}
		}
		t2 := time.Since(since)
		quiet := time.Duration(a.Quiet) * time.Millisecond
		if t2 < p.ElementTimeout && (t2 < wait || quiet < wait || p.busy(baseline)) {
			continue
		}
		if a.State == "not_found" || a.State == "hidden" {
			return a, notThere(t, &a)
		}
		if a.Why == "" {
			a.Why = "it is " + a.State
		}
		return a, nil
	}
}

func (t Target) name() string {
	name := t.Text
	if name == "" {
		name = t.Selector
	}
	return fmt.Sprintf("%.200q", name) // a selector can be of any length
}

func notThere(t Target, a *aimed) error {
	how := "nothing on the page matches it"
	if a != nil && a.State == "hidden" {
		how = "it is on the page, but not shown"
	}
	return fault.New(fault.NotFound, "selector_not_found", "The button "+t.name()+" was not found: "+how+".",
		"The site may have changed: look at a picture of the page and correct the selector.")
}

func ambiguous(t Target, candidates []string) error {
	return fault.New(fault.Failed, "ambiguous_selector", "Several elements match the button "+t.name()+": "+strings.Join(candidates, "; ")+".",
		"Use a selector that only one of them matches.").WithData("candidates", candidates)
}
