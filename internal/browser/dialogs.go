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

// kept is how many dialogs, and how many downloads, a tab remembers: a page may
// make any number of them.
const kept = 100

// Dialogs are the latest message boxes, oldest first. [Doc] counts them all.
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
	b.tab.counts.dialogs++
	b.tab.dialogs = append(b.tab.dialogs, d)
	if len(b.tab.dialogs) > kept {
		b.tab.dialogs = slices.Delete(b.tab.dialogs, 0, 1)
	}
	post(b.session, page.HandleJavaScriptDialog, answer)
}
