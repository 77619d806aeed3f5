package page

// Proof is what must hold on the page after the button. Each given part must;
// without any, the generic proof decides: another address, another heading,
// other fields.
type Proof struct {
	// URLPattern is a regular expression on the new address.
	URLPattern string
	// Heading is text of the new page's main heading.
	Heading string
	// Selector is an element of the new page.
	Selector Target
	// ErrorSelectors find the form's own error messages, besides the generic ones.
	ErrorSelectors []string
	// Fields are the fields of the page that is left.
	Fields []Target
	// Answers are what the page must still hold when the button is pressed. If it
	// does not, the button is not pressed: see [Step.Lost].
	Answers []Answer
	// Script presses the button by script, where no pointer could reach it.
	Script bool
	// Next are targets of the pages that may come, to be looked at in the same
	// moment as the new page.
	Next []Target
}

// The ways in which a page was left.
const (
	HowNavigation   = "navigation"
	HowSameDocument = "same-document"
	HowContent      = "content"
)

// Step is what a press of the button led to.
type Step struct {
	// Moved is true only when leaving the page was proved.
	Moved bool
	// Pressed is false when the button could not be pressed, so that nothing can have
	// come of it.
	Pressed bool
	// How is what changed: navigation, same-document, content, or nothing.
	How   string
	Place Place
	// Errors are the messages that the form shows.
	Errors []FormError
	// Dialogs are the texts of the JavaScript dialogs that came up.
	Dialogs []string
	// Alerts are those of them that ask nothing.
	Alerts []string
	// Message says why the page was not left, when the form itself does not.
	Message string
	// Lost are the answers that the page did not hold any more, so that the button
	// was not pressed.
	Lost []Outcome
	// Next is what was seen of the proof's next targets, or nil where the page
	// could not be looked at so soon.
	Next []Sight
	Ms   int
}

// FormError is one message of the form about what was entered.
type FormError struct {
	Text string `json:"text"`
	// Label and Selector name the control that the message is about, if one is.
	Label    string `json:"label"`
	Selector string `json:"selector"`
	// FieldIndex is the position of that control among the fields given, or -1.
	FieldIndex int `json:"index"`
}
