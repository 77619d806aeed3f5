package page

// Inventory is what a page offers to fill in and to press.
type Inventory struct {
	Controls []Control `json:"controls"`
	Buttons  []Press   `json:"buttons"`
	// Total and TotalButtons are the true numbers, whatever the limit was.
	Total        int `json:"total"`
	TotalButtons int `json:"totalButtons"`
	// Dialog is the heading or label of an open modal dialog, which then is all
	// that a person can use.
	Dialog string `json:"dialog"`
	// Headings are the visible headings in order.
	Headings []string `json:"headings"`
	// Drawn are the names of boxes to sign in by hand.
	Drawn []string `json:"drawn"`
	// Untested are frames that did not answer, each with the reason.
	Untested []string `json:"-"`
}

// Way is one way to find an element. Score says how likely it will still work
// tomorrow: 95 for an id that somebody chose, 10 for one that is counted up.
type Way struct {
	Selector string `json:"selector"`
	// Basis is id, name, testid, label, role, placeholder, autocomplete or path.
	Basis string `json:"basis"`
	Score int    `json:"score"`
}

// Control is one question as the page describes it.
type Control struct {
	// Selector is the best of Ways. Each way leads to this control alone.
	Selector string `json:"selector"`
	Ways     []Way  `json:"ways"`
	// Frame is the path of iframe selectors, outermost first.
	Frame []string `json:"-"`
	// ShadowPath are the elements in whose shadow roots the control is, outermost
	// first, as tag#id. Selectors look into them by themselves.
	ShadowPath []string `json:"shadow"`
	Class      string   `json:"class"`
	Tag        string   `json:"tag"`
	Type       string   `json:"type"`
	Role       string   `json:"role"`
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Kind       Kind     `json:"kind"`
	// Format is the meaning of the value, empty when that is not certain.
	Format string `json:"format"`
	Label  string `json:"label"`
	// Group is the question of the fieldset or set around the control, Hint its
	// description, Section the nearest heading above.
	Group    string `json:"group"`
	Hint     string `json:"hint"`
	Section  string `json:"section"`
	Visible  bool   `json:"visible"`
	Enabled  bool   `json:"enabled"`
	ReadOnly bool   `json:"readonly"`
	// Invalid: the page says that the answer is wrong.
	Invalid  bool `json:"invalid"`
	Required bool `json:"required"`
	// RequiredBy says how the page tells: attribute, aria, label or convention.
	RequiredBy string `json:"requiredBy"`
	// Optional: the label says so.
	Optional bool `json:"optional"`
	// Decoy says why this is no question for a person; empty for a real one.
	Decoy string `json:"decoy"`
	// Value is what the control holds already; never that of a password.
	Value   string `json:"value"`
	Checked bool   `json:"checked"`

	Limits

	Options      []ControlOption `json:"options"`
	OptionsTotal int             `json:"optionsTotal"`
	// OptionsKnown is false when options come only as the control is opened or
	// typed into: Choices reads them.
	OptionsKnown bool `json:"optionsKnown"`
	// Parts are the three controls of one date.
	Parts []Part `json:"parts"`
	// Set names the question that several checkboxes answer together.
	Set string `json:"set"`
	// Exclusive: by its words, this box of the set excludes the others.
	Exclusive bool `json:"exclusive"`
}

// Limits are what a control says about the values that it takes.
type Limits struct {
	Min          string `json:"min"`
	Max          string `json:"max"`
	Step         string `json:"step"`
	Pattern      string `json:"pattern"`
	MinLength    int    `json:"minlength"`
	MaxLength    int    `json:"maxlength"`
	InputMode    string `json:"inputmode"`
	Autocomplete string `json:"autocomplete"`
	Placeholder  string `json:"placeholder"`
	Accept       string `json:"accept"`
	// Mask is how the page writes the value, for example MM/DD/YYYY.
	Mask     string `json:"mask"`
	Multiple bool   `json:"multiple"`
}

// Part is the month, day or year control of a date.
type Part struct {
	Part     string          `json:"part"`
	Selector string          `json:"selector"`
	Ways     []Way           `json:"ways"`
	Label    string          `json:"label"`
	Kind     Kind            `json:"kind"`
	Options  []ControlOption `json:"options"`
}

// ControlOption is one answer that a choice offers. Options that only say that
// one must be chosen are left out.
type ControlOption struct {
	Value string `json:"value"`
	Label string `json:"label"`
	// Selector finds the option's own input (radio).
	Selector string `json:"selector"`
	Group    string `json:"group"`
	Disabled bool   `json:"disabled"`
	On       bool   `json:"on"`
}

// Press is something to press.
type Press struct {
	Selector string   `json:"selector"`
	Ways     []Way    `json:"ways"`
	Frame    []string `json:"-"`
	Text     string   `json:"text"`
	// Also is what it is called for people who do not see it, or under the
	// pointer, where that differs from Text.
	Also string `json:"also"`
	// Notice is the sentence of its form that says that pressing it submits;
	// empty when there is none.
	Notice string `json:"notice"`
	// ShadowPath is as for controls.
	ShadowPath []string `json:"shadow"`
	Class      string   `json:"class"`
	Tag        string   `json:"tag"`
	Type       string   `json:"type"`
	Role       string   `json:"role"`
	Href       string   `json:"href"`
	Enabled    bool     `json:"enabled"`
	// Primary: it looks like the main action of its form.
	Primary bool `json:"primary"`
	InForm  bool `json:"inForm"`
	// Asks: it sends a form by GET, which asks for a page and acts on nothing.
	Asks bool `json:"asks"`
	// Aside: its form is another one than the page is for, such as a newsletter's.
	Aside bool `json:"aside"`
	// Expanded is the state of what the button opens: true, false or empty.
	Expanded string `json:"expanded"`
}
