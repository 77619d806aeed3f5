package wizard

import (
	"encoding/json"
	"slices"
	"time"
)

// Wizard is one public form: where it starts, its pages in order, and how to
// tell that it answered. The keys up to Pages are the reference format v1.1;
// the others are optional keys of v1.2 that readers of v1.1 ignore.
type Wizard struct {
	WizardID         string       `json:"wizard_id"`
	Name             string       `json:"name"`
	URL              string       `json:"url"`
	DiscoveredAt     time.Time    `json:"discovered_at"`
	DiscoveryVersion string       `json:"discovery_version"`
	TotalPages       int          `json:"total_pages"`
	StartAction      *StartAction `json:"start_action,omitempty"`
	Pages            []Page       `json:"pages"`

	// Description tells a person what the form answers.
	Description string `json:"description,omitempty"`
	// EstimatedSeconds is about how long one execution takes.
	EstimatedSeconds int `json:"estimated_seconds,omitempty"`
	// EntrySteps are clicks before the first page, in order, after StartAction.
	EntrySteps []EntryStep `json:"entry_steps,omitempty"`
	// Results says what to read from the answer page.
	Results []ResultRule `json:"results,omitempty"`
	// SuccessWhen must hold, all of it, for a run to count as answered.
	SuccessWhen []Check `json:"success_when,omitempty"`
	// Browser says which engine the form needs.
	Browser *BrowserNeed `json:"browser,omitempty"`
	// AllowedOrigins are the origins besides URL's own that the form may use.
	// Empty means any public origin.
	AllowedOrigins []string `json:"allowed_origins,omitempty"`
	// Dialogs says how to answer the form's own JavaScript dialogs.
	Dialogs *DialogPolicy `json:"dialogs,omitempty"`
	// Practice marks a local replica: its answers are not official.
	Practice bool `json:"practice,omitempty"`

	// Extra keeps the keys that this version does not know, for a rewrite.
	Extra map[string]json.RawMessage `json:"-"`
}

// StartAction is the click that leaves the landing page, in the words of v1.1.
type StartAction struct {
	Description  string `json:"description"`
	Selector     string `json:"selector"`
	SelectorType string `json:"selector_type,omitempty"` // text (default), id, css, auto

	Extra map[string]json.RawMessage `json:"-"`
}

// EntryStep is one click before the first page.
type EntryStep struct {
	Description  string `json:"description,omitempty"`
	Selector     string `json:"selector"`
	SelectorType string `json:"selector_type,omitempty"` // auto (default), text, id, css, label, role
	// Optional steps are skipped when the element is not there (a cookie banner).
	Optional bool `json:"optional,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// Page is one step of the form.
type Page struct {
	PageNumber     int         `json:"page_number"`
	PageTitle      string      `json:"page_title"`
	URLPattern     string      `json:"url_pattern,omitempty"`
	Fields         []Field     `json:"fields"`
	ContinueButton Button      `json:"continue_button"`
	Validation     *Validation `json:"validation,omitempty"`

	// VisibleWhen says for which answers the page comes; empty means always.
	VisibleWhen *Condition `json:"visible_when,omitempty"`
	// Advance proves that the page was left; empty means the generic proof.
	Advance *Advance `json:"advance,omitempty"`
	// ErrorSelectors find the page's own error messages, besides the generic ones.
	ErrorSelectors []string `json:"error_selectors,omitempty"`
	// Submits marks the page whose Continue is the real-world act.
	// The last page always is one.
	Submits bool `json:"submits,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// Button leads from one page to the next.
type Button struct {
	Text         string   `json:"text"`
	Selector     string   `json:"selector"`
	SelectorType string   `json:"selector_type,omitempty"` // css (default), text, id, auto, label, role
	Frame        []string `json:"frame,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// Validation is v1.1's hint about a page's own errors.
type Validation struct {
	ErrorSelector  string   `json:"error_selector,omitempty"`
	RequiredFields []string `json:"required_fields,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// Field is one question. Its FieldID is the property name in the contract.
type Field struct {
	Label                string   `json:"label"`
	FieldID              string   `json:"field_id"`
	Selector             string   `json:"selector"`
	SelectorAlternatives []string `json:"selector_alternatives,omitempty"`
	FieldType            string   `json:"field_type"`  // text number radio select typeahead checkbox group textarea search
	Interaction          string   `json:"interaction"` // fill click select javascript_click fill_enter
	Required             bool     `json:"required"`
	// ExampleValue is a string, object or array (v1.1); v1.2 also takes numbers and booleans.
	ExampleValue         json.RawMessage `json:"example_value"`
	Notes                string          `json:"notes,omitempty"`
	SubFields            []SubField      `json:"sub_fields,omitempty"`
	Repeatable           bool            `json:"repeatable,omitempty"`
	AddButtonSelector    string          `json:"add_button_selector,omitempty"`
	RemoveButtonSelector string          `json:"remove_button_selector,omitempty"`
	MinInstances         int             `json:"min_instances,omitempty"`
	MaxInstances         int             `json:"max_instances,omitempty"`

	Traits

	// SaveButtonSelector stores a repeatable row (default: the visible button "Save").
	SaveButtonSelector string `json:"save_button_selector,omitempty"`
	// RowSelector matches one element per stored row, to prove that a row was added.
	RowSelector string `json:"row_selector,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// SubField is one input of a group: a row's cell or a part of a date.
type SubField struct {
	FieldID      string          `json:"field_id"`
	Selector     string          `json:"selector"`
	FieldType    string          `json:"field_type"`
	Interaction  string          `json:"interaction"`
	ExampleValue json.RawMessage `json:"example_value"`
	Notes        string          `json:"notes,omitempty"`

	// Label, Required: v1.2. A sub-field of v1.1 is optional and named by its id.
	Label    string `json:"label,omitempty"`
	Required bool   `json:"required,omitempty"`
	// Part is month, day or year inside a group with format "date". Empty: the
	// part that the sub-field's id ends with.
	Part string `json:"part,omitempty"`

	Traits

	Extra map[string]json.RawMessage `json:"-"`
}

// Traits are the v1.2 keys that fields and sub-fields share.
type Traits struct {
	// Description is one sentence for whoever collects the value.
	Description string `json:"description,omitempty"`
	// Options are all answers of a radio, select, checkbox group or typeahead.
	Options []Option `json:"options,omitempty"`
	// Multiple allows several options at once: the value is an array.
	Multiple bool `json:"multiple,omitempty"`
	// VisibleWhen says for which answers the field is on the page; nil means always.
	VisibleWhen *Condition `json:"visible_when,omitempty"`
	// RequiredWhen makes an optional field required.
	RequiredWhen *Condition `json:"required_when,omitempty"`
	// Frame is the path of iframe selectors, outermost first.
	Frame []string `json:"frame,omitempty"`
	// Format is the meaning and shape of the value: date, month, time, currency,
	// integer, decimal, percent, email, phone, ssn, zip, file, url, range, richtext.
	Format string `json:"format,omitempty"`
	// InputMask is how the page itself shows the value, e.g. MM/DD/YYYY.
	InputMask string `json:"input_mask,omitempty"`
	// MaskInScreenshots blurs the field in every picture.
	MaskInScreenshots bool `json:"mask_in_screenshots,omitempty"`
	// ExclusiveGroup: checkboxes with the same name exclude the one marked Exclusive.
	ExclusiveGroup string `json:"exclusive_group,omitempty"`
	// Exclusive marks the "none of these" checkbox of its ExclusiveGroup.
	Exclusive bool `json:"exclusive,omitempty"`
	// MustBeTrue is a checkbox without which the form does not go on, such as a
	// consent. A required checkbox without it must be answered, by true or false.
	MustBeTrue bool `json:"must_be_true,omitempty"`

	Pattern   string   `json:"pattern,omitempty"` // ECMA 262, anchored by the author
	MinLength *int     `json:"min_length,omitempty"`
	MaxLength *int     `json:"max_length,omitempty"`
	Minimum   *float64 `json:"minimum,omitempty"`
	Maximum   *float64 `json:"maximum,omitempty"`
}

// Option is one answer of a choice.
type Option struct {
	// Value is what the contract's enum holds and user data carries.
	Value string `json:"value"`
	// Label is what the page shows.
	Label string `json:"label,omitempty"`
	// Selector finds the option's own input (radio, checkbox); empty: by value or label.
	Selector string `json:"selector,omitempty"`
	// Exclusive options clear all others.
	Exclusive bool `json:"exclusive,omitempty"`
	// AvailableWhen says for which answers the page offers the option; nil means always.
	AvailableWhen *Condition `json:"available_when,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// Condition is a statement about the answers. Exactly one of FieldID (with Op),
// All, Any and Not is set. A field without an answer (absent, null, blank, an
// empty list) equals nothing; not_equals and not_in are the plain negations, so
// they hold for it. Numbers and the strings that spell them are the same answer;
// gt, gte, lt and lte also compare ISO dates.
type Condition struct {
	FieldID string          `json:"field_id,omitempty"`
	Op      string          `json:"op,omitempty"` // equals (default) not_equals in not_in present absent gt gte lt lte contains
	Value   json.RawMessage `json:"value,omitempty"`
	All     []Condition     `json:"all,omitempty"`
	Any     []Condition     `json:"any,omitempty"`
	Not     *Condition      `json:"not,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// Advance is the proof that a page was left. Each given part must hold.
type Advance struct {
	URLPattern string `json:"url_pattern,omitempty"` // regular expression on the new address
	Heading    string `json:"heading,omitempty"`     // text of the new page's main heading
	Selector   string `json:"selector,omitempty"`    // an element of the new page

	Extra map[string]json.RawMessage `json:"-"`
}

// ResultRule reads one value from the answer page. One of Selector, Label and
// Regex says where.
type ResultRule struct {
	Name     string `json:"name"`
	Label    string `json:"label,omitempty"`    // the term of a term/value pair
	Selector string `json:"selector,omitempty"` // the element whose text is the value
	Regex    string `json:"regex,omitempty"`    // on the page's text; group 1 is the value
	Type     string `json:"type,omitempty"`     // string (default) number currency integer date boolean
	Required bool   `json:"required,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// Check is a condition on the answer page. Each given part must hold.
type Check struct {
	URLPattern string `json:"url_pattern,omitempty"`
	Heading    string `json:"heading,omitempty"`
	Selector   string `json:"selector,omitempty"`
	Text       string `json:"text,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// BrowserNeed says which browser a form works in.
type BrowserNeed struct {
	Engine string `json:"engine,omitempty"` // chromium, chromium-headless-shell, firefox, webkit
	// Engines are those to try after it, in order, when the site refuses the visit
	// before anything was submitted.
	Engines []string `json:"engines,omitempty"`
	Headed  bool     `json:"headed,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

// Order is the engines to try, the first one first, each once. Empty means that the
// form has no wish.
func (b *BrowserNeed) Order() []string {
	if b == nil {
		return nil
	}
	var out []string
	for _, name := range append([]string{b.Engine}, b.Engines...) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// DialogPolicy answers the form's JavaScript dialogs.
type DialogPolicy struct {
	Confirm string `json:"confirm,omitempty"` // accept (default) or dismiss
	Prompt  string `json:"prompt,omitempty"`  // text to answer; empty dismisses

	Extra map[string]json.RawMessage `json:"-"`
}
