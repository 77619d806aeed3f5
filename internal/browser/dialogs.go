package browser

import (
	"slices"

	"github.com/chromedp/cdproto/page"
)

// Dialog is a message box of the page, and how it was answered.
type Dialog struct {
	// Type is alert, confirm, prompt or beforeunload.
	Type string
	// Message is the page's text.
	Message string
	// Answer is accepted or dismissed.
	Answer string
}

// DialogPolicy says how to answer message boxes. Alerts and the question
// whether to leave a page are always accepted. The zero value dismisses the rest.
type DialogPolicy struct {
	// Confirm accepts confirm boxes.
	Confirm bool
	// Prompt is the text for prompt boxes; nil dismisses them.
	Prompt *string
}

// SetDialogPolicy changes how message boxes are answered from now on.
func (t *Tab) SetDialogPolicy(p DialogPolicy) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.policy = p
}

// Dialogs are the message boxes so far, oldest first.
func (t *Tab) Dialogs() []Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.dialogs)
}

// dialogOpening answers at once: an open message box blocks the whole page.
func (b *branch) dialogOpening(e page.EventJavascriptDialogOpening) {
	answer := page.HandleJavaScriptDialogParams{Accept: true}
	switch e.Type {
	case page.DialogTypeConfirm:
		answer.Accept = b.tab.policy.Confirm
	case page.DialogTypePrompt:
		if answer.Accept = b.tab.policy.Prompt != nil; answer.Accept {
			answer.PromptText = *b.tab.policy.Prompt
		}
	}
	d := Dialog{Type: string(e.Type), Message: e.Message, Answer: "dismissed"}
	if answer.Accept {
		d.Answer = "accepted"
	}
	b.tab.dialogs = append(b.tab.dialogs, d)
	post(b.session, page.HandleJavaScriptDialog, answer)
}
