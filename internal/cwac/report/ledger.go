package report

import (
	"fmt"
	"net/url"
	"strings"
)

// checkedDocument takes the place of the ledger's reason for a document that an audit
// looked at.
const checkedDocument = "checked_document"

// reasonTexts are the words of the ledger for people. A reason without an entry is
// shown as it is.
var reasonTexts = map[string]string{
	"robots": "robots.txt forbids it", "no_robots": "robots.txt got no answer", "out_of_scope": "another site, or not below the base URL", "excluded": "excluded by a pattern", "not_html": "not a web page",
	"document": "a document, not a page", checkedDocument: "a document, not a page, and checked as one", "status": "an error status", "redirect": "leads to another address that is listed itself",
	"duplicate_of": "the same page as another", "limit": "the limit of pages was reached", "redirected_out": "leads out of the site",
	"header_check_failed": "no usable answer to the check before loading", "https_only": "not https", "unsupported_scheme": "not an address of the web",
	"invalid_address": "not a valid address", "too_long": "the address is too long", "trap": "an address that grows without end",
	"blocked": "a firewall or bot check answered", "firewall": "a firewall or bot check answered", "error_page": "an error page with the status of success",
	"login_lost": "the sign-in page came instead", "failed": "the browser could not load or audit it", "stopped": "the scan was ended before",
}

// ledger says how many addresses were scanned, and why others were not.
func (rep *Report) ledger() string {
	text := fmt.Sprintf("%d of %s scanned.", rep.Scan.Scanned, count(rep.Scan.Known, "known address was", "known addresses were"))
	var parts []string
	for _, u := range rep.Unscanned {
		parts = append(parts, fmt.Sprintf("%d %s", u.Count, u.Label()))
	}
	if parts != nil {
		text += " The others: " + strings.Join(parts, ", ") + "."
	}
	return text
}

// Label is the state and reason of addresses for people.
func (u Unscanned) Label() string {
	if u.Reason == "" {
		return u.State
	}
	return u.State + " (" + ReasonText(u.Reason) + ")"
}

// ReasonText is a reason of the ledger in words for people.
func ReasonText(reason string) string {
	return orElse(reasonTexts[reason], strings.ReplaceAll(reason, "_", " "))
}

// Example is one of the addresses, with what says more than the reason.
func (u Unscanned) Example() string {
	if len(u.Examples) == 0 {
		return ""
	}
	one := u.Examples[0]
	if more := one.more(u.Reason); more != "" {
		return clip(one.URL, maxPlace) + " (" + more + ")"
	}
	return clip(one.URL, maxPlace)
}

// more is where an address leads, why it failed, or else the status that it answered.
func (a UnscannedAddress) more(reason string) string {
	switch {
	case (reason == "redirect" || reason == "redirected_out") && a.Detail != "":
		return "to " + fromRoot(a.URL, clip(a.Detail, maxPlace))
	case (reason == "header_check_failed" || reason == "failed") && a.Detail != "":
		return strings.TrimSuffix(a.Detail, ".")
	case a.Status > 0 && a.Status != 200:
		return fmt.Sprintf("answered %d", a.Status)
	}
	return ""
}

// fromRoot leaves out what an address has in common with the one that led there.
func fromRoot(base, address string) string {
	from, err := url.Parse(base)
	to, err2 := url.Parse(address)
	if err != nil || err2 != nil || from.Scheme != to.Scheme || from.Host != to.Host || to.Path == "" {
		return address
	}
	return to.RequestURI()
}
