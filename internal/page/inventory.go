package page

// Inventory is what a page offers to fill in and to press.
type Inventory struct {
	Controls []Control `json:"controls"`
	Buttons  []Press   `json:"buttons"`
	// Total is the true number of controls; radios that exclude each other are one.
	Total int `json:"total"`
}

// Control is one control as the page describes it.
type Control struct {
	Selector     string   `json:"selector"`
	Alternatives []string `json:"alternatives"`
	Tag          string   `json:"tag"`
	Type         string   `json:"type"`
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Kind         Kind     `json:"kind"`
	Label        string   `json:"label"`
	// Group is the question of the fieldset around the control.
	Group    string `json:"group"`
	Hint     string `json:"hint"`
	Visible  bool   `json:"visible"`
	Enabled  bool   `json:"enabled"`
	ReadOnly bool   `json:"readonly"`
	Required bool   `json:"required"`
	// Value is the prefilled value; never that of a password.
	Value        string          `json:"value"`
	Min          string          `json:"min"`
	Max          string          `json:"max"`
	Step         string          `json:"step"`
	Pattern      string          `json:"pattern"`
	MaxLength    int             `json:"maxlength"`
	InputMode    string          `json:"inputmode"`
	Autocomplete string          `json:"autocomplete"`
	Placeholder  string          `json:"placeholder"`
	Accept       string          `json:"accept"`
	Multiple     bool            `json:"multiple"`
	Options      []ControlOption `json:"options"`
}

// ControlOption is one option of a control.
type ControlOption struct {
	Value    string `json:"value"`
	Label    string `json:"label"`
	Selector string `json:"selector"`
	Disabled bool   `json:"disabled"`
}

// Press is something to press.
type Press struct {
	Selector string `json:"selector"`
	Text     string `json:"text"`
	Tag      string `json:"tag"`
	Type     string `json:"type"`
	Enabled  bool   `json:"enabled"`
	Href     string `json:"href"`
}
