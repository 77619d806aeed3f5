package browser

import (
	"slices"
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

// answerDialog decides on a message box, writes it down, and gives the answer. The
// caller holds the lock.
func (t *Tab) answerDialog(kind, message string) (accept bool, text string) {
	accept = true
	switch kind {
	case "confirm":
		accept = t.policy.Confirm
	case "prompt":
		if accept = t.policy.Prompt != nil; accept {
			text = *t.policy.Prompt
		}
	}
	d := Dialog{Type: kind, Message: message, Answer: "dismissed"}
	if accept {
		d.Answer = "accepted"
	}
	t.counts.dialogs++
	t.dialogs = append(t.dialogs, d)
	if len(t.dialogs) > kept {
		t.dialogs = slices.Delete(t.dialogs, 0, 1)
	}
	return accept, text
}
