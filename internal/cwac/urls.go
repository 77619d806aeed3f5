package cwac

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

const (
	maxURLs      = 200
	maxURLLength = 2000
)

// checkURLs returns the addresses to scan, each once and in order.
func checkURLs(list []string) ([]string, error) {
	if len(list) == 0 {
		return nil, fault.New(fault.Invalid, "no_urls", "At least one URL is required", "Give urls: a list of http or https addresses.")
	}
	if len(list) > maxURLs {
		return nil, fault.New(fault.Invalid, "too_many_urls", "There are more than 200 URLs.", "Split them over several scans.")
	}
	var out []string
	seen := map[string]bool{}
	for _, raw := range list {
		text := strings.TrimSpace(raw)
		if why := wrongURL(text); why != "" {
			shown := clip(quiet(results.WithoutUser(text)), 200)
			return nil, fault.New(fault.Invalid, "invalid_url", "Invalid URL: "+shown, why).WithData("url", shown)
		}
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out, nil
}

// wrongURL says what is wrong with an address; empty when nothing is.
func wrongURL(text string) string {
	if len(text) > maxURLLength {
		return "It is longer than 2000 bytes."
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return "White space in an address is written %20."
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "It is no address: write https://host/path."
	case u.Scheme != "http" && u.Scheme != "https":
		return "Only http and https addresses are scanned: write https://host/path."
	case u.User != nil:
		return "An address must not hold a user name or a password."
	case u.Hostname() == "" || strings.ContainsAny(u.Hostname(), `<>"'{}|\^`+"`"):
		return "It names no host: write https://host/path."
	}
	return ""
}

// hostOf is the host of an address that was checked.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// plain reports whether an address is not encrypted.
func plain(address string) bool { return strings.HasPrefix(strings.ToLower(address), "http:") }
