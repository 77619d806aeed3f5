package scout

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// The error types that a caller can tell apart, besides those of the browser.
const (
	TypeInvalidURL     = "invalid_url"
	TypeBlocked        = "blocked"
	TypeNotFound       = "element_not_found"
	TypeSelector       = "invalid_selector"
	TypeNotClickable   = "not_clickable"
	TypeAmbiguous      = "ambiguous_selector"
	TypeDialog         = "dialog_open"
	TypeTimeout        = "timeout"
	TypeValue          = "value_not_accepted"
	TypeOption         = "option_not_found"
	TypeValidation     = "validation_error"
	TypeNoPages        = "no_pages_discovered"
	TypeSchema         = "schema_validation_error"
	TypeMismatch       = "schema_mismatch"
	TypeWizardExists   = "wizard_exists"
	TypeWizardNotFound = "wizard_not_found"
)

// checkURL takes what a person could type to reach a web site.
func checkURL(address string) error {
	u, err := url.Parse(strings.TrimSpace(address))
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil {
		return nil
	}
	return fault.New(fault.Invalid, TypeInvalidURL, "The url is no complete web address.",
		"Give an address that starts with https:// or http://, with a host and without a user name, such as https://example.gov/form.")
}

// blocked is the fault of a site that does not serve programs. What only a
// person may do is no fault: the answer says so.
func blocked(p page.Place) error {
	if p.Verdict.Kind != page.VerdictBlocked {
		return nil
	}
	return fault.New(fault.Denied, TypeBlocked, "The site refuses automated visits: "+clip(p.Verdict.Evidence, 200)+".",
		"Do not retry in a loop: ask the site's owner, or explore it headed from your own machine.").WithData("current_url", p.URL)
}

// problemsFault lists what is wrong with something that the caller wrote.
func problemsFault(typ, what string, problems []wizard.Problem) *fault.Error {
	all := make([]string, 0, len(problems))
	for _, p := range problems {
		all = append(all, "- "+p.String())
	}
	return fault.New(fault.Invalid, typ, fmt.Sprintf("%s, %s:\n%s", what, plural(len(problems), "problem"), lines(all, 30)),
		"Correct the named places and call again.").WithData("errors", problems)
}

// list joins names for a message, at most n of them.
func list(names []string, n int) string {
	if len(names) > n {
		return strings.Join(names[:n], ", ") + fmt.Sprintf(" and %d more", len(names)-n)
	}
	return strings.Join(names, ", ")
}

// lines is list with a line for each.
func lines(all []string, n int) string {
	if len(all) > n {
		return strings.Join(all[:n], "\n") + fmt.Sprintf("\nand %d more", len(all)-n)
	}
	return strings.Join(all, "\n")
}

// plural counts things in words.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// clip bounds a text of the page.
func clip(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

func emptySelector() error {
	return fault.New(fault.Invalid, "invalid_arguments", "The selector is empty.", "Give a selector or a text that federalscout_get_page_info lists.")
}
