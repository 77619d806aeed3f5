package practice

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// longest bounds every delay that a page takes, in milliseconds.
const longest = 30_000

// wait holds an answer back for some milliseconds, or until the client is gone.
func wait(r *http.Request, ms int) {
	timer := time.NewTimer(time.Duration(min(ms, longest)) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}

// delay is the parameter delay_ms of the address, or the page's own.
func (c *widgetCall) delay(otherwise int) int {
	ms, err := strconv.Atoi(c.r.URL.Query().Get("delay_ms"))
	if err != nil || ms < 0 {
		return otherwise
	}
	return ms
}

// Delay is when a page's script does what the page is about, in milliseconds.
func (p widgetPage) Delay() int {
	ms, err := strconv.Atoi(p.Query.Get("delay_ms"))
	if err != nil || ms < 0 {
		return 1000
	}
	return min(ms, longest)
}

// counter counts by key.
type counter struct {
	mu sync.Mutex
	by map[string]int
}

func newCounter() *counter { return &counter{by: map[string]int{}} }

// next returns how often the key was asked for before, and starts again after a
// number of times. Keys are few: what a test names.
func (c *counter) next(key string, startAgain int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.by[key]
	c.by[key] = (n + 1) % startAgain
	return n
}

// loadWidgets are the pages that are slow, break or never rest.
func loadWidgets() map[string]widget {
	name := []ask{askText("full_name", "Full name")}
	return map[string]widget{
		"f18a": {title: "A slow first answer", asks: name, page: "plain.html", open: func(c *widgetCall) bool {
			wait(c.r, c.delay(0))
			return false
		}},
		"f18b": {title: "The first answer breaks", asks: name, page: "plain.html", open: breakFirst},
		"f18c": {title: "A network that never rests", asks: name, parts: map[string]func(*widgetCall){
			"heartbeat": func(c *widgetCall) { c.w.WriteHeader(http.StatusNoContent) },
		}},
		"f18d": {title: "A form that is drawn again before it works", asks: append(name, askProof("ready", "Wait until the form is ready", "yes"))},
		"f18e": {title: "A question about the session", asks: append(name,
			askProof("stayed", "Your session has ended: nobody answered the question", "not asked", "yes"))},
		"f18f": {title: "A form that is drawn again", asks: name},
	}
}

// breakFirst resets the connection of the first of two requests with the same
// token, as an overloaded server does; the second one is answered.
func breakFirst(c *widgetCall) bool {
	if c.site.resets.next(c.r.URL.Query().Get("token"), 2) > 0 {
		return false
	}
	hijacker, ok := c.w.(http.Hijacker)
	if !ok {
		http.Error(c.w, "this connection cannot be reset", http.StatusInternalServerError)
		return true
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		return true
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // closing then sends RST
	}
	_ = conn.Close()
	return true
}

// gateWidgets are the pages that stop a program; it must say so and go.
func gateWidgets() map[string]widget {
	name := []ask{askText("full_name", "Full name")}
	status := func(code int, template string) func(*widgetCall) bool {
		return func(c *widgetCall) bool {
			page := c.page()
			page.Status = code
			c.showTemplate(template, page)
			return true
		}
	}
	redirect := func(to string) func(*widgetCall) bool {
		return func(c *widgetCall) bool {
			http.Redirect(c.w, c.r, to, http.StatusFound)
			return true
		}
	}
	titled := func(title, template string) func(*widgetCall) {
		return func(c *widgetCall) {
			page := c.page()
			page.Title = title
			c.showTemplate(template, page)
		}
	}
	return map[string]widget{
		"f19a": {title: "403", asks: name, open: status(http.StatusForbidden, "f19a.html")},
		"f19b": {title: "Access Denied", asks: name},
		"f19c": {title: "A CAPTCHA", asks: name, parts: map[string]func(*widgetCall){"recaptcha": widgetPart("f19c-recaptcha.html")}},
		"f19d": {title: "Sign in", asks: name, page: "plain.html", open: redirect("/widgets/f19d/login?back=/widgets/f19d"), parts: map[string]func(*widgetCall){
			"login": titled("Sign in to continue", "f19d-login.html"),
		}},
		"f19e": {title: "A one-time code", asks: name, page: "plain.html", open: redirect("/widgets/f19e/code"), parts: map[string]func(*widgetCall){
			"code": titled("Check your phone", "f19e-code.html"),
		}},
		"f19f": {title: "A form that only talks about barriers", asks: name},
		"f19g": {title: "A challenge after Continue", asks: name, parts: map[string]func(*widgetCall){"challenge": widgetPart("f19g-challenge.html")}},
		"f19h": {title: "429", asks: name, open: func(c *widgetCall) bool {
			c.w.Header().Set("Retry-After", "120")
			return status(http.StatusTooManyRequests, "f19h.html")(c)
		}},
	}
}

// resultWidgets are the pages that differ in how they answer.
func resultWidgets() map[string]widget {
	form := func(title, template string) widget {
		return widget{title: title, page: "plain.html", asks: []ask{askText("full_name", "Full name")}, answer: func(c *widgetCall, reference string) {
			page := c.page()
			page.Title, page.Reference = "Received", reference
			c.showTemplate(template, page)
		}}
	}
	all := map[string]widget{
		"f23a": form("An answer in pairs", "f23a-answer.html"),
		"f23b": form("An answer in a table", "f23b-answer.html"),
		"f23c": form("An answer in big type", "f23c-answer.html"),
		"f23d": form("An answer below much navigation", "f23d-answer.html"),
		"f23e": form("An answer in a frame", "f23e-answer.html"),
		"f23f": form("An answer to download", "f23f-answer.html"),
	}
	inFrame, download := all["f23e"], all["f23f"]
	inFrame.parts = map[string]func(*widgetCall){"inside": widgetPart("f23e-inside.html")}
	download.parts = map[string]func(*widgetCall){"letter.pdf": serveLetter}
	all["f23e"], all["f23f"] = inFrame, download
	return all
}

// serveLetter sends a small PDF.
func serveLetter(c *widgetCall) {
	c.w.Header().Set("Content-Type", "application/pdf")
	c.w.Header().Set("Content-Disposition", `attachment; filename="letter.pdf"`)
	_, _ = io.WriteString(c.w, letterPDF) // a broken connection is the client's
}

var letterPDF = strings.Join([]string{
	"%PDF-1.4",
	"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
	"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
	"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj",
	"trailer<</Root 1 0 R>>",
	"%%EOF",
	"",
}, "\n")
