package web

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// client is a browser without a screen that follows no redirects.
type client struct {
	t    *testing.T
	site string
	http *http.Client
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

func newClient(t *testing.T, site string) *client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &client{t: t, site: site, http: &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (c *client) setCookie(name, value string) {
	c.t.Helper()
	u, err := url.Parse(c.site)
	if err != nil {
		c.t.Fatal(err)
	}
	c.http.Jar.SetCookies(u, []*http.Cookie{{Name: name, Value: url.QueryEscape(value), Path: "/"}})
}

func (c *client) do(req *http.Request) answer {
	c.t.Helper()
	res, err := c.http.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(raw)}
}

func (c *client) request(method, path, body string) *http.Request {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.site+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Accept-Language", "ja")
	return req
}

func (c *client) get(path string) answer { c.t.Helper(); return c.do(c.request("GET", path, "")) }

// post sends a form as the page itself would.
func (c *client) post(path string, form url.Values) answer {
	c.t.Helper()
	req := c.request("POST", path, form.Encode())
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", c.site)
	req.Header.Set("Referer", c.site+"/")
	return c.do(req)
}

// serve runs a handler for the time of a test.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}
