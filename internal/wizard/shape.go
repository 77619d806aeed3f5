package wizard

import "strings"

// shape is what a field's value looks like in the user data.
type shape int

const (
	shapeText shape = iota
	shapeNumber
	shapeInteger
	shapeBoolean
	shapeChoice  // one option
	shapeChoices // several options: a list
	shapeDate    // one ISO date, however many inputs the page has
	shapeFile
	shapeObject // a group
	shapeRows   // a repeatable group: a list of objects
)

// question is what fields and sub-fields have in common, seen as something to
// ask a person.
type question struct {
	id, label, fieldType string
	required             bool
	example              []byte
	notes                string
	traits               *Traits
}

func (f *Field) question() question {
	return question{f.FieldID, f.Label, f.FieldType, f.Required, f.ExampleValue, f.Notes, &f.Traits}
}

func (f *SubField) question() question {
	return question{f.FieldID, f.Title(), f.FieldType, f.Required, f.ExampleValue, f.Notes, &f.Traits}
}

// Title is the sub-field's label, or its id in words.
func (f *SubField) Title() string {
	if f.Label != "" {
		return f.Label
	}
	words := strings.TrimSpace(strings.ReplaceAll(f.FieldID, "_", " "))
	if words == "" {
		return f.FieldID
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// IsDate says whether the field is a group of inputs that make one date: its
// value is one ISO date.
func (f *Field) IsDate() bool {
	return f.FieldType == "group" && f.Format == "date" && !f.Repeatable
}

// DatePart is month, day or year: the part of the date that the sub-field of a
// date group holds, or empty.
func (f *SubField) DatePart() string {
	if f.Part != "" {
		return f.Part
	}
	return datePart(f.FieldID)
}

// datePart is the part that an id ends with.
func datePart(id string) string {
	for _, part := range []string{"month", "day", "year"} {
		if id == part || strings.HasSuffix(id, "_"+part) {
			return part
		}
	}
	return ""
}

func (f *Field) shape() shape {
	if f.FieldType != "group" {
		return f.question().shape()
	}
	switch {
	case f.Repeatable:
		return shapeRows
	case f.IsDate():
		return shapeDate
	}
	return shapeObject
}

func (q question) shape() shape {
	switch q.traits.Format {
	case "file":
		return shapeFile
	case "date":
		return shapeDate
	case "integer":
		return shapeInteger
	}
	if len(q.traits.Options) > 0 || q.traits.Multiple {
		if q.traits.Multiple {
			return shapeChoices
		}
		return shapeChoice
	}
	switch q.traits.Format {
	case "currency", "decimal", "percent", "range":
		return shapeNumber
	case "":
	default:
		return shapeText
	}
	switch q.fieldType {
	case "checkbox":
		return shapeBoolean
	case "number":
		return shapeNumber
	}
	return shapeText
}
