package browser

import (
	"context"
	"errors"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

func (t *firefoxTab) navigate(ctx context.Context, address string) error {
	v, err := t.page()
	if err != nil {
		return err
	}
	before := t.Doc()
	res, err := bidi.Start(t.process.conn, bidi.Navigate, bidi.NavigateParams{
		Context: bidi.ContextID(v.main), URL: address, Wait: "none",
	}).WaitOr(ctx, t.quit)
	if text, ok := foxNetError(err); ok {
		t.awaitErrorPage(ctx, before)
		return t.navigationError(v, address, text)
	}
	if err != nil {
		t.stopLoading()
		return explain(ctx, t.read(err), "loading "+origin(address))
	}
	within := withinDocument(before.URL, address)
	err = t.await(ctx, "waiting for "+origin(address), func() (bool, error) {
		if t.files[res.Navigation] != nil {
			return false, fileInstead(address)
		}
		d := t.doc()
		return d.Seq > before.Seq && d.Loaded || within && d.Steps > before.Steps, nil
	})
	if err != nil {
		return err
	}
	return t.Doc().failure()
}

// withinDocument tells whether only the fragment of the address changes.
func withinDocument(from, to string) bool {
	to, _, fragment := strings.Cut(to, "#")
	from, _, _ = strings.Cut(from, "#")
	return fragment && from == to
}

// awaitErrorPage makes sure that the error page does not come as a surprise later,
// when it would look like another navigation.
func (t *firefoxTab) awaitErrorPage(ctx context.Context, before Doc) {
	ctx, cancel := context.WithTimeout(ctx, errorPageLimit)
	defer cancel()
	_ = t.await(ctx, "waiting for the error page", func() (bool, error) {
		d := t.doc()
		return d.Seq > before.Seq && d.Loaded, nil
	})
}

func (t *firefoxTab) stopLoading() {
	v, err := t.page()
	if err != nil {
		return
	}
	bidi.Post(t.process.conn, bidi.CallFunction, bidi.CallFunctionParams{
		Function: "() => window.stop()", Target: bidi.Target{Context: bidi.ContextID(v.main), Sandbox: worldName},
	})
}

// foxErrors are the words of the other engine, which the faults of this package
// quote, for Firefox's network errors.
var foxErrors = []struct{ word, net string }{
	{"NS_ERROR_PROXY_", "net::ERR_TUNNEL_CONNECTION_FAILED"}, // the guard refused, and knows why
	{"NS_ERROR_UNKNOWN_PROXY_HOST", "net::ERR_PROXY_CONNECTION_FAILED"},
	{"NS_ERROR_UNKNOWN_HOST", "net::ERR_NAME_NOT_RESOLVED"},
	{"NS_ERROR_CONNECTION_REFUSED", "net::ERR_CONNECTION_REFUSED"},
	{"NS_ERROR_NET_RESET", "net::ERR_CONNECTION_RESET"},
	{"NS_ERROR_NET_INTERRUPT", "net::ERR_CONNECTION_CLOSED"},
	{"NS_ERROR_NET_EMPTY_RESPONSE", "net::ERR_EMPTY_RESPONSE"},
	{"NS_ERROR_NET_TIMEOUT", "net::ERR_TIMED_OUT"},
	{"NS_ERROR_REDIRECT_LOOP", "net::ERR_TOO_MANY_REDIRECTS"},
	{"NS_BINDING_ABORTED", "net::ERR_ABORTED"},
	{"NS_ERROR_ABORT", "net::ERR_ABORTED"},
	{"SEC_ERROR_", "net::ERR_CERT_INVALID"},
	{"MOZILLA_PKIX_ERROR_", "net::ERR_CERT_INVALID"},
	{"SSL_ERROR_BAD_CERT_DOMAIN", "net::ERR_CERT_COMMON_NAME_INVALID"},
	{"SSL_ERROR_", "net::ERR_SSL_PROTOCOL_ERROR"},
	{"NS_ERROR_", "net::ERR_FAILED"},
}

// foxWords translates the name of a network error; the first that fits is the one.
func foxWords(text string) string {
	for _, e := range foxErrors {
		if strings.Contains(text, e.word) {
			return e.net
		}
	}
	return "net::ERR_FAILED"
}

// foxNetError tells whether a navigation failed in the network, and how.
func foxNetError(err error) (string, bool) {
	var e *bidi.Error
	if !errors.As(err, &e) || e.Code != "unknown error" {
		return "", false
	}
	for _, word := range []string{"NS_ERROR_", "NS_BINDING_", "SEC_ERROR_", "SSL_ERROR_", "MOZILLA_PKIX_"} {
		if strings.Contains(e.Message, word) {
			return foxWords(e.Message), true
		}
	}
	return "", false
}

// source asks for the document again, from the cache where it may be kept: the
// protocol does not tell the body of a document that was not asked for in time.
func (t *firefoxTab) source(ctx context.Context) ([]byte, error) {
	t.mu.Lock()
	var address string
	if v := t.current(); v != nil {
		address, _, _ = strings.Cut(v.url, "#")
	}
	t.mu.Unlock()
	var again string
	if err := t.Call(ctx, Function{Source: fetchSource, Arg: address}, &again); err != nil {
		return nil, explain(ctx, err, "reading the source of the page")
	}
	return []byte(again), nil
}
