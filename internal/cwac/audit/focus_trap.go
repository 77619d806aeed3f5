package audit

import (
	"context"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// cycle judges a focus that has come back to where it was. That is how a page ends
// in a browser without controls of its own, unless there are elements left that the
// focus never came to: then it is caught, if the keys that lead out of dialogs and
// editors do not lead out either.
func (r *focusRun) cycle(ctx context.Context, s stop) error {
	left, err := r.unreached(ctx)
	if err != nil || len(left) == 0 {
		return err
	}
	for _, way := range [][]string{{"Escape", "Tab"}, {"Shift+Tab"}} {
		out, err := r.leaves(ctx, way)
		if err != nil {
			return err
		}
		if out {
			r.note("focus_kept", "The Tab key alone does not lead out of a part of the page; "+strings.Join(way, " and then ")+" does.", s.Place.Selector)
			return nil
		}
	}
	f := r.page.finding(results.AuditFocus, results.RuleNoKeyboardTrap, s.Place)
	f.Frame = s.url
	f.Review = s.Modal // it may have a button that closes it
	f.Summary = fmt.Sprintf("The focus goes round among %d elements and does not come to others, such as %s. Escape and Shift+Tab do not lead out either.", r.out.Stops, left[0])
	if s.Modal {
		f.Summary = "The focus stays in a dialog that Escape does not close. Check that the keyboard can close it."
	}
	f.Data = map[string]any{"unreached": len(left)}
	r.out.Missing = append(r.out.Missing, f)
	return nil
}

func (r *focusRun) unreached(ctx context.Context) ([]string, error) {
	var left []string
	err := r.page.invoke(ctx, request{Name: "unreached"}, &left)
	return left, err
}

// leaves tells whether keys lead to an element that the focus had not come to. One
// round is enough: what holds the focus holds it at every turn.
func (r *focusRun) leaves(ctx context.Context, keys []string) (bool, error) {
	for range min(r.out.Stops, maxTrap) + 1 {
		for _, key := range keys[:len(keys)-1] {
			if _, err := r.press(ctx, key); err != nil {
				return false, err
			}
		}
		s, err := r.press(ctx, keys[len(keys)-1])
		if err != nil {
			return false, err
		}
		if s.Kind == "none" || !s.Seen {
			return true, nil
		}
		if r.page.Tab.Doc().Seq != r.seq {
			return true, nil
		}
	}
	return false, nil
}

// maxTrap is how many presses are tried to get out.
const maxTrap = 10
