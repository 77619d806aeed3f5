package crawl

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// The rules of crawl_audit.
const (
	RuleBrokenLink    = "broken-link"    // leads to an error or to no answer
	RuleRedirectLoop  = "redirect-loop"  // redirects that do not end
	RuleRedirectChain = "redirect-chain" // more than one redirect
	RuleRedirect      = "link-redirects" // one permanent redirect: the link can name the new address
	RuleMixedScheme   = "mixed-scheme"   // a page of https links to the site by http
	RuleDocumentLink  = "document-link"  // leads to a PDF or office file
)

// ruleFacts are what a reader is told about a rule: its weight, the demand, and why.
var ruleFacts = map[string]struct{ impact, help, why string }{
	RuleBrokenLink:    {"serious", "Links must lead to something", "Ensure that every link of the site leads to a page or file that is there"},
	RuleRedirectLoop:  {"serious", "Redirects must end", "Ensure that no address redirects without end"},
	RuleRedirectChain: {"moderate", "Links should reach their page in one step", "Ensure that links are not redirected several times, which costs people on slow connections"},
	RuleRedirect:      {"minor", "Links should name the address that they lead to", "Ensure that links are updated when a page has moved for good"},
	RuleMixedScheme:   {"moderate", "Links of a secure page should stay secure", "Ensure that pages served by https link to the site by https"},
	RuleDocumentLink:  {"minor", "A document should say that it is one, and exist as a page too", "Find the links that lead out of the pages into files, which open in another program and need an audit of their own"},
}

// Rules are the names of the rules, in the order in which they are applied.
func Rules() []string {
	return []string{RuleBrokenLink, RuleRedirectLoop, RuleRedirectChain, RuleRedirect, RuleMixedScheme, RuleDocumentLink}
}

// PageProblems is what crawl_audit says of one page.
type PageProblems struct {
	URL      string
	Findings []results.Finding // none: the page is clean
}

// Problems are the problems of the links of every scanned page, in the order of the
// ledger. A problem is a finding on the pages that link to the address, on the first
// 20 of them, and says how many there are; one of an address of a sitemap is a
// finding on the first page. Only the crawl's own site is judged: links to others
// were not followed.
func Problems(ledger []Entry) []PageProblems {
	var list []PageProblems
	place := map[string]int{}
	for _, e := range ledger {
		if e.State == StateScanned || e.State == StatePartial {
			place[e.URL] = len(list)
			list = append(list, PageProblems{URL: e.URL})
		}
	}
	if len(list) == 0 {
		return nil
	}
	ends := map[string]Entry{}
	for _, e := range ledger {
		ends[e.URL] = e
	}
	for _, e := range ledger {
		pages := e.Parents
		if e.Source == SourceSitemap && len(pages) == 0 {
			pages = []string{list[0].URL}
		}
		for _, page := range pages {
			if at, ok := place[page]; ok {
				list[at].Findings = append(list[at].Findings, problems(e, ends, page)...)
			}
		}
	}
	return list
}

// problems are those of one link on one page.
func problems(e Entry, ends map[string]Entry, page string) []results.Finding {
	var found []results.Finding
	end := e
	for end.Reason == ReasonRedirect && end.Of != "" && ends[end.Of].URL != "" && end.Of != end.URL {
		next := ends[end.Of]
		if next.Reason == ReasonRedirect { // by a script; one more step is enough to judge
			break
		}
		end = next
	}
	switch {
	case end.Reason == ReasonHeaderCheck && end.Detail == errRedirects.Error():
		found = append(found, finding(e, RuleRedirectLoop, end.Detail))
	case broken(end):
		found = append(found, finding(e, RuleBrokenLink, describe(end)))
	case len(e.Hops) > 1:
		found = append(found, finding(e, RuleRedirectChain, fmt.Sprintf("%d redirects", len(e.Hops))))
	case len(e.Hops) == 1 && (e.Hops[0].Status == http.StatusMovedPermanently || e.Hops[0].Status == http.StatusPermanentRedirect):
		found = append(found, finding(e, RuleRedirect, "leads to "+e.Final))
	}
	if strings.HasPrefix(page, "https:") && strings.HasPrefix(e.URL, "http:") && e.Reason != ReasonOutOfScope && e.Reason != ReasonExcluded {
		found = append(found, finding(e, RuleMixedScheme, ""))
	}
	if end.Reason == ReasonDocument {
		f := finding(e, RuleDocumentLink, end.ContentType)
		f.Best = true
		found = append(found, f)
	}
	return found
}

func broken(e Entry) bool {
	switch e.Reason {
	case ReasonStatus:
		return e.Status >= 400 && e.Status != http.StatusUnauthorized // it is there, for those who log in
	case ReasonHeaderCheck, ReasonErrorPage:
		return true
	case ReasonInvalid:
		return e.Source == SourceLink
	}
	return false
}

func describe(e Entry) string {
	switch {
	case e.Reason == ReasonErrorPage:
		return fmt.Sprintf("an error page with status 200: %q", e.Detail)
	case e.Reason == ReasonStatus:
		return strings.TrimSpace(fmt.Sprintf("status %d %s", e.Status, e.Detail))
	}
	return e.Detail
}

// Fingerprint is the same for the same link or file in another scan, on whatever page
// and host: the first 16 hex digits of SHA-256 of audit, rule, path and query.
func Fingerprint(audit, rule, address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		address = u.RequestURI()
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{audit, rule, address}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

func finding(e Entry, rule, what string) results.Finding {
	facts := ruleFacts[rule]
	data := map[string]any{"href": e.URL, "linked_from": e.ParentCount}
	if e.Status != 0 {
		data["status"] = e.Status
	}
	if e.Final != "" {
		data["final_url"] = e.Final
	}
	if len(e.Hops) > 0 {
		data["hops"] = e.Hops
	}
	if e.Source == SourceSitemap && e.ParentCount == 0 {
		data["sitemap"] = true
	}
	return results.Finding{
		Fingerprint: Fingerprint(results.AuditCrawl, rule, e.URL),
		Audit:       results.AuditCrawl, Rule: rule, Impact: facts.impact, Help: facts.help, Description: facts.why,
		HTML: e.URL, Target: e.URL, Summary: strings.TrimSpace(e.URL + " " + what), Data: data, Count: 1,
	}
}
