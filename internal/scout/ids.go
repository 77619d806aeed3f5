package scout

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
)

// ident names a control across visits of its page. Ways that are likely to last
// come first; without one the words of the page do.
func ident(c page.Control) string {
	frame := strings.Join(c.Frame, " ")
	if steady(c) {
		return frame + "|" + c.Ways[0].Selector
	}
	return frame + "|" + kindWord(c) + "|" + fold(c.Section) + "|" + fold(c.Group) + "|" + fold(c.Label)
}

// steady tells whether the control has a way that is likely to last.
func steady(c page.Control) bool { return len(c.Ways) > 0 && c.Ways[0].Score >= stableScore }

// loose names a control by its words alone, for pages whose ids and names change
// with every visit.
func loose(c page.Control) string {
	return strings.Join(c.Frame, " ") + "|" + kindWord(c) + "|" + fold(c.Group) + "|" + fold(c.Label)
}

// kindWord is the kind of a control in its names: whether a choice is typed into
// shows only when it is open, and what a calendar takes when it was used.
func kindWord(c page.Control) string {
	if c.Kind == page.KindTypeahead {
		return string(page.KindSelect)
	}
	if c.Type == typeInterval || c.Type == typeMoment {
		return string(page.KindDate)
	}
	return string(c.Kind)
}

// stableScore is the score of a selector that can be expected to be the same on
// the next visit.
const stableScore = 60

// plainMarks are the typographic marks that do not make another word.
var plainMarks = strings.NewReplacer("’", "'", "‘", "'", "\u00a0", " ")

// fold makes two spellings of the same words equal.
func fold(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(plainMarks.Replace(s)), " "))
}

// Bounds of ids that are made of words.
const (
	maxWords   = 6
	shortWords = 4
	maxID      = 60
)

// optionalMark is what labels say about being required or not.
var optionalMark = lazyregexp.New(`(?i)\s*[(\[]?\b(optional|required)\b[)\]]?\s*$|\s*[*＊※]+\s*$`)

// plainLabel is a label without its marks.
func plainLabel(s string) string {
	return strings.TrimSpace(optionalMark.ReplaceAllString(strings.TrimSpace(s), ""))
}

// baseID is the id that a control's names suggest: short labels read best, then
// the names that its author gave it.
func baseID(c page.Control) string {
	label := plainLabel(c.Label)
	if id := slug(label, maxWords); id != "" && wordCount(label) <= shortWords {
		return id
	}
	for _, name := range []string{c.Name, c.ID} {
		if id := nameID(name); id != "" {
			return id
		}
	}
	if id := slug(label, maxWords); id != "" {
		return id
	}
	if id := slug(plainLabel(c.Group), maxWords); id != "" {
		return id
	}
	return "field"
}

func wordCount(s string) int { return len(strings.Fields(s)) }

// slug spells the first words as an id, or gives nothing when the words have no
// Latin letters.
func slug(s string, words int) string {
	var out []string
	for _, w := range strings.FieldsFunc(plainLetters(fold(s)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' }) {
		w = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, w)
		if w != "" {
			out = append(out, w)
		}
		if len(out) == words {
			break
		}
	}
	return asID(strings.Join(out, "_"))
}

// plainLetters takes the accents off letters, so that they stay in ids: "Prénom" is
// prenom.
func plainLetters(s string) string {
	return strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l").Replace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(s))))
}

// asID makes a word a legal field id, or empty.
func asID(s string) string {
	s = strings.Trim(s, "_")
	if len(s) > maxID {
		s = strings.Trim(s[:maxID], "_")
	}
	if s == "" {
		return ""
	}
	if s[0] >= '0' && s[0] <= '9' {
		s = "field_" + s
	}
	return s
}

// opaque are names that say nothing: counters and random letters.
var opaque = lazyregexp.New(`(?i)^(q|f|field|input|mui|react|radix|mat|ng|ember|el|ctl|control|item|question|text|select|radio|checkbox|choice|option|answer)?[-_:]*[0-9]+[-_:a-z0-9]*$|[0-9a-f]{8,}|^:|\d{4,}`)

// nameID turns a name attribute such as birthYear or applicant[last-name] into an id.
func nameID(name string) string {
	if name == "" || opaque.MatchString(name) {
		return ""
	}
	var out strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				out.WriteByte('_')
			}
			out.WriteRune(unicode.ToLower(r))
			lower = false
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out.WriteRune(r)
			lower = true
		default:
			out.WriteByte('_')
			lower = false
		}
	}
	words := strings.FieldsFunc(out.String(), func(r rune) bool { return r == '_' })
	return asID(strings.Join(words, "_"))
}

// uniqueID gives the first free id among base, base with its group, and base
// with a number.
func uniqueID(base string, c page.Control, taken map[string]bool) string {
	if !taken[base] {
		return base
	}
	if g := slug(plainLabel(c.Group), shortWords); g != "" && g != base {
		if id := asID(g + "_" + base); !taken[id] {
			return id
		}
	}
	for n := 2; ; n++ {
		if id := asID(base) + "_" + strconv.Itoa(n); !taken[id] {
			return id
		}
	}
}
