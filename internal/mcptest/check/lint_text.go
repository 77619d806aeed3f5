package check

import (
	"context"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// orders are texts that speak to the model instead of telling what something is for: as
// they were seen in attacks by tool descriptions, and rarely elsewhere.
var orders = []*lazyregexp.Regexp{
	lazyregexp.New(`(?i)\b(ignore|disregard|forget)\b[^.]{0,30}\b(previous|prior|earlier|above|system|user'?s?)\b[^.]{0,30}\b(instructions?|prompts?|messages?|rules)\b`),
	lazyregexp.New(`(?i)\b(do not|don't|never) (tell|inform|mention (this|it|that) to|let)\b[^.]{0,30}\buser\b`),
	lazyregexp.New(`(?i)<(important|system|instructions?|secret)>`),
	lazyregexp.New(`(?i)\b(read|cat|open|copy|send|pass|include|attach|upload|append|give|provide|fetch|load)\b[^\n]{0,60}(\.ssh/|\bid_rsa\b|\.aws/credentials|/etc/(passwd|shadow))`),
}

// mostText bounds how deep texts are looked for.
const mostText = 64

// lintTexts looks for what people do not see, and for orders to the model, in everything
// that a model or a terminal is shown.
func (r *run) lintTexts(ctx context.Context, i item) {
	r.lintText(ctx, spot{i.subject(), i.pointer, i.fields}, 0)
}

// lintText looks at what a spot has for its evidence.
func (r *run) lintText(ctx context.Context, at spot, depth int) {
	if depth > mostText || ctx.Err() != nil {
		return
	}
	subject, pointer := at.subject, at.pointer
	switch v := at.evidence.(type) {
	case string:
		if c, hidden := unseen(v); hidden {
			r.add("text-control", spot{subject, pointer, fmt.Sprintf("U+%04X in %s", c, v)})
		}
		for _, order := range orders {
			if found := order.FindString(v); found != "" {
				r.add("text-instructs", spot{subject, pointer, found})
				return
			}
		}
	case []any:
		for n, one := range v {
			r.lintText(ctx, spot{subject, Under(pointer, strconv.Itoa(n)), one}, depth+1)
		}
	case map[string]any:
		for _, k := range keys(v) {
			if c, hidden := unseen(k); hidden {
				r.add("text-control", spot{subject, pointer, fmt.Sprintf("U+%04X in the key %s", c, k)})
			}
			r.lintText(ctx, spot{subject, Under(pointer, k), v[k]}, depth+1)
		}
	}
}

// unseen finds a character that is obeyed instead of shown: controls of terminals,
// marks that turn the direction of text, tag characters and zero-width spaces. What
// scripts and emoji need, such as joiners, is none.
func unseen(s string) (rune, bool) {
	var before rune
	for _, c := range s {
		switch {
		case c == '\n', c == '\t', c == '\r', c == utf8.RuneError:
		case c < 0x20, c >= 0x7f && c < 0xa0, c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069, c == 0x200b, c == 0xfeff:
			return c, true
		case c >= 0xe0000 && c <= 0xe007f && before != 0x1f3f4 && (before < 0xe0000 || before > 0xe007f): // flags of regions are made of them
			return c, true
		}
		before = c
	}
	return 0, false
}
