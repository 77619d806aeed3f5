package login

import (
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// challenge is what a WWW-Authenticate header says (RFC 9110, 11.6.1; RFC 6750, 3; RFC
// 9728, 5.1).
type challenge struct {
	present  bool
	bearer   bool
	metadata string // resource_metadata
	scope    []string
	code     string // error
	text     string // error_description
}

// readChallenge reads the challenges of an answer. Those of the scheme Bearer count,
// and resource_metadata of any scheme.
func readChallenge(headers []string) challenge {
	c := challenge{present: len(headers) > 0}
	for _, one := range parseChallenges(strings.Join(headers, ", ")) {
		if c.metadata == "" {
			c.metadata = one.params["resource_metadata"]
		}
		if !strings.EqualFold(one.scheme, "bearer") || c.bearer {
			continue
		}
		c.bearer = true
		c.scope, c.code, c.text = strings.Fields(one.params["scope"]), one.params["error"], one.params["error_description"]
	}
	return c
}

// scheme is one challenge of a header.
type scheme struct {
	scheme string
	params map[string]string
}

// parseChallenges reads a list of challenges. Whatever is none is left out: a header
// that is half wrong still helps.
func parseChallenges(header string) []scheme {
	var out []scheme
	p := &scanner{header}
	for {
		p.skip(" \t,")
		word := p.token()
		if word == "" {
			if p.rest == "" {
				return out
			}
			p.rest = p.rest[1:]
			continue
		}
		p.skip(" \t")
		if !strings.HasPrefix(p.rest, "=") || len(out) == 0 {
			out = append(out, scheme{word, map[string]string{}})
			continue
		}
		p.rest = p.rest[1:]
		p.skip(" \t")
		name, value := strings.ToLower(word), p.value()
		if _, twice := out[len(out)-1].params[name]; !twice {
			out[len(out)-1].params[name] = value
		}
	}
}

type scanner struct{ rest string }

func (p *scanner) skip(set string) { p.rest = strings.TrimLeft(p.rest, set) }

// token reads the characters of a name (RFC 9110, 5.6.2).
func (p *scanner) token() string {
	end := strings.IndexFunc(p.rest, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) })
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

// value reads a quoted text, or what stands there up to the next comma.
func (p *scanner) value() string {
	if !strings.HasPrefix(p.rest, `"`) {
		end := strings.IndexAny(p.rest, " \t,")
		if end < 0 {
			end = len(p.rest)
		}
		value := p.rest[:end]
		p.rest = p.rest[end:]
		return value
	}
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '\\' && i+1 < len(p.rest):
			i++
			b.WriteByte(p.rest[i])
		case c == '"':
			p.rest = p.rest[i+1:]
			return b.String()
		default:
			b.WriteByte(c)
		}
	}
	p.rest = ""
	return b.String()
}

// noteChallenge makes the first step of each login.
func (l *Login) noteChallenge(ch wire.Challenge, c challenge) {
	s := Step{
		Name: StepChallenge, Outcome: OK, Method: "POST", URL: ch.URL, Status: ch.Status, Source: "MCP 2025-11-25, Authorization, Protected Resource Metadata Discovery Requirements",
		Facts: []Fact{
			{"request", ch.Method}, {"www-authenticate", strings.Join(ch.WWWAuthenticate, ", ")}, {"resource_metadata", c.metadata},
			{"scope", strings.Join(c.scope, " ")}, {"error", c.code}, {"error_description", c.text},
		},
		Detail: "The server wants authorization.",
	}
	switch {
	case !c.present && ch.Status == 401:
		s.Outcome, s.Detail = Warning, "The server answers 401 without WWW-Authenticate, which every 401 must have (RFC 9110, 15.5.2)."
	case ch.Status == 401 && c.metadata == "":
		s.Outcome, s.Detail = Warning, "The challenge names no resource_metadata, so that clients have to guess where the metadata is."
	case ch.Status == 403 && c.code == "":
		s.Outcome, s.Detail, s.Source = Warning, "The server answers 403 without error=\"insufficient_scope\", so that no client knows whether more scopes would help.", "MCP 2025-11-25, Authorization, Runtime Insufficient Scope Errors"
	}
	l.rec.add(s)
}
