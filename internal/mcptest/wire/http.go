package wire

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// lingerFor is how long the stream of a call is still read after its answer came; a
// server should close it then (MCP 2025-11-25, Streamable HTTP, Sending Messages).
const lingerFor = time.Second

const (
	typeJSON   = "application/json"
	typeStream = "text/event-stream"
)

// headerName is what RFC 9110, 5.6.2 calls a token.
var headerName = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// web reaches a server over Streamable HTTP.
type web struct {
	c      *Conn
	client *http.Client
	url    *url.URL
	gate   chan struct{} // of one: who asks for authorization

	mu         sync.Mutex
	authorized http.Header // what the hook gave
	grants     int         // how often it gave something
	challenges int
}

func newWeb(c *Conn) (*web, error) {
	u, err := url.Parse(c.target.URL)
	if err == nil && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		err = &url.Error{Op: "parse", URL: "the address", Err: errNoAddress}
	}
	if err == nil && u.Port() != "" {
		if _, odd := strconv.ParseUint(u.Port(), 10, 16); odd != nil {
			return nil, &Error{Kind: Misused, Stage: StageTarget, Detail: "The address has a port that does not exist: there are 1 to 65535."}
		}
	}
	if err != nil {
		return nil, &Error{Kind: Misused, Stage: StageTarget, Detail: "The address is no http or https URL.", Cause: err}
	}
	for name, values := range c.target.Headers {
		if !headerName.MatchString(name) || slices.ContainsFunc(values, func(v string) bool { return strings.ContainsAny(v, "\r\n\x00") }) {
			return nil, &Error{Kind: Misused, Stage: StageTarget, Detail: "A header has a name or a value that HTTP does not allow."}
		}
	}
	if c.opt.HTTPClient == nil {
		return nil, &Error{Kind: Misused, Stage: StageTarget, Detail: "No HTTP client was given for an address."}
	}
	client := *c.opt.HTTPClient
	client.Jar, client.Timeout = nil, 0
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if u.User != nil {
		if password, ok := u.User.Password(); ok {
			c.hide.learn(password)
		}
	}
	return &web{c: c, client: &client, url: u, gate: make(chan struct{}, 1)}, nil
}

func (w *web) transport() Transport { return HTTPTransport }

// trip is one HTTP request to be made.
type trip struct {
	method string
	url    *url.URL
	header http.Header
	body   []byte
	out    *outgoing
	grants int // that had been given when its headers were made

	challenges int // that it has met
}

// header are the headers of a message (MCP 2025-11-25, Transports; 2026-07-28,
// Transports, Request Headers).
func (w *web) header(t *trip) http.Header {
	h, out := http.Header{}, t.out
	h.Set("Content-Type", typeJSON)
	h.Set("Accept", typeJSON+", "+typeStream)
	h.Set("User-Agent", "legwork-mcptest")
	c := w.c
	c.mu.Lock()
	era, version, session := c.era, c.version, c.session
	c.mu.Unlock()
	if version != "" && (era == EraModern || version >= Version20250618) && out.method != "initialize" {
		h.Set("Mcp-Protocol-Version", version)
	}
	if session != "" && out.method != "initialize" {
		h.Set("Mcp-Session-Id", session)
	}
	if era == EraModern {
		c.modernHeaders(h, out)
	}
	for name, values := range c.target.Headers {
		h[http.CanonicalHeaderKey(name)] = values
	}
	w.mu.Lock()
	t.grants = w.grants
	for name, values := range w.authorized {
		h[http.CanonicalHeaderKey(name)] = values
	}
	w.mu.Unlock()
	if out.tweak != nil {
		tweakHeader(h, out.tweak)
	}
	if out.call != nil {
		c.mu.Lock()
		out.call.session = h.Get("Mcp-Session-Id")
		c.mu.Unlock()
	}
	return h
}

func tweakHeader(h http.Header, t *Tweak) {
	switch t.Session {
	case "":
	case "-":
		h.Del("Mcp-Session-Id")
	default:
		h.Set("Mcp-Session-Id", t.Session)
	}
	for name, values := range t.Header {
		if len(values) == 0 {
			h.Del(name)
			continue
		}
		h[http.CanonicalHeaderKey(name)] = values
	}
}

// trip is the request that a message makes, with what a probe wants otherwise.
func (w *web) trip(out *outgoing, to *url.URL) (*trip, error) {
	t := &trip{method: http.MethodPost, url: to, body: out.raw, out: out}
	if out.tweak == nil {
		return t, nil
	}
	if out.tweak.Method != "" {
		t.method = out.tweak.Method
	}
	if out.tweak.URL == "" {
		return t, nil
	}
	u, err := w.url.Parse(out.tweak.URL)
	if err != nil || u.Host != w.url.Host || u.Scheme != w.url.Scheme {
		return nil, &Error{Kind: Misused, Stage: StageTarget, Detail: "A probe may only go to the host of the server.", Cause: err}
	}
	t.url = u
	return t, nil
}

// send posts a message and reads its answer.
func (w *web) send(ctx context.Context, out *outgoing) error {
	t, err := w.trip(out, w.url)
	if err != nil {
		return err
	}
	w.c.recordSent(out, 0)
	resp, a, err := w.persist(ctx, t)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // what was read, was read
	return w.answer(ctx, t, resp, a)
}

// roundTrip makes one request. What came is added to the call.
func (w *web) roundTrip(ctx context.Context, t *trip) (*http.Response, *HTTPAnswer, error) {
	t.header = w.header(t)
	a := &HTTPAnswer{Method: t.method, URL: w.c.hide.text(t.url.Redacted()), RequestHeader: w.c.hide.header(t.header)}
	var body io.Reader
	if t.method != http.MethodGet && t.method != http.MethodHead || len(t.body) > 0 {
		body = bytes.NewReader(t.body)
	}
	req, err := http.NewRequestWithContext(w.c.traced(ctx, a, t.out.call), t.method, t.url.String(), body)
	if err != nil {
		return nil, a, &Error{Kind: Misused, Stage: StageTarget, Method: t.out.method, Detail: "The request cannot be made.", Cause: err}
	}
	req.Header = t.header
	req.Close = t.out.call.overhears() // a connection with one half is of no use to others
	if host := t.header.Get("Host"); host != "" {
		req.Host = host
		req.Header.Del("Host")
	}
	if t.method != http.MethodPost {
		w.c.rec.add(Entry{Direction: Sent, Note: t.method + " " + a.URL}, nil)
	}
	a.Sent = w.c.now()
	w.c.addAnswer(t.out.call, a)
	resp, err := w.client.Do(req)
	w.c.mu.Lock()
	a.FirstByte = w.c.now()
	if err == nil {
		a.Status, a.Proto, a.Header = resp.StatusCode, resp.Proto, resp.Header.Clone()
		a.Location = w.c.hide.text(resp.Header.Get("Location"))
		if resp.TLS != nil {
			a.TLS = tlsVersion(resp.TLS.Version)
		}
	}
	w.c.mu.Unlock()
	if err != nil {
		return nil, a, w.c.classify(ctx, err, t.out.method, a)
	}
	if t.out.call.overhears() {
		resp.Body = &lastWords{resp.Body, w.c, t.out.call}
		w.c.heard(t.out.call)
	}
	hidden := w.c.hide.header(resp.Header)
	w.c.mu.Lock()
	a.Header = hidden
	w.c.mu.Unlock()
	w.c.rec.add(Entry{Direction: Received, Method: t.out.method, Status: resp.StatusCode, Note: t.method + " " + resp.Status}, headerLines(a.RequestHeader, hidden))
	return resp, a, nil
}

// addAnswer adds an HTTP answer to a call that still runs.
func (c *Conn) addAnswer(k *call, a *HTTPAnswer) {
	if k == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !k.over {
		k.answers = append(k.answers, a)
	}
}

// readSome reads the beginning of a body that is no answer, and puts it into evidence. It
// reads a little more, to know a secret that stands at the end of what is kept.
func (w *web) readSome(resp *http.Response, a *HTTPAnswer) []byte {
	most := w.c.opt.Limits.Kept
	body, _ := io.ReadAll(io.LimitReader(resp.Body, int64(most+w.c.hide.longest()+1))) // what came, came
	kept := w.c.hide.cut(body, most)
	body = body[:min(len(body), most)]
	w.c.mu.Lock()
	a.Body, a.Size, a.Done = kept, int64(len(body)), w.c.now()
	w.c.mu.Unlock()
	if len(body) > 0 {
		w.c.rec.add(Entry{Direction: Received, Status: resp.StatusCode, Note: "body"}, kept)
	}
	return body
}

// mediaType is the type of a body without its parameters.
func mediaType(h http.Header) string {
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}
