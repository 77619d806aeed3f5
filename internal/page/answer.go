package page

import (
	"encoding/json"
	"maps"
	"math/big"
	"strconv"
	"strings"
)

// Kind is the widget that a field is thought to be. The element itself decides;
// the kind settles what the element leaves open.
type Kind string

// The kinds of widgets.
const (
	KindText      Kind = "text"
	KindNumber    Kind = "number"
	KindTextarea  Kind = "textarea"
	KindSelect    Kind = "select"
	KindRadio     Kind = "radio"
	KindCheckbox  Kind = "checkbox"
	KindTypeahead Kind = "typeahead"
	KindDate      Kind = "date"
	KindFile      Kind = "file"
	KindRange     Kind = "range"
	KindRichText  Kind = "richtext"
	KindGroup     Kind = "group"
	KindSearch    Kind = "search"
)

// Option is one answer of a choice: the value that user data carries, the label
// that the page shows, and the option's own input where it is known.
type Option struct {
	Value     string `json:"value"`
	Label     string `json:"label,omitempty"`
	Selector  string `json:"selector,omitempty"`
	Exclusive bool   `json:"exclusive,omitempty"`
}

// Input is one field of the page.
type Input struct {
	ID      string   `json:"id"`
	Label   string   `json:"label,omitempty"`
	Target  Target   `json:"target"`
	Kind    Kind     `json:"kind,omitempty"`
	Options []Option `json:"options,omitempty"`
	// Multiple says that the answer is a list of options.
	Multiple bool `json:"multiple,omitempty"`
	// Format is the meaning of the value (date, month, time, currency, ...).
	Format string `json:"format,omitempty"`
	// Mask is how the page shows the value, for example MM/DD/YYYY.
	Mask string `json:"mask,omitempty"`
	// Parts are the month, day and year controls of a date.
	Parts map[string]Target `json:"parts,omitempty"`
	// Keys says that the field reacts to Enter.
	Keys bool `json:"keys,omitempty"`
	// Hide blurs the field in pictures.
	Hide bool `json:"-"`
}

// Answer is a field with the value that it shall hold: a string, bool,
// json.Number or number, []string, File or []File; a map of part to value for a
// group. The state is set, never toggled.
type Answer struct {
	Input
	Value any `json:"value"`
}

// MarshalJSON writes numbers as their digits: a script would round what has more than
// 15 of them.
func (a Answer) MarshalJSON() ([]byte, error) {
	type plain Answer
	switch v := a.Value.(type) {
	case json.Number:
		a.Value = digits(v)
	case map[string]any:
		parts := maps.Clone(v)
		for name, part := range parts {
			if n, ok := part.(json.Number); ok {
				parts[name] = digits(n)
			}
		}
		a.Value = parts
	}
	return json.Marshal(plain(a))
}

// maxExponent is more than that of any number that a form takes.
const maxExponent = 400

// digits are a number as people write it, without an exponent.
func digits(n json.Number) string {
	text := strings.ToLower(string(n))
	mantissa, exponent, short := strings.Cut(text, "e")
	e, err := strconv.Atoi(exponent)
	number, ok := new(big.Rat).SetString(mantissa)
	if !short || err != nil || !ok || e > maxExponent || e < -maxExponent {
		return string(n)
	}
	_, fraction, _ := strings.Cut(mantissa, ".")
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil))
	if e < 0 {
		power.Inv(power)
	}
	out := number.Mul(number, power).FloatString(max(0, len(fraction)-e))
	if strings.Contains(out, ".") {
		out = strings.TrimSuffix(strings.TrimRight(out, "0"), ".")
	}
	return out
}

// File is an upload. Its bytes travel to the page; no path ever does.
type File struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
	Data []byte `json:"data"`
}

// State is how setting a field ended.
type State string

// The states of an outcome.
const (
	StateSet            State = "set"
	StateAlready        State = "already"
	StateHidden         State = "hidden"
	StateNotFound       State = "not_found"
	StateAmbiguous      State = "ambiguous"
	StateOptionNotFound State = "option_not_found"
	StateValueMismatch  State = "value_mismatch"
	StateDisabled       State = "disabled"
	StateReadOnly       State = "readonly"
)

// OK tells whether the field holds its value.
func (s State) OK() bool { return s == StateSet || s == StateAlready }

// The ways in which a value got into the page.
const (
	ViaSet   = "set"   // by script, with the events of typing
	ViaClick = "click" // by a trusted click
	ViaKeys  = "keys"  // by trusted key presses
)

// Outcome is what became of one answer.
type Outcome struct {
	ID    string `json:"id"`
	State State  `json:"state"`
	// Used is the selector that worked: not the first one means the page moved on.
	Used string `json:"used"`
	Via  string `json:"via"`
	// Got is the value read back. In memory only: it may be private.
	Got string `json:"got"`
	// Candidates are the options there were, or the elements that matched.
	Candidates []string `json:"candidates"`
	// Message says in words what went wrong, without the value.
	Message string `json:"message"`
	// Wants is the type of value that a calendar takes instead of the one day that was
	// picked in it: "interval", "datetime-local" or "time"; "" when it takes a day.
	Wants string `json:"wants"`
	Ms    int    `json:"ms"`
}

// String leaves out the value that was read back, so that no log shows it.
func (o Outcome) String() string {
	return o.ID + ": " + string(o.State)
}
