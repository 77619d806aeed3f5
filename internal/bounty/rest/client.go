package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
)

// Credentials are an agent's account and its key. The zero value is nobody.
type Credentials struct {
	AccountID string
	APIKey    observe.Secret
}

// None reports whether there are no credentials.
func (c Credentials) None() bool { return c.AccountID == "" && c.APIKey == "" }

// Options are what a Client needs.
type Options struct {
	// BaseURL is where the board is, such as https://board.example.org; a path in it
	// comes before /api.
	BaseURL string
	// HTTP makes the connections; it decides which addresses may be reached.
	HTTP *http.Client
	// AllowPlain lets keys travel over http:// to other machines than this one.
	AllowPlain bool
	// Timeout ends one attempt of a request; zero is 15 s.
	Timeout time.Duration
	// MaxAnswer is the most bytes of an answer; zero is 8 MiB.
	MaxAnswer int64
	// UserAgent names this program to the board.
	UserAgent string
	// Wait waits between attempts; nil uses a timer.
	Wait func(ctx context.Context, d time.Duration) error
}

// Client asks one board. It can be used by several goroutines.
type Client struct {
	base    *url.URL
	http    http.Client
	timeout time.Duration
	most    int64
	agent   string
	wait    func(ctx context.Context, d time.Duration) error
}

// New checks the address of the board. It connects to nothing.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.BaseURL, o.AllowPlain)
	if err != nil {
		return nil, err
	}
	if o.HTTP == nil {
		return nil, errors.New("a board needs an HTTP client")
	}
	c := &Client{base: base, http: *o.HTTP, timeout: o.Timeout, most: o.MaxAnswer, agent: o.UserAgent, wait: o.Wait}
	// A redirect would carry the key in a header of the board's own to wherever it leads.
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.http.Jar = nil
	if c.timeout <= 0 {
		c.timeout = 15 * time.Second
	}
	if c.most <= 0 {
		c.most = 8 << 20
	}
	if c.wait == nil {
		c.wait = pause
	}
	return c, nil
}

// Base is the address of the board in the one form in which addresses are compared.
func (c *Client) Base() string { return c.base.String() }

// parseBase reads the address of a board. Its errors do not quote it: it may hold a
// password.
func parseBase(text string, plain bool) (*url.URL, error) {
	wrong := func(why string) error {
		return fault.New(fault.Invalid, "invalid_setting", "BASE_URL, the address of the bounty board, cannot be used: "+why+".",
			"Set BASE_URL to an address such as https://board.example.org.")
	}
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(text), "/"))
	switch {
	case err != nil, u.Host == "", u.Opaque != "":
		return nil, wrong("it is no whole web address")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, wrong("it must begin with https:// or http://")
	case u.User != nil:
		return nil, wrong("a user name or password does not belong there")
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return nil, wrong("a query does not belong there")
	case u.Scheme == "http" && !plain && !loopback(u.Hostname()):
		return nil, wrong("the key of your account would travel unencrypted; use https://")
	}
	u.Host = strings.ToLower(u.Host)
	return u, nil
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// pause waits, or returns the error of the context.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait before another attempt: %w", ctx.Err())
	}
}
