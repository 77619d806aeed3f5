package practice

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/url"
	"strings"
	"sync"
)

//go:embed templates
var templateFiles embed.FS

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(templateFiles, "templates/*.html"))
})

// fragment renders a named template as the body of a document.
func fragment(name string, data any) template.HTML {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // templates and their data are fixed; the tests render all of them
	}
	return template.HTML(b.String())
}

// choiceView is a choice as rendered.
type choiceView struct {
	choice
	AttrValue string
	Chosen    bool
}

// partView is one input of a date as rendered.
type partView struct {
	part
	Caption, Typed string
}

// questionView is a question with what the visitor typed so far.
type questionView struct {
	ID, Label, Hint, InputID, FormName, Prefix, Look string
	Kind                                             kind
	Choices                                          []choiceView
	PartViews                                        []partView
	Typed, Text, Error, ShowsJSON                    string
	Hidden                                           bool
}

// view prepares a question: typed holds what was posted, or else the earlier
// answers decide.
func (q question) view(a answers, typed url.Values, complaints []complaint) questionView {
	v := questionView{
		ID: q.ID, Label: q.Label, Hint: q.Hint, InputID: q.InputID, FormName: q.name(), Prefix: q.Prefix, Look: q.Look, Kind: q.Kind,
		Hidden: !q.asked(a), Typed: typed.Get(q.name()), Text: typed.Get(q.name() + typedSuffix),
	}
	if typed == nil {
		v.Typed = a.text(q.ID)
		v.Text = v.Typed
	}
	for _, c := range q.Choices {
		chosen := v.Typed != "" && v.Typed == c.attr()
		switch {
		case q.Kind == checks && typed != nil:
			chosen = typed.Get(c.Field) == "true"
		case q.Kind == checks:
			chosen = a.ticked(c.Field)
		}
		v.Choices = append(v.Choices, choiceView{c, c.attr(), chosen})
	}
	for _, p := range q.Parts {
		value := typed.Get(p.Name)
		if typed == nil {
			value = a.text(p.Field)
		}
		v.PartViews = append(v.PartViews, partView{p, strings.ToUpper(p.Label[:1]) + p.Label[1:], value})
	}
	for _, c := range complaints {
		if c.ID == q.ID && v.Error == "" {
			v.Error = c.Text
		}
	}
	v.ShowsJSON = "[]"
	if len(q.Shows) > 0 {
		b, _ := json.Marshal(q.Shows) // strings only
		v.ShowsJSON = string(b)
	}
	return v
}
