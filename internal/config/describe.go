package config

// Setting is one line of 'legwork config'.
type Setting struct {
	Name   string   `json:"name"`
	Value  string   `json:"value"`
	Origin string   `json:"origin"` // default, file PATH, .env NAME, environment NAME, command line
	Env    []string `json:"env"`
	Doc    string   `json:"doc"`
}

// Describe lists every setting in force, where it comes from and what it is for.
// Secrets show whether they are set, nothing more.
func (c *Config) Describe() []Setting {
	fields := fieldList()
	out := make([]Setting, 0, len(fields))
	for _, f := range fields {
		s := Setting{Name: f.name, Value: f.text(c), Origin: c.origins[f.name], Env: f.env, Doc: f.tag.Get("doc")}
		if f.secret && s.Value != "" {
			s.Value = "***"
		}
		if s.Origin == "" {
			s.Origin = "default"
		}
		out = append(out, s)
	}
	return out
}
