//go:build linux

package browser_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// A stand-in takes the place of Firefox or of WebKit's driver and goes wrong as
// standInHow says. At the point where nothing more comes of it it calls standInBell.
const (
	standInHow  = "LEGWORK_TEST_STANDIN"
	standInBell = "LEGWORK_TEST_STANDIN_BELL"
)

// playStandIn makes this program the stand-in that it was started as.
func playStandIn() bool {
	how := os.Getenv(standInHow)
	switch name := filepath.Base(os.Args[0]); {
	case how == "":
		return false
	case how == "child":
		<-time.After(10 * time.Minute)
	case name == "WebKitWebDriver":
		playDriver(how)
	case strings.HasPrefix(name, "firefox"):
		playFirefox(how)
	default:
		return false
	}
	return true
}

// hang does nothing more, with a child that would outlive a careless end.
func hang() {
	child := exec.Command(os.Args[0])
	child.Env = append(child.Environ(), standInHow+"=child")
	_ = child.Run()
}

// ring tells the test that the stand-in is where it goes wrong.
func ring() {
	if c, err := net.Dial("tcp", os.Getenv(standInBell)); err == nil {
		_ = c.Close()
	}
}

// playAnything goes wrong in the ways that all programs have in common, and tells
// whether it did.
func playAnything(how string) bool {
	switch how {
	case "dies":
		fmt.Fprintln(os.Stderr, "no usable display")
		os.Exit(3)
	case "mute":
		ring()
		hang()
		return true
	}
	return false
}

func playFirefox(how string) {
	if playAnything(how) {
		return
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(4)
	}
	at := ln.Addr().String()
	switch how {
	case "another port":
		_ = ln.Close()
	case "another machine":
		at = "192.0.2.1:80"
	case "no answer", "half an answer":
		go stutter(ln, "HTTP/1.1 101 Switching Proto", how == "half an answer")
	default:
		go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { converse(w, r, how) }))
	}
	fmt.Fprintln(os.Stderr, "WebDriver BiDi listening on ws://"+at)
	hang()
}

// stutter takes connections and answers with the beginning of an answer at best.
func stutter(ln net.Listener, beginning string, say bool) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		if _, err := bufio.NewReader(c).ReadString('\n'); err != nil {
			continue
		}
		if say {
			_, _ = io.WriteString(c, beginning)
		}
		ring()
	}
}

// converse is the BiDi of a Firefox up to where it goes wrong.
func converse(w http.ResponseWriter, r *http.Request, how string) {
	if how == "no browser" {
		_, _ = io.WriteString(w, "hello")
		return
	}
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	for n := 1; ; n++ {
		if _, _, err := c.Read(context.Background()); err != nil {
			return
		}
		answer := fmt.Sprintf(`{"type":"success","id":%d,"result":{}}`, n)
		switch {
		case how == "half a message":
			answer = answer[:10]
		case how == "no JSON":
			answer = "hello"
		case how == "no session":
			answer = fmt.Sprintf(`{"type":"error","id":%d,"error":"session not created","message":"no"}`, n)
		case how == "silent":
			answer = ""
		case n > 3 && how == "stops later":
			answer = ""
		case n > 3 && how == "dies later":
			os.Exit(5)
		}
		if answer != "" {
			_ = c.Write(context.Background(), websocket.MessageText, []byte(answer))
		}
		if n == 1 && how != "stops later" || n == 4 {
			ring()
		}
	}
}

func playDriver(how string) {
	port := ""
	for _, arg := range os.Args {
		if p, ok := strings.CutPrefix(arg, "--port="); ok {
			port = p
		}
	}
	if playAnything(how) {
		return
	}
	if how == "another port" {
		port = "0"
	}
	ln, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		os.Exit(4)
	}
	switch how {
	case "another port":
		ring()
	case "no answer", "half an answer":
		go stutter(ln, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"value\":", how == "half an answer")
	default:
		go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { obey(w, r, how) }))
	}
	hang()
}

// obey is the WebDriver of WebKit up to where it goes wrong.
func obey(w http.ResponseWriter, r *http.Request, how string) {
	silent := func() {
		ring()
		<-r.Context().Done()
	}
	path := r.Method + " " + r.URL.Path
	switch {
	case path == "GET /status" && how == "no browser":
		_, _ = io.WriteString(w, "hello")
		ring()
	case path == "GET /status":
		_, _ = fmt.Fprintf(w, `{"value":{"ready":%s,"message":""}}`, strconv.FormatBool(how != "never ready"))
		if how == "never ready" {
			ring()
		}
	case path != "POST /session" && how == "dies later":
		os.Exit(5)
	case how == "silent", path != "POST /session":
		_, _ = io.Copy(io.Discard, r.Body) // only then is the end of the client noticed
		silent()
	case how == "no JSON":
		_, _ = io.WriteString(w, "hello")
	case how == "half a message":
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"value":{"sessionId":"x`)
		_ = http.NewResponseController(w).Flush()
		_, _ = io.Copy(io.Discard, r.Body)
		silent()
	case how == "no session":
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, `{"value":{"error":"session not created","message":"no","stacktrace":""}}`)
	default:
		_, _ = io.WriteString(w, `{"value":{"sessionId":"x","capabilities":{}}}`)
	}
}

// expiring is a context with a deadline that comes when the test says so.
type expiring struct {
	context.Context
	expired chan struct{}
}

func (e expiring) Done() <-chan struct{} { return e.expired }

func (e expiring) Err() error {
	select {
	case <-e.expired:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func (e expiring) Deadline() (time.Time, bool) { return time.Now().Add(time.Hour), true }
