package scout

import (
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// The kinds of findings.
const (
	FoundSelector  = "selector"         // a selector does not lead to what it is for
	FoundField     = "field_new"        // the page asks something that the wizard does not have
	FoundGone      = "field_gone"       // a field of the wizard is not on its page
	FoundHidden    = "field_not_shown"  // a field is not shown although its condition holds
	FoundOption    = "option_new"       // the page offers another answer
	FoundNoOption  = "option_gone"      // the page does not offer an answer any more
	FoundLabel     = "label_changed"    // of a field or an option
	FoundRequired  = "required_changed" // whether an answer must be given
	FoundKind      = "kind_changed"     // another widget
	FoundLimits    = "limits_changed"   // what values the page takes
	FoundRefused   = "example_refused"  // the form does not take the example value
	FoundButton    = "button_changed"   // the words of the button that leads on
	FoundHeading   = "heading_changed"  // the title of a page
	FoundOrigin    = "origin_changed"   // a page is served from elsewhere
	FoundProof     = "advance_changed"  // what should prove that a page was left
	FoundPage      = "page_new"         // a page that the wizard does not have
	FoundNoPage    = "page_gone"        // a page of the wizard did not come
	FoundEntry     = "entry_changed"    // the way in
	FoundNotPassed = "page_not_left"    // a page could not be left
	FoundActs      = "button_submits"   // a button that should lead on seems to have submitted
)

// The ways in which a selector fails.
const (
	failsNothing = "nothing"
	failsSeveral = "several"
	failsHidden  = "hidden"
	failsOther   = "other"
	failsDecoy   = "decoy"
)

// Finding is one thing on which the wizard and its form do not agree.
type Finding struct {
	Kind  string `json:"kind"`
	Page  int    `json:"page_number,omitempty"` // of the wizard, 0 before the first
	Title string `json:"page_title,omitempty"`
	// FieldID is empty for what belongs to the page, such as its button.
	FieldID string `json:"field_id,omitempty"`
	Label   string `json:"label,omitempty"`
	Option  string `json:"option,omitempty"`
	// Selector is the one that failed, Fails how: nothing, several, hidden, other
	// or decoy.
	Selector string `json:"selector,omitempty"`
	Fails    string `json:"fails,omitempty"`
	// Works is the first other way that leads there.
	Works *Works `json:"works,omitempty"`
	// Passed are other ways that were not taken, and why.
	Passed []string `json:"passed_over,omitempty"`
	Was    string   `json:"was,omitempty"`
	Is     string   `json:"is,omitempty"`
	// Required: a new field must be answered.
	Required bool `json:"required,omitempty"`
	// When is the condition under which a new page comes; nil means that it came in
	// every branch that was gone through.
	When *wizard.Condition `json:"visible_when,omitempty"`
	// Breaks: a run fails by it, or cannot give what the form needs.
	Breaks bool `json:"breaks"`
	// Message is the finding in words.
	Message string `json:"message"`
}

// Works is a selector that leads to what another one no longer finds.
type Works struct {
	Selector string   `json:"selector"`
	Frame    []string `json:"frame,omitempty"`
	// From is alternative (of the wizard, with its number) or page.
	From   string `json:"from"`
	Number int    `json:"number,omitempty"`
	// Score says how likely the selector lasts: 0 to 100.
	Score int `json:"score"`
}

// about tells two findings apart.
func (f Finding) about() string {
	return strings.Join([]string{f.Kind, fmt.Sprint(f.Page), f.FieldID, f.Option, f.Selector, f.Is}, "\x00")
}

// where is the part of the form in words.
func (f Finding) where() string {
	var parts []string
	if f.Page > 0 {
		parts = append(parts, fmt.Sprintf("page %d", f.Page))
	}
	if f.FieldID != "" {
		parts = append(parts, f.FieldID)
	}
	if len(parts) == 0 {
		return "the way in"
	}
	return strings.Join(parts, ", ")
}
