package practice

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// maxPosted bounds one posted form.
const maxPosted = 16 << 20

// widgetPost is a form as it arrived.
type widgetPost struct {
	values url.Values
	files  map[string][]*multipart.FileHeader
}

func readPosted(w http.ResponseWriter, r *http.Request) (widgetPost, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxPosted)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		if err := r.ParseMultipartForm(maxPosted); err != nil {
			return widgetPost{}, fmt.Errorf("parse multipart form: %w", err)
		}
		return widgetPost{values: url.Values(r.MultipartForm.Value), files: r.MultipartForm.File}, nil
	}
	if err := r.ParseForm(); err != nil {
		return widgetPost{}, fmt.Errorf("parse form: %w", err)
	}
	return widgetPost{values: r.PostForm}, nil
}

func (p widgetPost) get(name string) string { return strings.TrimSpace(p.values.Get(name)) }

// has says whether the form carried anything under a name.
func (p widgetPost) has(name string) bool {
	for _, v := range p.values[name] {
		if v != "" {
			return true
		}
	}
	return slices.ContainsFunc(p.files[name], func(f *multipart.FileHeader) bool { return f.Filename != "" })
}

// ask is one question of a widget page. Its id is the name that the page posts
// and the property that is recorded.
type ask struct {
	id, label string
	read      askReader
	page      int
	optional  bool
	when      func(widgetPost) bool
	names     []string // when the page posts other names than id
}

// askReader turns what was posted into the recorded value, or says what is wrong.
// A nil value without a message means that nothing was answered.
type askReader func(p widgetPost, id string) (value any, message string)

func (a ask) asked(p widgetPost) bool { return a.when == nil || a.when(p) }

func (a ask) onPage(n int) ask { a.page = n; return a }

func (a ask) onlyWhen(f func(widgetPost) bool) ask { a.when = f; return a }

func (a ask) maybe() ask { a.optional = true; return a }

func (a ask) postedAs(names ...string) ask { a.names = names; return a }

// checkAsks reads the answers of the pages up to step (0: all).
func checkAsks(asks []ask, p widgetPost, step int) (map[string]any, []widgetProblem) {
	data := map[string]any{}
	var problems []widgetProblem
	for _, a := range asks {
		if step > 0 && a.page > step {
			continue
		}
		value, message := a.read(p, a.id)
		switch {
		case !a.asked(p):
			if p.has(a.id) {
				problems = append(problems, widgetProblem{a.id, a.label + " was sent although the form did not ask for it"})
			}
		case message != "":
			problems = append(problems, widgetProblem{a.id, message})
		case value == nil && !a.optional:
			problems = append(problems, widgetProblem{a.id, "Answer the question: " + a.label})
		case value != nil:
			data[a.id] = value
		}
	}
	return data, problems
}

// extraNames are posted values that no question has: whoever sent them filled
// in something that a person would not have seen.
func extraNames(asks []ask, p widgetPost) map[string]any {
	known := map[string]bool{}
	for _, a := range asks {
		known[a.id] = true
		for _, name := range a.names {
			known[name] = true
		}
	}
	var extra map[string]any
	nonce := p.get("nonce") // the names of a page whose names change begin with it
	for name := range p.values {
		base, _, _ := strings.Cut(name, ".")
		if known[base] || known[name] || !p.has(name) || nonce != "" && strings.HasPrefix(name, nonce) {
			continue
		}
		if extra == nil {
			extra = map[string]any{}
		}
		extra[name] = p.values.Get(name)
	}
	return extra
}

// askText asks for a line of text, kept as it was typed.
func askText(id, label string) ask { return ask{id: id, label: label, read: readText(nil, "")} }

// askPattern asks for text of one shape.
func askPattern(id, label, expr, message string) ask {
	return ask{id: id, label: label, read: readText(regexp.MustCompile(expr), message)}
}

func readText(shape *regexp.Regexp, message string) askReader {
	return func(p widgetPost, id string) (any, string) {
		value := strings.ReplaceAll(p.values.Get(id), "\r\n", "\n")
		if strings.TrimSpace(value) == "" {
			return nil, ""
		}
		if shape != nil && !shape.MatchString(value) {
			return nil, message
		}
		return value, ""
	}
}

// askChoice asks for one of the values.
func askChoice(id, label string, values ...string) ask {
	return ask{id: id, label: label, read: func(p widgetPost, id string) (any, string) {
		value := p.values.Get(id)
		if value == "" {
			return nil, ""
		}
		if len(p.values[id]) > 1 || !slices.Contains(values, value) {
			return nil, "Select one of the answers to: " + label
		}
		return value, ""
	}}
}

// askChoices asks for any number of the values.
func askChoices(id, label string, values ...string) ask {
	return ask{id: id, label: label, read: func(p widgetPost, id string) (any, string) {
		picked := []any{}
		for _, v := range p.values[id] {
			if !slices.Contains(values, v) {
				return nil, "Select answers of the list: " + label
			}
			picked = append(picked, v)
		}
		if len(picked) == 0 {
			return nil, ""
		}
		return picked, ""
	}}
}

// askCheck asks for a checkbox, whose state is always an answer.
func askCheck(id, label string) ask {
	return ask{id: id, label: label, read: func(p widgetPost, id string) (any, string) {
		value := p.values.Get(id)
		return value != "" && value != "false", ""
	}}
}

// askDate asks for a day, recorded as YYYY-MM-DD. It is posted as one value in the
// layout, or as id.month, id.day and id.year when the layout is empty.
func askDate(id, label, layout string) ask {
	return ask{id: id, label: label, read: func(p widgetPost, id string) (any, string) {
		value, shape := p.get(id), layout
		if layout == "" {
			m, d, y := p.get(id+".month"), p.get(id+".day"), p.get(id+".year")
			if m+d+y == "" {
				return nil, ""
			}
			value, shape = y+"-"+m+"-"+d, "2006-1-2"
		}
		if value == "" {
			return nil, ""
		}
		day, err := time.Parse(shape, value)
		if err != nil {
			return nil, label + " must be a real date"
		}
		return day.Format(time.DateOnly), ""
	}}
}

// askRows asks for a table: id.0.cell, id.1.cell and so on.
func askRows(id, label string, limit int, cells ...ask) ask {
	return ask{id: id, label: label, read: func(p widgetPost, id string) (any, string) {
		list := []any{}
		for n := 0; ; n++ {
			row, sent := map[string]any{}, false
			for _, cell := range cells {
				name := fmt.Sprintf("%s.%d.%s", id, n, cell.id)
				value, message := cell.read(p, name)
				if message != "" {
					return nil, fmt.Sprintf("Row %d: %s", n+1, message)
				}
				if value == nil {
					continue
				}
				row[cell.id] = value
				sent = sent || p.has(name)
			}
			if !sent {
				break
			}
			if len(row) < len(cells) {
				return nil, fmt.Sprintf("Row %d: every part needs an answer", n+1)
			}
			list = append(list, row)
		}
		if len(list) > limit {
			return nil, fmt.Sprintf("Add at most %d rows", limit)
		}
		if len(list) == 0 {
			return nil, ""
		}
		return list, ""
	}}
}

// fileRule limits what a file question accepts.
type fileRule struct {
	many       bool
	maxBytes   int64
	extensions []string
}

// askFile asks for one file, or several when the rule says so. Its content is
// recorded as a hash.
func askFile(id, label string, rule fileRule) ask {
	return ask{id: id, label: label, read: func(p widgetPost, id string) (any, string) {
		list := []any{}
		for _, header := range p.files[id] {
			if header.Filename == "" {
				continue
			}
			entry, message := rule.inspect(header)
			if message != "" {
				return nil, message
			}
			list = append(list, entry)
		}
		switch {
		case len(list) == 0:
			return nil, ""
		case rule.many:
			return list, ""
		case len(list) > 1:
			return nil, "Upload one file only"
		}
		return list[0], ""
	}}
}

func (rule fileRule) inspect(header *multipart.FileHeader) (map[string]any, string) {
	name := strings.ToLower(header.Filename)
	suffix := func(s string) bool { return strings.HasSuffix(name, s) }
	if len(rule.extensions) > 0 && !slices.ContainsFunc(rule.extensions, suffix) {
		return nil, "The selected file must be a " + strings.Join(rule.extensions, " or ")
	}
	if rule.maxBytes > 0 && header.Size > rule.maxBytes {
		return nil, fmt.Sprintf("The selected file must be smaller than %d kB", rule.maxBytes/1000)
	}
	f, err := header.Open()
	if err != nil {
		return nil, "The selected file could not be read"
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, "The selected file could not be read"
	}
	return map[string]any{
		"name": header.Filename, "size": header.Size, "sha256": hex.EncodeToString(sum.Sum(nil)),
	}, ""
}
