package crawl

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
)

// maxRobots is how much of a robots.txt is read (RFC 9309, section 2.5: at least
// 500 kibibytes), maxRules how many of its rules are kept.
const (
	maxRobots = 500 << 10
	maxRules  = 10_000
)

// robots is what one robots.txt says to one crawler.
type robots struct {
	rules    []robotsRule
	all      bool   // everything is disallowed: the file could not be had
	why      string // that it could not
	delay    time.Duration
	sitemaps []string
}

type robotsRule struct {
	pattern
	allow bool
}

// parseRobots reads a robots.txt for the crawler with a product token, such as
// "CWACbot" (RFC 9309, section 2.2). Groups for the same crawler count as one; the
// groups for "*" count only when none names the crawler.
func parseRobots(text []byte, token string) *robots {
	var own, others robots
	named := false
	var group []string // of the crawlers that the next rules are for
	open := false      // more crawlers may be added
	r := &robots{}
	for _, line := range robotsLines(text) {
		field, value, ok := robotsField(line)
		if !ok {
			continue
		}
		switch field {
		case "user-agent":
			if !open {
				group = nil
			}
			group, open = append(group, strings.ToLower(value)), true
			named = named || matchesToken(value, token)
		case "sitemap":
			if len(r.sitemaps) < maxSitemaps {
				r.sitemaps = append(r.sitemaps, value)
			}
		case "allow", "disallow", "crawl-delay":
			open = false
			for _, agent := range group {
				switch {
				case agent == "*":
					others.add(field, value)
				case matchesToken(agent, token):
					own.add(field, value)
				}
			}
		}
	}
	if !named {
		own = others
	}
	r.rules, r.delay = own.rules, own.delay
	return r
}

// robotsLines cuts the text into its lines: a byte order mark is skipped, lines end
// in LF, CR or both, and what is beyond the limit is not read, nor the line that it
// cuts: half of "/private/old" can be "/".
func robotsLines(text []byte) []string {
	if len(text) > maxRobots {
		text = text[:maxRobots]
		text = text[:bytes.LastIndexAny(text, "\r\n")+1]
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' || r == '\r' })
}

func robotsField(line string) (field, value string, ok bool) {
	line, _, _ = strings.Cut(line, "#")
	field, value, ok = strings.Cut(line, ":")
	return strings.ToLower(strings.TrimSpace(field)), strings.TrimSpace(value), ok
}

// matchesToken compares a user-agent line with a product token. Only the token
// counts: sites also write versions, as in "CWACbot/1.0" (RFC 9309, section 2.2.1).
func matchesToken(agent, token string) bool {
	end := strings.IndexFunc(agent, func(r rune) bool {
		return !('a' <= r|0x20 && r|0x20 <= 'z') && r != '-' && r != '_'
	})
	if end >= 0 {
		agent = agent[:end]
	}
	return agent != "" && strings.EqualFold(agent, token)
}

func (r *robots) add(field, value string) {
	switch {
	case field == "crawl-delay":
		if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 && !math.IsInf(s, 0) {
			r.delay = time.Duration(min(s, 3600) * float64(time.Second))
		}
	case value == "" || len(r.rules) >= maxRules || len(value) > maxAddress:
	default:
		if value[0] != '/' && value[0] != '*' {
			value = "/" + value
		}
		r.rules = append(r.rules, robotsRule{newPattern(value), field == "allow"})
	}
}

// forbids is the reason for which an address may not be fetched.
func (r *robots) forbids() Reason {
	if r.all {
		return ReasonNoRobots
	}
	return ReasonRobots
}

// allows reports whether the path and query of an address may be fetched, and the
// pattern that decided, or why there is none: the longest that matches, of equal ones one that allows
// (RFC 9309, section 2.2.2).
func (r *robots) allows(a address) (ok bool, by string) {
	path := a.u.EscapedPath()
	if a.u.RawQuery != "" {
		path += "?" + a.u.RawQuery
	}
	if path == "/robots.txt" {
		return true, ""
	}
	if r.all {
		return false, r.why
	}
	ok = true
	length := -1
	for _, rule := range r.rules {
		n := len(rule.text)
		if n < length || n == length && (ok || !rule.allow) || !rule.match(path) {
			continue
		}
		ok, length, by = rule.allow, n, rule.text
	}
	return ok, by
}
