package practice

// choiceJSON and questionJSON are what the loan simulator's script draws.
type choiceJSON struct {
	Value     string `json:"value"` // the value attribute
	Means     string `json:"means"` // what conditions speak of
	Label     string `json:"label"`
	InputID   string `json:"input_id,omitempty"`
	Field     string `json:"field,omitempty"`
	Exclusive bool   `json:"exclusive,omitempty"`
	Chosen    bool   `json:"chosen,omitempty"`
}

type questionJSON struct {
	ID      string         `json:"id"`
	Kind    kind           `json:"kind"`
	Name    string         `json:"name"`
	Label   string         `json:"label"`
	Hint    string         `json:"hint,omitempty"`
	InputID string         `json:"input_id,omitempty"`
	Prefix  string         `json:"prefix,omitempty"`
	Suffix  string         `json:"suffix,omitempty"`
	Source  string         `json:"source,omitempty"`
	Value   string         `json:"value"`
	Choices []choiceJSON   `json:"choices,omitempty"`
	Shows   []need         `json:"shows,omitempty"`
	Sub     []questionJSON `json:"sub,omitempty"`
	Rows    [][]string     `json:"rows"`
	MaxRows int            `json:"max_rows,omitempty"`
}

// json describes a question with the answer that the server has, or else its
// default.
func (q question) json(a answers) questionJSON {
	v := questionJSON{
		ID: q.ID, Kind: q.Kind, Name: q.name(), Label: q.Label, Hint: q.Hint, InputID: q.InputID,
		Prefix: q.Prefix, Suffix: q.Suffix, Source: q.Source, Shows: q.Shows, Value: a.text(q.ID),
	}
	if v.Value == "" {
		v.Value = q.Default
	}
	for _, c := range q.Choices {
		v.Choices = append(v.Choices, choiceJSON{
			Value: c.attr(), Means: c.Value, Label: c.Label, InputID: c.InputID, Field: c.Field, Exclusive: c.Exclusive,
			Chosen: c.Field != "" && a.ticked(c.Field) || c.Value != "" && a.text(q.ID) == c.Value,
		})
	}
	if q.Kind == rowTable {
		v.Rows, v.MaxRows = q.rowLabels(a), maxLoans
		for _, sub := range q.Sub {
			v.Sub = append(v.Sub, sub.json(answers{}))
		}
	}
	return v
}

// rowLabels shows the stored rows as the table does.
func (q question) rowLabels(a answers) [][]string {
	rows := [][]string{}
	for _, row := range a.rows(q.ID) {
		var cells []string
		for _, sub := range q.Sub {
			cells = append(cells, sub.Prefix+answers(row).text(sub.ID)+sub.Suffix)
		}
		rows = append(rows, cells)
	}
	return rows
}
