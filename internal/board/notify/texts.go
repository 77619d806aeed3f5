package notify

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/legwork-mcp/legwork/internal/board/words"
)

// template is one mail in one language. Slots are written {name}.
type template struct {
	Subject string `json:"subject"`
	Body    string `json:"body"`
}

//go:embed ja.json en.json
var files embed.FS

var catalogue = sync.OnceValue(load)

func load() map[words.Lang]map[string]template {
	all := map[words.Lang]map[string]template{}
	for _, l := range words.Langs {
		raw, err := files.ReadFile(string(l) + ".json")
		if err != nil {
			panic(err) // the files are embedded
		}
		texts := map[string]template{}
		if err := json.Unmarshal(raw, &texts); err != nil {
			panic(fmt.Sprintf("the mails %s.json: %v", l, err)) // fixed data; a test reads it
		}
		all[l] = texts
	}
	return all
}

// The templates that are no mail of their own.
const (
	footer     = "footer" // below mails that can be switched off
	digestMail = "digest"
)

const longestSlot = 80 // characters of a value in a mail

// render fills a template in. Values are cut and put on one line: a title that
// somebody chose can neither begin a header nor look like text of the board.
func render(lang words.Lang, name string, slots map[string]string) (subject, body string, err error) {
	t, ok := catalogue()[lang][name]
	if !ok {
		return "", "", fmt.Errorf("there is no mail %q in %s", name, lang)
	}
	if subject, err = fill(t.Subject, slots); err == nil {
		body, err = fill(t.Body, slots)
	}
	if err != nil {
		return "", "", fmt.Errorf("write the mail %s: %w", name, err)
	}
	return subject, body, nil
}

func fill(text string, slots map[string]string) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		slot, after, _ := strings.Cut(rest, "}")
		value, ok := slots[slot]
		if !ok {
			return "", fmt.Errorf("there is no value for {%s}", slot)
		}
		switch slot {
		case linesSlot, "url", "settings": // of the board's own
		default:
			value = oneLine(value)
		}
		b.WriteString(value)
		text = after
	}
}

// linesSlot is the only slot that holds lines, which this package wrote.
const linesSlot = "lines"

// oneLine makes a value short and harmless: no control characters, no characters
// that turn the direction of text or that nobody sees, no link.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "://", ":")
	if runes := []rune(s); len(runes) > longestSlot {
		return string(runes[:longestSlot-1]) + "…"
	}
	return s
}

// slotsOf are the names in a text, each once.
func slotsOf(text string) []string {
	var names []string
	for {
		_, rest, found := strings.Cut(text, "{")
		if !found {
			return names
		}
		slot, after, _ := strings.Cut(rest, "}")
		if !slices.Contains(names, slot) {
			names = append(names, slot)
		}
		text = after
	}
}
