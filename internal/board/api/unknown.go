package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/nearest"
)

// unknownField is the code of a field or parameter that a route does not have. Left out
// in silence, a misspelt cap would make a key without one.
const unknownField = "unknown_field"

const (
	maxUnknown     = 10 // fields that one answer names
	maxUnknownName = 60 // bytes of a name that is repeated
)

// unknown are the names of a request that its route does not have.
type unknown struct {
	Fields []string `json:"fields"`
	// Known are those that the route has where the first of Fields is.
	Known []string `json:"known"`
}

// unknownMark begins the text of a decoding error that tells an unknown; see decode.
const unknownMark = "unknown_field "

// Error implements error. The text passes through huma, which keeps no types; see translate.
func (u *unknown) Error() string {
	raw, _ := json.Marshal(u) // two lists of strings
	return unknownMark + string(raw)
}

// problem is what the caller is told.
func (u *unknown) problem() *Problem {
	fields := make([]FieldError, 0, len(u.Fields))
	for _, f := range u.Fields {
		fields = append(fields, FieldError{f, unknownField})
	}
	p := invalid(fields...)
	first := u.Fields[0][strings.LastIndexByte(u.Fields[0], '.')+1:]
	switch meant := nearest.Name(first, u.Known); {
	case meant != "":
		p.Action = "Did you mean " + meant + "? Known are: " + strings.Join(u.Known, ", ") + "."
	case len(u.Known) == 0:
		p.Action = "Leave them out: the route has none."
	default:
		p.Action = "Leave them out. Known are: " + strings.Join(u.Known, ", ") + "."
	}
	return p
}

// unknownIn is what of a JSON body the type does not have; nil when that is nothing. As
// for the decoder, the case of names does not count. Credentials are known everywhere.
func unknownIn(data []byte, t reflect.Type) *unknown {
	var body any
	if json.Unmarshal(data, &body) != nil {
		return nil // decode has refused it
	}
	u := &unknown{}
	u.look(body, t, "")
	if len(u.Fields) == 0 {
		return nil
	}
	return u
}

func (u *unknown) look(v any, t reflect.Type, path string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch v := v.(type) {
	case []any:
		if t.Kind() != reflect.Slice {
			return
		}
		for _, one := range v {
			u.look(one, t.Elem(), path)
		}
	case map[string]any:
		if t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]() {
			u.members(v, t, path)
		}
	}
}

func (u *unknown) members(body map[string]any, t reflect.Type, path string) {
	known := fieldsOf(t, "json")
	for _, name := range slices.Sorted(maps.Keys(body)) {
		at := slices.IndexFunc(known, func(f field) bool { return strings.EqualFold(f.name, name) })
		switch {
		case at >= 0:
			u.look(body[name], known[at].of, path+known[at].name+".")
		case path == "" && slices.Contains(secretFields, name):
		default:
			u.add(path, name, known)
		}
	}
}

// add notes a name. Control characters are not repeated, and neither is more than the
// beginning of a long one.
func (u *unknown) add(path, name string, known []field) {
	if len(u.Fields) == maxUnknown {
		return
	}
	if len(u.Fields) == 0 {
		for _, f := range known {
			u.Known = append(u.Known, f.name)
		}
	}
	if len(name) > maxUnknownName {
		name = name[:maxUnknownName]
	}
	if name = path + strings.ToValidUTF8(printed(name), ""); !slices.Contains(u.Fields, name) {
		u.Fields = append(u.Fields, name)
	}
}

// printed is the text without control characters.
func printed(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, text)
}

// field is a member of a type by the name that its tag gives it.
type field struct {
	name string
	of   reflect.Type
}

// fieldsOf are the fields that a tag names, those of embedded types among them.
func fieldsOf(t reflect.Type, tag string) []field {
	var out []field
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get(tag), ",")
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			out = append(out, fieldsOf(f.Type, tag)...)
		case name != "" && name != "-":
			out = append(out, field{name, f.Type})
		}
	}
	return out
}

// checkQuery refuses parameters that the route does not have. The account that belongs
// to a key may be named in every query, the key in none.
func checkQuery(req *http.Request, r Route) error {
	if req.URL.RawQuery == "" {
		return nil
	}
	u := &unknown{}
	for _, name := range slices.Sorted(maps.Keys(req.URL.Query())) {
		if name == secretFields[1] {
			return problem(string(task.MissingCredentials), "A key is not taken from an address, which proxies and logs keep.",
				"Send it as Authorization: Bearer, and rotate it: this address may have been kept.")
		}
		if name != secretFields[0] && !slices.ContainsFunc(r.query, func(f field) bool { return f.name == name }) {
			u.add("", name, r.query)
		}
	}
	if len(u.Fields) > 0 {
		return u.problem()
	}
	return nil
}
