package web

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// form is what a person typed into one form of a page, and what is wrong with
// it, so that the page can be shown again with both.
type form struct {
	Name   string
	Values url.Values
	Errors map[string]string // of the catalogue, by field; "" is the form as a whole
	List   []formError       // the same in the order of the page, for the summary
	shown  []shownField      // in the order of the page; it fills when the page is made
}

// shownField is a field of the page with the key of its label.
type shownField struct{ name, label string }

type formError struct{ ID, Text string }

// filled is a form with values and no errors yet.
func filled(name string, values url.Values) *form {
	return &form{Name: name, Values: values, Errors: map[string]string{}}
}

// Get is what was typed into a field.
func (f *form) Get(name string) string { return f.Values.Get(name) }

// wrong notes an error of a field; the first of a field stays.
func (f *form) wrong(field, key string) {
	if _, known := f.Errors[field]; !known {
		f.Errors[field] = key
	}
}

// ok reports whether nothing is wrong.
func (f *form) ok() bool { return len(f.Errors) == 0 }

// text is the text of a field, at most most characters, and at least one when it
// is needed.
func (f *form) text(field string, most int, need bool) string {
	v := strings.TrimSpace(f.Get(field))
	switch {
	case v == "" && need:
		f.wrong(field, "error.required")
	case utf8.RuneCountInString(v) > most:
		f.wrong(field, "error.too_long")
	}
	return v
}

// choice is the value of a field that must be one of some.
func (f *form) choice(field string, among []string) string {
	v := f.Get(field)
	if !slices.Contains(among, v) {
		f.wrong(field, "error.choose")
		return ""
	}
	return v
}

// Shown notes that the page has a field with a label, and writes nothing.
func (f *form) Shown(name, label string) string {
	f.shown = append(f.shown, shownField{name, label})
	return ""
}

// summary lists the errors for the head of the page: first what is wrong with the form
// as a whole, then each field with its label, in the order of the page.
func (f *form) summary(say func(string, ...any) string) {
	f.List = nil
	if key := f.Errors[""]; key != "" {
		f.List = append(f.List, formError{Text: say(key)})
	}
	listed := map[string]bool{"": true}
	for _, field := range f.shown {
		if key := f.Errors[field.name]; key != "" && !listed[field.name] {
			listed[field.name] = true
			f.List = append(f.List, formError{f.Name + "-" + field.name, say("errors.item", "label", say(field.label), "text", say(key))})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Errors)) {
		if !listed[name] {
			f.List = append(f.List, formError{Text: say(f.Errors[name])}) // the page does not show the field
		}
	}
}
