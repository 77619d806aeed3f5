package suite

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// varying are the parts of texts that differ each time: times, ids, tokens, durations,
// ports, files that are made anew.
var varying = []*lazyregexp.Regexp{
	lazyregexp.New(`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?`),
	lazyregexp.New(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`),
	lazyregexp.New(`\b(19|20)\d{2}-\d{2}-\d{2}\b`),
	lazyregexp.New(`\b\d{1,2}:\d{2}:\d{2}\b`),
	lazyregexp.New(`\b\d+([.,]\d+)?\s?(ns|µs|us|ms|milliseconds|s|sec|seconds|minutes)\b`),
	lazyregexp.New(`\b(localhost|127\.0\.0\.1|\[::1\]):\d{2,5}\b`),
	lazyregexp.New(`(/tmp|/var/folders|/private/var)/[^\s"']+`),
	epoch,
}

// epoch are the seconds or milliseconds since 1970, from 2017 on.
var epoch = lazyregexp.New(`\b1[5-9]\d{8}(\d{3})?\b`)

// token is a word that may be an id: long, of letters and digits. Which is one, opaque
// says.
var token = lazyregexp.New(`[A-Za-z0-9_+/=-]{16,}`)

// opaque reports whether a word is an id or a token that somebody drew, not one that was
// thought of: it mixes digits into its letters.
func opaque(word string) bool {
	digits, letters, changes := 0, 0, 0
	var last bool
	for n, c := range word {
		digit := unicode.IsDigit(c)
		if digit {
			digits++
		} else if unicode.IsLetter(c) {
			letters++
		} else {
			continue
		}
		if n > 0 && digit != last {
			changes++
		}
		last = digit
	}
	return digits >= 2 && letters > 0 && changes >= 3 || letters == 0 && digits >= 16
}

// clock are names of members whose values differ each time, whatever they look like.
var clock = lazyregexp.New(`(^|_)(time|timestamp|date|at|ms|millis|duration|elapsed|latency|seconds|uptime|age|pid|port|nonce|token|etag|seed|session|cursor|ttl|expires|expiry|took)(_|$)`)

// clockName reports whether a member is named like a clock or a token.
func clockName(name string) bool { return clock.MatchString(snake(name)) }

// snake writes a name in lower case with underscores.
func snake(name string) string {
	var b strings.Builder
	for n, c := range name {
		if unicode.IsUpper(c) {
			if n > 0 {
				b.WriteByte('_')
			}
			c = unicode.ToLower(c)
		}
		if c == '-' || c == '.' {
			c = '_'
		}
		b.WriteRune(c)
	}
	return strings.ReplaceAll(b.String(), "__", "_")
}

// masked is a text with what varies replaced by a mark; false when nothing does.
func masked(s string) (string, bool) {
	out := s
	for _, v := range varying {
		out = v.ReplaceAllString(out, mark)
	}
	out = token.ReplaceAllStringFunc(out, func(word string) string {
		if opaque(word) {
			return mark
		}
		return word
	})
	return out, out != s
}

// mark stands for what varies.
const mark = "\x00"

// pattern is a regular expression for a masked text.
func pattern(text string) string {
	parts := strings.Split(text, mark)
	for n := range parts {
		parts[n] = regexp.QuoteMeta(parts[n])
	}
	return `(?s)^` + strings.Join(parts, `.+?`) + `$`
}

// differing are the pointers at which two values differ.
func differing(a, b any, pointer string, out map[string]bool) {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			out[pointer] = true
			return
		}
		for k, v := range x {
			other, there := y[k]
			if !there {
				out[pointer+"/"+escaper.Replace(k)] = true
				continue
			}
			differing(v, other, pointer+"/"+escaper.Replace(k), out)
		}
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			out[pointer] = true
			return
		}
		for n := range x {
			differing(x[n], y[n], pointer+"/"+itoa(n), out)
		}
	default:
		if !equal(a, b) {
			out[pointer] = true
		}
	}
}

func itoa(n int) string {
	b, err := json.Marshal(n)
	if err != nil {
		return "" // an int can be written
	}
	return string(b)
}
