package scout

import (
	"slices"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
)

// turns tells whether a button that led on does something else now.
func turns(was, is role) bool {
	bad := func(r role) bool {
		switch r {
		case roleBack, roleRemove, roleLogin, roleConsent, roleNever:
			return true
		}
		return false
	}
	return bad(is) && !bad(was)
}

// likeButton is the button that leads on when the wizard's is not there: the one
// with its words, or the one that most likely does.
func (s *survey) likeButton(text string) (page.Press, bool) {
	var list []page.Press
	for _, x := range s.inv.Buttons {
		if letters(x.Text) == letters(text) && letters(text) != "" && x.Enabled && len(x.Ways) > 0 {
			list = append(list, x)
		}
	}
	if len(list) == 1 {
		return list[0], true
	}
	x, ok := onward(s.inv.Buttons, slices.ContainsFunc(s.inv.Controls, asked))
	return x, ok && len(x.Ways) > 0
}

// likePress is the button that says what another one said, or the only one.
func (s *survey) likePress(words string, buttons []page.Press) (page.Press, bool) {
	best, top, second := page.Press{}, 0.0, 0.0
	for _, b := range buttons {
		if len(b.Ways) == 0 {
			continue
		}
		w := sameWords(words, b.Text)
		if w > top {
			best, top, second = b, w, top
		} else if w > second {
			second = w
		}
	}
	if top > second {
		return best, true
	}
	if len(buttons) == 1 && len(buttons[0].Ways) > 0 {
		return buttons[0], true
	}
	return page.Press{}, false
}

// ambiguous tells whether a press failed because several elements match.
func ambiguous(err error) bool { return err != nil && fault.From(err).Type == TypeAmbiguous }
