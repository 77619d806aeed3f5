package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Lang is a language of the board, as a BCP 47 tag.
type Lang string

// The languages. Japanese is the one of readers who state none of the two.
const (
	Ja Lang = "ja"
	En Lang = "en"
)

// Langs are all languages, the default first.
var Langs = []Lang{Ja, En}

//go:embed ja.json en.json
var files embed.FS

var catalogue = sync.OnceValue(load)

func load() map[Lang]map[string]string {
	all := map[Lang]map[string]string{}
	for _, l := range Langs {
		raw, err := files.ReadFile(string(l) + ".json")
		if err != nil {
			panic(err) // the files are embedded
		}
		texts := map[string]string{}
		if err := json.Unmarshal(raw, &texts); err != nil {
			panic(fmt.Sprintf("the catalogue %s.json: %v", l, err)) // fixed data; a test reads it
		}
		all[l] = texts
	}
	return all
}

// Parse returns the language of a tag such as "en" or "en-GB".
func Parse(tag string) (Lang, bool) {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	l := Lang(first)
	_, known := catalogue()[l]
	return l, known
}

// Match chooses the language for an Accept-Language header (RFC 9110, section
// 12.5.4): the known one with the greatest weight, Japanese when there is none.
func Match(header string) Lang {
	best, weight := Ja, 0.0
	for part := range strings.SplitSeq(header, ",") {
		tag, params, _ := strings.Cut(part, ";")
		l, known := Parse(tag)
		if !known {
			continue
		}
		w := 1.0
		if q, ok := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q="); ok {
			parsed, err := strconv.ParseFloat(q, 64)
			if err != nil {
				continue
			}
			w = parsed
		}
		if w > weight {
			best, weight = l, w
		}
	}
	return best
}

// Has reports whether the catalogue has a text for the key.
func (l Lang) Has(key string) bool { _, ok := catalogue()[l][key]; return ok }

// Say is the text of a key. Arguments are names and values in turn: {name} in
// the text becomes the value, {name|one|more} the first word when the value is
// 1 and otherwise the second. A key that the catalogue lacks is said as it is,
// so that a page shows the gap instead of hiding it.
func (l Lang) Say(key string, args ...any) string {
	text, ok := catalogue()[l][key]
	if !ok {
		return key
	}
	if !strings.Contains(text, "{") {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		slot, after, closed := strings.Cut(rest, "}")
		if !closed {
			b.WriteString("{" + rest)
			return b.String()
		}
		b.WriteString(fill(slot, args))
		text = after
	}
}

func fill(slot string, args []any) string {
	name, forms, plural := strings.Cut(slot, "|")
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] != name {
			continue
		}
		value := fmt.Sprint(args[i+1])
		if !plural {
			return value
		}
		one, more, _ := strings.Cut(forms, "|")
		if value == "1" {
			return one
		}
		return more
	}
	return "{" + slot + "}"
}
