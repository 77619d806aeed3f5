package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// call is one request. Writes carry the credentials in the body and in headers, since
// boards differ in where they look; reads in headers only.
type call struct {
	method  string
	pattern string   // of the path, with {} for each of ids
	ids     []string // of objects, as the caller gave them
	query   url.Values
	body    any
	who     Credentials
	key     string // idempotency key, of a write
	// replays is true when every board of the contract answers a second request of the
	// same key with the first one's answer, or the act is idempotent by nature.
	replays bool
	timeout time.Duration // of one attempt, when it is not the client's
	// replayed is set when the board says that an earlier request did it.
	replayed *bool
	secret   bool // the answer may hold a key, which is what was asked for
}

func (c call) op() string { return c.method + " " + c.pattern }

// attempts is how often a request is made at most.
const attempts = 3

// do makes a request, again when that is safe, and decodes the answer into out.
func (c *Client) do(ctx context.Context, r call, out any) error {
	target, err := c.target(r)
	if err != nil {
		return err
	}
	body, err := payload(r)
	if err != nil {
		return fmt.Errorf("%s: encode the request: %w", r.op(), err)
	}
	for attempt := 1; ; attempt++ {
		err := c.once(ctx, r, request{target, body}, out)
		var e *Error
		if err == nil || !errors.As(err, &e) || attempt == attempts || !again(r, e) {
			return err
		}
		if c.wait(ctx, backoff(attempt, e)) != nil {
			return err // what is known counts more than that time is over
		}
	}
}

// again reports whether another attempt can help and cannot do harm.
func again(r call, e *Error) bool {
	if e.Reason == "request_in_progress" {
		return r.replays
	}
	passing := e.Trouble == Unreachable || e.Trouble == TimedOut ||
		e.Status == http.StatusBadGateway || e.Status == http.StatusServiceUnavailable || e.Status == http.StatusGatewayTimeout
	return passing && (r.method == http.MethodGet || !e.sent || r.replays)
}

// backoff is half a second, then one, or what the board asks for if it is short.
func backoff(attempt int, e *Error) time.Duration {
	const patience = 3 * time.Second
	return max(time.Duration(attempt)*500*time.Millisecond, min(e.RetryAfter, patience))
}

// request is what every attempt sends.
type request struct {
	url  string
	body []byte
}

func (c *Client) once(ctx context.Context, r call, to request, out any) error {
	timeout := c.timeout
	if r.timeout > 0 {
		timeout = r.timeout
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var body io.Reader
	if to.body != nil {
		body = bytes.NewReader(to.body)
	}
	req, err := http.NewRequestWithContext(limited, r.method, to.url, body)
	if err != nil {
		return fmt.Errorf("%s: the address cannot be used", r.op()) // the cause would quote it
	}
	if !r.replays {
		// net/http itself sends a request again whose connection ends before an answer,
		// when it has an Idempotency-Key and can read its body anew.
		req.GetBody = nil
	}
	c.headers(req, r)
	res, err := c.http.Do(req)
	if err != nil {
		return broken(ctx, limited, r, err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, c.most+1))
	if err != nil {
		return broken(ctx, limited, r, err)
	}
	if int64(len(raw)) > c.most {
		return &Error{Op: r.op(), Trouble: TooLarge, Status: res.StatusCode, Uncertain: r.method != http.MethodGet, sent: true}
	}
	if !r.secret {
		raw = hide(raw, r.who)
	}
	return read(r, res, raw, out)
}

func (c *Client) headers(req *http.Request, r call) {
	req.Header.Set("Accept", "application/json")
	if c.agent != "" {
		req.Header.Set("User-Agent", c.agent)
	}
	if r.method != http.MethodGet {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	if !r.who.None() {
		req.Header.Set("Authorization", "Bearer "+r.who.APIKey.Reveal())
		req.Header.Set("X-AI-Account-Id", r.who.AccountID)
	}
}

// broken is a request without an answer.
func broken(ctx, limited context.Context, r call, err error) error {
	var e *fault.Error
	if errors.As(err, &e) {
		return e // the guard of the network says why in words of its own
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", r.op(), ctx.Err())
	}
	var u *url.Error // it quotes the query, which holds what was searched for
	if errors.As(err, &u) {
		err = u.Err
	}
	var op *net.OpError
	sent := !errors.As(err, &op) || op.Op != "dial"
	out := &Error{Op: r.op(), Trouble: Unreachable, Uncertain: sent && r.method != http.MethodGet, sent: sent, cause: err}
	if limited.Err() != nil {
		out.Trouble, out.cause = TimedOut, limited.Err()
	}
	return out
}

// read takes an answer: what the board did, or why it did not.
func read(r call, res *http.Response, raw []byte, out any) error {
	replayed := strings.EqualFold(res.Header.Get("Idempotency-Replayed"), "true")
	e := &Error{Op: r.op(), Status: res.StatusCode, Replayed: replayed, RetryAfter: retryAfter(res.Header.Get("Retry-After")), sent: true}
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	good := res.StatusCode >= 200 && res.StatusCode < 300
	var said struct {
		Status string       `json:"status"`
		Reason string       `json:"reason"`
		Detail string       `json:"detail"`
		Fields []FieldError `json:"field_errors"`
	}
	if err != nil || !strings.HasSuffix(kind, "json") || bytes.TrimSpace(raw) == nil || json.Unmarshal(raw, &said) != nil {
		e.Trouble = NotJSON
		e.Uncertain = r.method != http.MethodGet && (good || res.StatusCode >= 500)
		return e
	}
	e.Body, e.Reason, e.Detail, e.Fields = raw, said.Reason, said.Detail, said.Fields
	switch {
	case !good, said.Status == "error", said.Status == "rejected" && said.Reason != "":
		if e.Reason == "" && said.Status != "error" {
			e.Reason = said.Status
		}
		e.Uncertain = r.method != http.MethodGet && res.StatusCode >= 500
		return e
	}
	if err := json.Unmarshal(raw, out); err != nil {
		e.Trouble, e.Uncertain = NotJSON, r.method != http.MethodGet
		return e
	}
	if r.replayed != nil {
		*r.replayed = replayed
	}
	return nil
}

// retryAfter reads seconds; a date, which RFC 9110 section 10.2.3 allows too, is not
// worth a clock.
func retryAfter(v string) time.Duration {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return 0
	}
	return time.Duration(min(n, 24*60*60)) * time.Second
}

// hide keeps a board from handing a key on that it was sent.
func hide(raw []byte, who Credentials) []byte {
	key := who.APIKey.Reveal()
	if key == "" {
		return raw
	}
	return bytes.ReplaceAll(raw, []byte(key), []byte("***"))
}
