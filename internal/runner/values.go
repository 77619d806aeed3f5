package runner

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// answersOf turns one field's value into what the page sets: one answer, or one
// per part of a group that is no date.
func (r *run) answersOf(f *wizard.Field, given any) ([]page.Answer, error) {
	if f.FieldType != "group" || f.IsDate() {
		v, err := r.valueOf(f.Format, given)
		return []page.Answer{{Input: inputOf(f), Value: v}}, err
	}
	parts, ok := given.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("field %s: a group needs an object", f.FieldID)
	}
	var out []page.Answer
	for i := range f.SubFields {
		s := &f.SubFields[i]
		part, ok := parts[s.FieldID]
		if !ok || part == nil {
			continue
		}
		v, err := r.valueOf(s.Format, part)
		if err != nil {
			return nil, err
		}
		out = append(out, page.Answer{Input: subInputOf(f, s), Value: v})
	}
	return out, nil
}

// valueOf turns decoded JSON into what page.Answer takes.
func (r *run) valueOf(format string, v any) (any, error) {
	if path, ok := v.(string); ok && format == "file" {
		return []page.File{r.files[path]}, nil
	}
	switch v := v.(type) {
	case string, bool, json.Number:
		return v, nil
	case []any:
		return r.listOf(format, v)
	case map[string]any:
		f, err := fileOf(v)
		return []page.File{f}, err
	}
	return nil, fmt.Errorf("a value of type %T cannot be entered into a form", v)
}

// listOf is several options, or several files.
func (r *run) listOf(format string, items []any) (any, error) {
	var texts []string
	var files []page.File
	for _, it := range items {
		switch it := it.(type) {
		case map[string]any:
			f, err := fileOf(it)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		case string:
			if format == "file" {
				files = append(files, r.files[it])
				continue
			}
			texts = append(texts, it)
		case json.Number:
			texts = append(texts, it.String())
		default:
			return nil, fmt.Errorf("a list item of type %T cannot be entered into a form", it)
		}
	}
	if len(files) > 0 {
		return files, nil
	}
	return texts, nil
}

func fileOf(m map[string]any) (page.File, error) {
	name, _ := m["name"].(string)
	content, _ := m["content_base64"].(string)
	typ, _ := m["content_type"].(string)
	data, err := base64.StdEncoding.DecodeString(content)
	if err != nil || name == "" {
		return page.File{}, fmt.Errorf("a file needs a name and content_base64")
	}
	return page.File{Name: name, Type: typ, Data: data}, nil
}
