package runner

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// private are the answers to the fields that no picture may show, as a page may
// repeat them in its text: choices by their labels too, dates in the usual ways
// of writing them.
func private(w *wizard.Wizard, answers wizard.Answers) []string {
	var out []string
	for i := range w.Pages {
		for j := range w.Pages[i].Fields {
			f := &w.Pages[i].Fields[j]
			given := answers[f.FieldID]
			if f.MaskInScreenshots {
				out = append(out, texts(given, f.Traits)...)
			}
			for k := range f.SubFields {
				if s := &f.SubFields[k]; s.MaskInScreenshots || f.MaskInScreenshots {
					out = append(out, partTexts(given, s)...)
				}
			}
		}
	}
	return out
}

// partTexts are the texts of one part of a group, of every row of it.
func partTexts(given any, s *wizard.SubField) []string {
	switch v := given.(type) {
	case map[string]any:
		return texts(v[s.FieldID], s.Traits)
	case []any:
		var out []string
		for _, row := range v {
			out = append(out, partTexts(row, s)...)
		}
		return out
	}
	return nil
}

// texts are how a page may write one answer. The content of a file is none.
func texts(given any, t wizard.Traits) []string {
	if t.Format == "file" {
		return nil
	}
	switch v := given.(type) {
	case string:
		return append(written(v), labelsOf(v, t.Options)...)
	case json.Number:
		return []string{v.String()}
	case []any:
		var out []string
		for _, it := range v {
			out = append(out, texts(it, t)...)
		}
		return out
	}
	return nil
}

func labelsOf(value string, options []wizard.Option) []string {
	var out []string
	for _, o := range options {
		if o.Value == value && o.Label != "" {
			out = append(out, o.Label)
		}
	}
	return out
}

// dateForms are the ways in which pages write a date. Their case and the signs
// between the parts do not matter.
var dateForms = []string{
	"01/02/2006", "1/2/2006", "02/01/2006", "2/1/2006",
	"January 2, 2006", "January 02, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", "02 Jan 2006",
}

func written(value string) []string {
	value = strings.TrimSpace(value)
	out := []string{value}
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		for _, layout := range dateForms {
			out = append(out, day.Format(layout))
		}
	}
	return out
}
