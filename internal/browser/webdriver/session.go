package webdriver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Session is one browser.
type Session struct {
	// Browser is what the driver told of it.
	Browser Browser

	client *Client
	id     string
}

// Browser are the capabilities that a driver told of the browser it started.
type Browser struct {
	Name    string `json:"browserName"`
	Version string `json:"browserVersion"`
	// DevTools is where a Selenium Grid passes the DevTools protocol on, if it does.
	DevTools string `json:"se:cdp"`
	// Chromium is what a ChromeDriver tells of its browser.
	Chromium struct {
		// Debugger is the "host:port" of the DevTools protocol, as its machine sees it.
		Debugger string `json:"debuggerAddress"`
	} `json:"goog:chromeOptions"`
}

func (s *Session) get(ctx context.Context, path string, out any) error {
	return s.client.do(ctx, call{http.MethodGet, "/session/" + s.id + path, nil}, out)
}

func (s *Session) post(ctx context.Context, path string, body, out any) error {
	return s.client.do(ctx, call{http.MethodPost, "/session/" + s.id + path, body}, out)
}

func (s *Session) delete(ctx context.Context, path string) error {
	return s.client.do(ctx, call{http.MethodDelete, "/session/" + s.id + path, nil}, nil)
}

// Close ends the session, and with most drivers the browser (section 8.2).
func (s *Session) Close(ctx context.Context) error { return s.delete(ctx, "") }

// Timeouts are the session's own limits (section 9); they are rounded to
// milliseconds.
type Timeouts struct {
	Script, PageLoad time.Duration
}

// SetTimeouts changes the session's own limits. No element is ever waited for.
func (s *Session) SetTimeouts(ctx context.Context, t Timeouts) error {
	return s.post(ctx, "/timeouts", map[string]int64{
		"script": t.Script.Milliseconds(), "pageLoad": t.PageLoad.Milliseconds(), "implicit": 0,
	}, nil)
}

// Navigate loads an address. When it returns depends on the page load strategy that
// the session was made with.
func (s *Session) Navigate(ctx context.Context, address string) error {
	return s.post(ctx, "/url", map[string]string{"url": address}, nil)
}

// URL is the address of the current window's document.
func (s *Session) URL(ctx context.Context) (string, error) {
	var address string
	return address, s.get(ctx, "/url", &address)
}

// Execute runs the body of a function, in the page's own world, with args as its
// arguments, and decodes what it returns into out unless that is nil (section
// 13.2.1). A script that waits for a promise is stopped after the script timeout.
func (s *Session) Execute(ctx context.Context, body string, out any, args ...any) error {
	return s.post(ctx, "/execute/sync", script(body, args), out)
}

// ExecuteAsync is Execute for a function that calls its last argument, which is
// added here, with its result (section 13.2.2).
func (s *Session) ExecuteAsync(ctx context.Context, body string, out any, args ...any) error {
	return s.post(ctx, "/execute/async", script(body, args), out)
}

func script(body string, args []any) map[string]any {
	if args == nil {
		args = []any{} // null is refused
	}
	return map[string]any{"script": body, "args": args}
}

// SetCookie adds a cookie for the document that is shown (section 14.3).
func (s *Session) SetCookie(ctx context.Context, c Cookie) error {
	return s.post(ctx, "/cookie", map[string]Cookie{"cookie": c}, nil)
}

// Cookie is a cookie in the protocol's form (section 14).
type Cookie struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	Path     string `json:"path,omitempty"`
	Domain   string `json:"domain,omitempty"`
	Secure   bool   `json:"secure,omitempty"`
	HTTPOnly bool   `json:"httpOnly,omitempty"`
	SameSite string `json:"sameSite,omitempty"`
	// Expiry in seconds since 1970; 0 ends the cookie with the session.
	Expiry int64 `json:"expiry,omitempty"`
}

// Screenshot is a PNG of the viewport of the current window (section 17.1).
func (s *Session) Screenshot(ctx context.Context) ([]byte, error) {
	var picture []byte // JSON carries it in base64, which is what []byte is in JSON
	if err := s.get(ctx, "/screenshot", &picture); err != nil {
		return nil, fmt.Errorf("taking a screenshot: %w", err)
	}
	return picture, nil
}

// elementKey is the name under which JSON carries an element (section 12.2).
const elementKey = "element-6066-11e4-a52e-4f735466cecf"

// Element is an element of a document. Scripts take it as an argument and return it.
type Element string

// MarshalJSON writes the reference.
func (e Element) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{elementKey: string(e)})
}

// UnmarshalJSON reads a reference; null is the empty element.
func (e *Element) UnmarshalJSON(data []byte) error {
	var m map[string]string
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("reading an element: %w", err)
	}
	*e = Element(m[elementKey])
	return nil
}

// SendKeys types text into an element; for a file input the text is the paths of
// the files, a line each (section 12.5.3).
func (s *Session) SendKeys(ctx context.Context, e Element, text string) error {
	return s.post(ctx, "/element/"+string(e)+"/value", map[string]string{"text": text}, nil)
}
