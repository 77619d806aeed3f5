package crawl

import "strings"

// pattern is a path pattern of robots.txt (RFC 9309, section 2.2.3): it matches
// from the beginning, "*" stands for anything and a "$" at the end for the end.
type pattern struct {
	text   string // normal percent-encoding
	parts  []string
	anchor bool
}

func newPattern(s string) pattern {
	text := normalEscapes(escapeIllegal(s))
	body, anchor := strings.CutSuffix(text, "$")
	return pattern{text, strings.Split(body, "*"), anchor}
}

// match takes time in proportion to the path however many stars there are: every
// part is looked for once, as early as it can be.
func (p pattern) match(path string) bool {
	rest, ok := strings.CutPrefix(path, p.parts[0])
	if !ok {
		return false
	}
	middle := p.parts[1:]
	if len(middle) == 0 {
		return !p.anchor || rest == ""
	}
	last := middle[len(middle)-1]
	for _, part := range middle[:len(middle)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	if p.anchor {
		return strings.HasSuffix(rest, last)
	}
	return strings.Contains(rest, last)
}
