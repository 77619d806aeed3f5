package results

import (
	"crypto/sha256"
	"crypto/sha3"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

const issueIDBytes = 5

// IssueID is CWAC's identity of an issue: SHAKE-256, five bytes, of the base URL as
// the input file has it, the rule, the element's whole markup, and the text of the
// viewport. Equal elements of one page share it.
func IssueID(baseURL, rule, html string, v Viewport) string {
	return hex.EncodeToString(sha3.SumSHAKE256([]byte(baseURL+rule+html+v.String()), issueIDBytes))
}

var (
	attribute  = lazyregexp.New(`([a-zA-Z_:][-a-zA-Z0-9_:.]*)\s*=\s*("[^"]*"|'[^']*')`)
	spaces     = lazyregexp.New(`\s+`)
	digits     = lazyregexp.New(`[0-9]+`)
	nameParts  = lazyregexp.New(`[-_:]+`)
	caseChange = lazyregexp.New(`[a-z][A-Z]`)
	stepIndex  = lazyregexp.New(`\[[0-9]+\]`)
	pathID     = lazyregexp.New(`\[@id=(?:'([^']*)'|"([^"]*)")\]`)
)

// Fingerprint is the same for the same fault in another scan, on another page of
// the same template and at another viewport: the first 16 hex digits of SHA-256 of
//
//   - the audit and the rule;
//   - the element's markup with white space folded, numbers as "#", queries and
//     fragments of addresses removed, and without ids and classes that look made by
//     a machine; then the first 100 characters;
//   - its path: the steps of the XPath from the last id that looks chosen by a
//     person, without positions among siblings.
//
// Two equal elements side by side share it. It says nothing of the page: compare
// the page beside it. As CWAC keeps 100 characters of the markup, scans of the two
// engines agree on elements that are no longer than that.
func Fingerprint(f Finding) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Audit, f.Rule, stableHTML(f.HTML), stablePath(f.Target)}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

func stableHTML(html string) string {
	html = attribute.ReplaceAllStringFunc(clip(html, maxLabel), func(text string) string {
		m := attribute.FindStringSubmatch(text)
		name, value := strings.ToLower(m[1]), m[2][1:len(m[2])-1]
		switch name {
		case "id", "class", "for", "name", "headers", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns":
			value = stableNames(value)
		case "href", "src", "action", "srcset", "poster", "data":
			value = withoutQuery(value)
		case "style", "nonce", "integrity", "value":
			value = ""
		}
		return name + `="` + value + `"`
	})
	html = strings.TrimSpace(spaces.ReplaceAllString(digits.ReplaceAllString(html, "#"), " "))
	return firstRunes(html, htmlPrefix)
}

// stableNames keeps the names of an id or class attribute that look chosen.
func stableNames(value string) string {
	var kept []string
	for _, name := range strings.Fields(value) {
		if !looksRandom(name) {
			kept = append(kept, name)
		}
	}
	return strings.Join(kept, " ")
}

// looksRandom finds names that style and component tools make: a part with digits
// among its letters (css-1q2w3e), five digits or more, letters of changing case
// (sc-bZkLmX), or a colon in front as React's ids have.
func looksRandom(name string) bool {
	if strings.HasPrefix(name, ":") {
		return true
	}
	for _, part := range nameParts.Split(name, -1) {
		count := 0
		for _, run := range digits.FindAllString(part, -1) {
			count += len(run)
		}
		inside := digits.FindStringIndex(part)
		mixed := inside != nil && inside[1] < len(part) && len(part) >= 5
		if count >= 5 || mixed || len(part) >= 5 && len(part) <= 8 && len(caseChange.FindAllString(part, 2)) == 2 {
			return true
		}
	}
	return false
}

func withoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	if u, err := url.Parse(address); err == nil && u.Scheme == "data" {
		return "data:"
	}
	return address
}

// stablePath keeps the path below the last chosen id.
func stablePath(xpath string) string {
	xpath = pathID.ReplaceAllStringFunc(clip(xpath, maxLabel), func(condition string) string {
		if id := pathID.FindStringSubmatch(condition); looksRandom(id[1] + id[2]) {
			return ""
		}
		return condition
	})
	if at := strings.LastIndex(xpath, "[@id="); at >= 0 {
		xpath = xpath[strings.LastIndex(xpath[:at], "/")+1:]
	}
	return digits.ReplaceAllString(stepIndex.ReplaceAllString(xpath, ""), "#")
}
