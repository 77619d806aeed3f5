package suite

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // pictures of tools
	_ "image/jpeg" // pictures of tools
	_ "image/png"  // pictures of tools
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/mcptest/check"
)

// Failure is an expectation that does not hold.
type Failure struct {
	At       string `json:"at,omitempty"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

// Failures of one expectation, against a decoded result. own gives the tool's own output
// schema.
func (e Expectation) failures(result any, own func() (json.RawMessage, error)) []Failure {
	var out []Failure
	fail := func(expected, got string) { out = append(out, Failure{e.At, expected, got}) }
	v, there := at(result, e.At)
	if e.Exists != nil && *e.Exists != there {
		fail(map[bool]string{true: "something", false: "nothing"}[*e.Exists], orNothing(v, there))
	}
	if e.Exists != nil && !there {
		return out
	}
	if !there {
		fail("something", "nothing")
		return out
	}
	if kind := typeOf(v); e.Type != "" && e.Type != kind && (e.Type != "number" || kind != "integer") {
		fail("type "+e.Type, kind+" "+brief(v))
	}
	if len(e.Equals) > 0 {
		if want, err := decode(e.Equals); err != nil || !equal(want, v) {
			fail(shown(string(e.Equals)), brief(v))
		}
	}
	if why := e.sameAs(result, v); why != "" {
		fail("the same as "+e.SameAs, why)
	}
	if text, isText := v.(string); e.Matches != "" && (!isText || !regexp.MustCompile(e.Matches).MatchString(text)) {
		fail("a text that matches "+shown(e.Matches), brief(v))
	}
	if n, ok := size(v); e.Count != nil && (!ok || n != *e.Count) {
		fail(fmt.Sprintf("%d items", *e.Count), fmt.Sprintf("%d in %s", n, brief(v)))
	}
	if why := e.schema(v, own); why != "" {
		fail("what conforms to the schema", why)
	}
	return append(out, e.block(v)...)
}

func orNothing(v any, there bool) string {
	if !there {
		return "nothing"
	}
	return brief(v)
}

// sameAs compares a text that is JSON with another value.
func (e Expectation) sameAs(result, v any) string {
	if e.SameAs == "" {
		return ""
	}
	other, ok := at(result, e.SameAs)
	if !ok {
		return "there is nothing at " + e.SameAs
	}
	if text, isText := v.(string); isText {
		if read, err := decode([]byte(text)); err == nil && equal(read, other) {
			return ""
		}
	}
	if equal(v, other) {
		return ""
	}
	return brief(v)
}

func size(v any) (int, bool) {
	switch v := v.(type) {
	case []any:
		return len(v), true
	case map[string]any:
		return len(v), true
	}
	return 0, false
}

// schema says why a value does not conform; empty when it does.
func (e Expectation) schema(v any, own func() (json.RawMessage, error)) string {
	schema := e.Schema
	if len(schema) == 0 {
		return ""
	}
	if e.own() {
		var err error
		if schema, err = own(); err != nil {
			return err.Error()
		}
	}
	doc, s, _, err := compile(schema)
	if err != nil {
		return err.Error()
	}
	err = check.Conforms(s, doc, v)
	if errors.Is(err, check.ErrComplex) || errors.Is(err, check.ErrBroken) {
		return err.Error()
	}
	if err != nil {
		_, why, _ := strings.Cut(err.Error(), "\n")
		return shown(strings.Join(strings.Fields(why), " ") + " in " + brief(v))
	}
	return ""
}

// block compares a content block with what is expected of it.
func (e Expectation) block(v any) []Failure {
	var out []Failure
	fail := func(expected, got string) { out = append(out, Failure{e.At, expected, got}) }
	m, _ := v.(map[string]any)
	if e.Content != "" && m["type"] != e.Content {
		fail("a block of type "+e.Content, brief(m["type"]))
	}
	if e.Mime != "" && m["mimeType"] != e.Mime {
		fail("the type "+e.Mime, brief(m["mimeType"]))
	}
	if e.Width == 0 && e.Height == 0 && e.MinBytes == 0 && e.MaxBytes == 0 {
		return out
	}
	encoded, _ := m["data"].(string)
	if encoded == "" {
		encoded, _ = m["blob"].(string)
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(data) == 0 {
		fail("data in base64", brief(v))
		return out
	}
	if e.MinBytes > 0 && len(data) < e.MinBytes || e.MaxBytes > 0 && len(data) > e.MaxBytes {
		fail(fmt.Sprintf("%d to %d bytes (0 is no bound)", e.MinBytes, e.MaxBytes), fmt.Sprintf("%d bytes", len(data)))
	}
	if e.Width == 0 && e.Height == 0 {
		return out
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		fail("a picture in PNG, JPEG or GIF", err.Error())
	case e.Width > 0 && c.Width != e.Width || e.Height > 0 && c.Height != e.Height:
		fail(fmt.Sprintf("%d × %d pixels (0 is any)", e.Width, e.Height), fmt.Sprintf("%d × %d pixels", c.Width, c.Height))
	}
	return out
}

// mostShown is how much of a value is shown, in bytes.
const mostShown = 300

// brief is a value as JSON, bounded and harmless.
func brief(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return typeOf(v)
	}
	return shown(string(b))
}

// shown bounds a text, and writes what a terminal would obey as an escape.
func shown(s string) string {
	total := len(s)
	if total > mostShown {
		s = strings.ToValidUTF8(s[:mostShown], "")
	}
	var b strings.Builder
	for _, c := range s {
		if c == utf8.RuneError || c != ' ' && !unicode.IsGraphic(c) {
			fmt.Fprintf(&b, `\u%04x`, c)
			continue
		}
		b.WriteRune(c)
	}
	if total > mostShown {
		fmt.Fprintf(&b, " … (%d bytes)", total)
	}
	return b.String()
}
