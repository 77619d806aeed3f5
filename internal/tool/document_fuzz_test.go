package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

// reference is the same judgement by the standard library's own tokens.
func reference(dec *json.Decoder, depth int) error {
	if depth > maxDepth {
		return ErrTooDeep
	}
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	open, ok := tok.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for dec.More() {
		if open == '{' {
			name, err := dec.Token()
			if err != nil {
				return err
			}
			if seen[name.(string)] {
				return errors.New("twice")
			}
			seen[name.(string)] = true
		}
		if err := reference(dec, depth+1); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

func judge(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := reference(dec, 0); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows")
	}
	return nil
}

// many is an object of so many members, the last with a name of its own choice.
func many(n int, last string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"m%d":%d,`, i, i)
	}
	return "{" + b.String() + `"` + last + `":0}`
}

// FuzzDocument holds this package's reading of JSON against the standard
// library's: both accept the same, and see the same values.
func FuzzDocument(f *testing.F) {
	for _, text := range []string{
		"", " ", "null", "nul", "true", " false ", "-1.5e+9", "01", "1 2", "{}x", "[]", "[ ]", "[1,]", `[1 , {"a" : [ ] } , "b"]`,
		`"a\"b\\"`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"a":{"a":1},"b":{"a":1}}`, "{\"\xff\":1,\"\xfe\":2}", "{\"\xff\":1,\"\ufffd\":2}",
		`{"\ud800":1,"\udfff":2}`, `{"é":1,"\u00e9":2}`, `{"a":1`, `{"a"}`, `{"a\\":1,"a\\":2}`, `{"a:1,":"}"}`, "\t{\r\n}\n", "\u00a0{}",
		many(few-1, "m0"), many(few, "m0"), many(few+1, "m0"), many(few+1, "m16"), many(few+1, "new"), many(3, "m1"),
		strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1),
		strings.Repeat("[", maxDepth) + "1" + strings.Repeat("]", maxDepth), strings.Repeat("[", maxDepth+1) + "1" + strings.Repeat("]", maxDepth+1),
		strings.Repeat(`{"a":`, maxDepth+1) + "1" + strings.Repeat("}", maxDepth+1),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := parseJSON(data)
		if want := judge(data); (err == nil) != (want == nil) {
			t.Fatalf("%q: %v, the standard library: %v", data, err, want)
		}
		if err != nil {
			return
		}
		var got, want any
		if err := json.Unmarshal(data, &want); err != nil {
			return // a number that no float64 holds
		}
		if err := json.Unmarshal(n.json(), &got); err != nil {
			t.Fatalf("%q became %q: %v", data, n.json(), err)
		}
		if !reflect.DeepEqual(want, got) { // go-cmp takes for ever with deep values
			t.Fatalf("%q became %q", data, n.json())
		}
		if !bytes.Equal(n.raw, bytes.TrimSpace(data)) {
			t.Fatalf("%q: the value is said to be %q", data, n.raw)
		}
		var members map[string]json.RawMessage
		_ = json.Unmarshal(data, &members) // what is no object has none
		if got := (Document{n}).Members(); !reflect.DeepEqual(members, got) {
			t.Fatalf("%q has the members %q, not %q", data, members, got)
		}
	})
}
