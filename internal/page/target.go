package page

// Target says where something is on the page. The zero value is nothing.
type Target struct {
	// Selector is read by Type's grammar. CSS pierces every shadow root and takes
	// :has-text('x'); the prefixes text=, label= and role= work in every type.
	Selector string `json:"selector,omitempty"`
	// Type is css, id, text, has-text, label, role or auto. Empty means auto: what
	// looks like CSS and matches is CSS, everything else is text.
	Type string `json:"type,omitempty"`
	// Alternatives are tried in order when Selector finds nothing usable.
	Alternatives []string `json:"alternatives,omitempty"`
	// Frame is the path of iframe selectors, outermost first.
	Frame []string `json:"-"`
	// Text is the visible text to fall back to, for buttons.
	Text string `json:"text,omitempty"`
}

// None tells whether the target names nothing.
func (t Target) None() bool {
	return t.Selector == "" && len(t.Alternatives) == 0 && t.Text == ""
}

// Sight is what one look at a target found.
type Sight struct {
	// Present: at least one element matches.
	Present bool `json:"present"`
	// Visible: a person can use it. An input that is only drawn by its label counts.
	Visible bool `json:"visible"`
	Enabled bool `json:"enabled"`
	// Count is the number of usable matches, or of all matches if none is usable.
	Count int `json:"count"`
	// Value is what the control holds now. In memory only: it may be private.
	Value string `json:"value"`
	// Used is the selector that matched.
	Used string `json:"used"`
}
