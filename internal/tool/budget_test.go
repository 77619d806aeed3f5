package tool

import (
	"encoding/json"
	"strings"
	"testing"
)

// The cheap bound must never be less than what the result takes.
func TestTheCheapBoundIsNoLess(t *testing.T) {
	for _, text := range []string{"", "plain", strings.Repeat("<&>", 1000), strings.Repeat("\x01\u2028\xff", 1000), strings.Repeat("\\\"\n", 1000)} {
		raw, err := json.Marshal(map[string]string{text: text})
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]*reply{
			"text": {text: text}, "both": {text: text, structured: raw, failed: true},
			"image": {text: text, images: []Image{{MIME: "image/png"}}}, "link": {links: []Link{{URI: text}}}, "note": {notes: []string{text}},
		} {
			if most, size := r.atMost(), r.size(); most < size {
				t.Errorf("%s of %.9q: at most %d, but it takes %d", name, text, most, size)
			}
		}
	}
}
