package browser

import (
	"context"
	"errors"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
)

// answerPrompt answers the message box that is open, if one is. The protocol does not
// tell of what kind it is, only that text can be written into a prompt. To dismiss an
// alert is all that can be done with it, so that what is no prompt is answered as a
// confirm box; the page's document knows afterwards which it was, unless it made the
// box before it was looked at for the first time. The caller has the turn.
func (t *webkitTab) answerPrompt(ctx context.Context) error {
	message, err := t.session.AlertText(ctx)
	if errors.Is(err, webdriver.NoSuchAlert) {
		return nil
	}
	if err != nil {
		return err
	}
	t.mu.Lock()
	policy := t.policy
	t.mu.Unlock()
	kind, accept, text := "confirm", policy.Confirm, ""
	if policy.Prompt != nil {
		text = *policy.Prompt
	}
	if t.session.SendAlertText(ctx, text) == nil {
		kind, accept = "prompt", policy.Prompt != nil
	}
	if accept {
		err = t.session.AcceptAlert(ctx)
	} else {
		err = t.session.DismissAlert(ctx)
	}
	if err != nil && !errors.Is(err, webdriver.NoSuchAlert) {
		return err
	}
	if kind != "prompt" {
		var said string
		if t.session.Execute(ctx, boxScript, &said, scriptCall{Key: t.key}) == nil && said != "" {
			kind = said
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.answerDialog(kind, message)
	t.changed()
	return nil
}
