package browser

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Navigate loads an address in the current window and returns as soon as its
// document is parsed; images and late scripts may still load. It does not
// retry. An HTTP error status is not an error here, see [Tab.Doc].
func (t *Tab) Navigate(ctx context.Context, address string) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	if err := checkAddress(address); err != nil {
		return err
	}
	return t.drive.navigate(ctx, address)
}

// StopLoading gives up the document that is on its way, if one is.
func (t *Tab) StopLoading() { t.drive.stopLoading() }

// Source is the main document as the server sent it, before any script changed it,
// in UTF-8. The browser takes it from its cache; a document that may not be cached
// it asks for again, as the page's own visitor with its cookies and headers, unless
// the page's security policy forbids all requests: that is an error.
func (t *Tab) Source(ctx context.Context) ([]byte, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	return t.drive.source(ctx)
}

// fileInstead is the fault of an address that is no page.
func fileInstead(address string) error {
	return fault.New(fault.Failed, "navigation_failed", "The address "+origin(address)+" is a file to download, not a page.",
		"Give the address of the page itself.")
}

// arrived waits until the document after a state of the tab is parsed, or, when only
// the fragment of the address changed, until that has happened.
func (t *Tab) arrived(ctx context.Context, before Doc, address string, sameDocument bool) error {
	err := t.await(ctx, "waiting for "+origin(address), func() (bool, error) {
		d := t.doc()
		return d.Seq > before.Seq && d.Loaded || sameDocument && d.Steps > before.Steps, nil
	})
	if err != nil {
		return err
	}
	return t.Doc().failure()
}

// checkAddress allows what a person could type to reach a web site, and the
// empty page.
func checkAddress(address string) error {
	if address == "about:blank" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "") {
		return fault.New(fault.Invalid, "", fmt.Sprintf("%q is not a complete web address.", shorten(address)),
			"Give an address that starts with https:// or http://.")
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return fault.New(fault.Denied, "origin_not_allowed", fmt.Sprintf("Addresses that start with %s: are never opened.", u.Scheme),
			"Give an address that starts with https:// or http://.")
	}
	return nil
}

// errorPageLimit is how long the browser may take to show its own error page.
// Not every failure has one.
const errorPageLimit = time.Second

// navigationError explains why a document did not come.
func (t *Tab) navigationError(v *view, address, text string) error {
	t.mu.Lock()
	last := v.loading
	t.mu.Unlock()
	if last.url == "" {
		last.url = address
	}
	if last.netError == "" && last.refused == "" {
		last.netError, last.refused = t.guard.explain(last.url, text)
	}
	return Doc{URL: last.url, NetError: last.netError, Refused: last.refused}.failure()
}

// failure is the fault of a document that could not be loaded, or nil.
func (d Doc) failure() error {
	switch {
	case d.Refused != "":
		return fault.New(fault.Denied, "origin_not_allowed",
			fmt.Sprintf("The address %s is not allowed: %s.", origin(d.URL), d.Refused),
			"Use a public web address. If this one is yours, start legwork with --allow-private.").
			WithData("url", origin(d.URL))
	case d.NetError != "":
		return fault.New(fault.Unavailable, "navigation_failed",
			fmt.Sprintf("%s could not be loaded: %s (%s).", origin(d.URL), meaning(d.NetError), d.NetError),
			"Check the address; if it is right, try again later.").
			WithData("url", origin(d.URL)).WithData("net_error", d.NetError)
	}
	return nil
}

// meanings say in words what the usual network errors are.
var meanings = []struct{ code, words string }{
	{"NAME_NOT_RESOLVED", "the host name does not exist"},
	{"CONNECTION_REFUSED", "the server refused the connection"},
	{"CONNECTION_RESET", "the server cut the connection"},
	{"CONNECTION_CLOSED", "the server cut the connection"},
	{"EMPTY_RESPONSE", "the server closed the connection without an answer"},
	{"TIMED_OUT", "the server did not answer in time"},
	{"TOO_MANY_REDIRECTS", "the server redirects in a circle"},
	{"CERT", "the server's certificate is not valid"},
	{"SSL", "no secure connection could be made"},
	{"ABORTED", "the server sent no page"},
	{"ADDRESS_UNREACHABLE", "the server cannot be reached"},
}

func meaning(netError string) string {
	for _, m := range meanings {
		if strings.Contains(netError, m.code) {
			return m.words
		}
	}
	return "the network failed"
}

// origin is the part of an address that may be shown: never a path or a query,
// in which people's data can be.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return shorten(strings.SplitN(address, "?", 2)[0])
	}
	return u.Scheme + "://" + u.Host
}

func shorten(s string) string {
	const limit = 80
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}
