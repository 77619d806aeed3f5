package rest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
)

const key = "ai_live_0badcafe_c4na7y"

var agent = rest.Credentials{AccountID: "acc-1", APIKey: observe.Secret(key)}

// dial makes a client of a board.
func dial(t *testing.T, h http.HandlerFunc, change ...func(*rest.Options)) *rest.Client {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	o := rest.Options{BaseURL: srv.URL, HTTP: srv.Client(), Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	for _, c := range change {
		c(&o)
	}
	c, err := rest.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// An address that a key must not be sent to is no board.
func TestAddressesOfBoards(t *testing.T) {
	for address, good := range map[string]bool{
		"https://board.example.org": true, "https://board.example.org/": true, "https://Board.example.org/base/": true,
		"http://127.0.0.1:8090": true, "http://localhost:3000": true, "http://[::1]:3000": true,
		"http://board.example.org": false, "http://127.0.0.1.example.org": false, "": false, "board.example.org": false, "ftp://board.example.org": false,
		"https://user:hunter2@board.example.org": false, "https://board.example.org/?a=b": false, "https://board.example.org/#x": false, "https://": false,
		"javascript:alert(1)": false, "https://board.example.org/?": false,
	} {
		_, err := rest.New(rest.Options{BaseURL: address, HTTP: &http.Client{}})
		if (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q is quoted: %v", address, err)
		}
	}
	if _, err := rest.New(rest.Options{BaseURL: "http://board:8090", HTTP: &http.Client{}, AllowPlain: true}); err != nil {
		t.Errorf("a plain address that was allowed: %v", err)
	}
}

// A path in the address comes before the API's.
func TestBoardsBelowAPath(t *testing.T) {
	var path atomic.Value
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path.Store(r.URL.Path)
		answer(w, 200, `{"task":{"id":"t","submission":{"id":"s","content_url":"/files/x?sig=1"}}}`)
	}))
	defer srv.Close()
	c, err := rest.New(rest.Options{BaseURL: srv.URL + "/base/", HTTP: srv.Client()})
	if err != nil {
		t.Fatal(err)
	}
	task, err := c.GetTask(t.Context(), agent, "t", "")
	if err != nil || path.Load() != "/base/api/tasks" || task.Submission.ContentURL != srv.URL+"/files/x?sig=1" {
		t.Errorf("%v, %v, %v", err, path.Load(), task.Submission)
	}
}

// A redirect is not followed: not even the question goes elsewhere.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var asked atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		c := dial(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, status) })
		_, get := c.GetTask(t.Context(), agent, "t", "")
		_, post := c.CreateTask(t.Context(), agent, rest.NewTask{}, "k")
		for _, err := range []error{get, post} {
			var e *rest.Error
			if !errors.As(err, &e) || e.Trouble != rest.NotJSON || e.Status != status {
				t.Errorf("%d: %v", status, err)
			}
		}
	}
	if asked.Load() != 0 {
		t.Errorf("the other address was asked %d times", asked.Load())
	}
}

// How often a request is made that gets no answer: reads and keyed posts again, other
// writes never, and what never left this machine always.
func TestAttempts(t *testing.T) {
	cut := func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
	status := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { answer(w, code, body) }
	}
	get := func(c *rest.Client) error { _, err := c.GetTask(context.Background(), agent, "t", ""); return err }
	create := func(c *rest.Client) error {
		_, err := c.CreateTask(context.Background(), agent, rest.NewTask{}, "k")
		return err
	}
	bare := func(c *rest.Client) error {
		_, err := c.CreateTask(context.Background(), agent, rest.NewTask{}, "")
		return err
	}
	reject := func(c *rest.Client) error {
		_, err := c.Reject(context.Background(), agent, rest.Command{TaskID: "t", Key: "k"}, rest.Rejection{})
		return err
	}
	connect := func(c *rest.Client) error {
		_, err := c.Connect(context.Background(), rest.NewAccount{}, rest.Credentials{})
		return err
	}
	busy := `{"status":"error","reason":"request_in_progress"}`
	for name, tt := range map[string]struct {
		board     http.HandlerFunc
		ask       func(*rest.Client) error
		attempts  int64
		uncertain bool
	}{
		"a read that breaks":                 {cut, get, 3, false},
		"a read of a broken gateway":         {status(502, `{}`), get, 3, false},
		"a read that is refused":             {status(404, `{"status":"not_found"}`), get, 1, false},
		"a keyed post that breaks":           {cut, create, 3, true},
		"a keyed post of a broken gateway":   {status(504, `{}`), create, 3, true},
		"a keyed post that fails":            {status(500, `{}`), create, 1, true},
		"a keyed post that is refused":       {status(409, `{"reason":"not_open"}`), create, 1, false},
		"a keyed post that is still running": {status(409, busy), create, 3, false},
		"a post without a key":               {cut, bare, 1, true},
		"a rejection that breaks":            {cut, reject, 1, true},
		"a rejection of a broken gateway":    {status(502, `{}`), reject, 1, true},
		"a rejection that is still running":  {status(409, busy), reject, 1, false},
		"a new account":                      {cut, connect, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int64
			c := dial(t, func(w http.ResponseWriter, r *http.Request) {
				n.Add(1)
				tt.board(w, r)
			})
			var e *rest.Error
			if err := tt.ask(c); !errors.As(err, &e) || e.Uncertain != tt.uncertain {
				t.Errorf("%v, %+v", err, e)
			}
			if n.Load() != tt.attempts {
				t.Errorf("%d attempts, want %d", n.Load(), tt.attempts)
			}
		})
	}
}

// The transport must not send a write again by itself either, which it does on a
// connection that was used before.
func TestNothingIsSentAgainBehindOurBack(t *testing.T) {
	var writes, posts atomic.Int64
	c := dial(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			answer(w, 200, `{"task":{"id":"t"}}`)
		case r.URL.Path == "/api/tasks":
			posts.Add(1)
			panic(http.ErrAbortHandler)
		default:
			writes.Add(1)
			panic(http.ErrAbortHandler)
		}
	})
	for range 3 {
		if _, err := c.GetTask(t.Context(), agent, "t", ""); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Reject(t.Context(), agent, rest.Command{TaskID: "t", Key: "k"}, rest.Rejection{}); err == nil {
			t.Error("no error")
		}
	}
	if writes.Load() != 3 {
		t.Errorf("3 rejections were sent %d times", writes.Load())
	}
	if _, err := c.CreateTask(t.Context(), agent, rest.NewTask{}, ""); err == nil || posts.Load() != 1 {
		t.Errorf("a post without a key was sent %d times", posts.Load())
	}
}

// What never left this machine has not happened, and may be tried again.
func TestARefusedConnectionIsCertain(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + ln.Addr().String()
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	waits := 0
	c, err := rest.New(rest.Options{BaseURL: address, HTTP: &http.Client{}, Wait: func(context.Context, time.Duration) error { waits++; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Reject(t.Context(), agent, rest.Command{TaskID: "t", Key: "k"}, rest.Rejection{})
	var e *rest.Error
	if !errors.As(err, &e) || e.Trouble != rest.Unreachable || e.Uncertain || waits != 2 {
		t.Errorf("%v, %+v, %d waits", err, e, waits)
	}
}

// Every attempt is the same request, byte for byte: a board compares them.
func TestAttemptsAreTheSameRequest(t *testing.T) {
	var bodies []string
	c := dial(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		bodies = append(bodies, r.Header.Get("Idempotency-Key")+" "+string(raw))
		if len(bodies) < 3 {
			answer(w, 503, `{}`)
			return
		}
		answer(w, 200, `{"id":"t","status":"open"}`)
	})
	p, err := c.CreateTask(t.Context(), agent, rest.NewTask{Task: "x", BudgetUSD: "8.50"}, "key-1")
	if err != nil || p.ID != "t" || len(bodies) != 3 || bodies[0] != bodies[1] || bodies[1] != bodies[2] {
		t.Fatalf("%v %v %q", err, p, bodies)
	}
	for _, want := range []string{`key-1 `, `"budget_usd":8.50`, `"ai_account_id":"acc-1"`, `"ai_api_key":"` + key + `"`} {
		if !strings.Contains(bodies[0], want) {
			t.Errorf("%s lacks %s", bodies[0], want)
		}
	}
}

// Errors say nothing that a person, the board or this program keeps secret.
func TestErrorsAreFitForLogs(t *testing.T) {
	secretive := func(c *rest.Client) []error {
		_, list := c.ListTasks(t.Context(), agent, rest.Filter{Query: "what-was-searched-for"})
		_, get := c.GetTask(t.Context(), agent, "the-task", "")
		_, search := c.SearchHumans(t.Context(), agent, url.Values{"city": {"what-was-searched-for"}})
		_, connect := c.Connect(t.Context(), rest.NewAccount{Name: "n", PayPalEmail: "ann@shop.example"}, agent)
		return []error{list, get, search, connect}
	}
	for name, board := range map[string]http.HandlerFunc{
		"refused": func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 400, `{"reason":"the key `+key+` of ann@shop.example","detail":"`+key+`"}`)
		},
		"broken": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"prose":  func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, key, "ann@shop.example") },
	} {
		for _, err := range secretive(dial(t, board)) {
			if err == nil {
				t.Errorf("%s: no error", name)
				continue
			}
			for _, secret := range []string{key, "ann@", "what-was-searched-for", "the-task"} {
				if strings.Contains(err.Error(), secret) || strings.Contains(fmt.Sprintf("%v", err), secret) {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// Answers that are too large or come too slowly end a request.
func TestBoundsOfAnswers(t *testing.T) {
	large := dial(t, func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 200, `{"tasks":[{"id":"`+strings.Repeat("x", 5000)+`"}]}`)
	}, func(o *rest.Options) { o.MaxAnswer = 4096 })
	_, err := large.ListTasks(t.Context(), agent, rest.Filter{})
	var e *rest.Error
	if !errors.As(err, &e) || e.Trouble != rest.TooLarge {
		t.Errorf("large: %v", err)
	}
	endless := dial(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat(" ", 4096)); err != nil {
				return
			}
		}
	}, func(o *rest.Options) { o.MaxAnswer, o.Timeout = 4096, 5*time.Second })
	if _, err := endless.Reject(t.Context(), agent, rest.Command{TaskID: "t"}, rest.Rejection{}); !errors.As(err, &e) || e.Trouble != rest.TooLarge {
		t.Errorf("endless: %v", err)
	}
	release := make(chan struct{})
	defer close(release)
	slow := dial(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}, func(o *rest.Options) { o.Timeout = 20 * time.Millisecond })
	_, err = slow.GetTask(t.Context(), agent, "t", "")
	if !errors.As(err, &e) || e.Trouble != rest.TimedOut {
		t.Errorf("slow: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := slow.GetTask(ctx, agent, "t", ""); !errors.Is(err, context.Canceled) || errors.As(err, new(*rest.Error)) {
		t.Errorf("a caller who gave up: %v", err)
	}
}

// Addresses of files are whole, and none that a program should not open.
func TestAddressesOfFiles(t *testing.T) {
	for link, want := range map[string]string{
		"https://cdn.example/a.jpg": "https://cdn.example/a.jpg", "javascript:alert(1)": "", "data:text/html,x": "", "//evil.example/a": "",
		"https://user:pw@cdn.example/a": "", "relative.jpg": "", "file:///etc/passwd": "", "/files/a?sig=1": "BASE/files/a?sig=1", ":": "",
	} {
		c := dial(t, func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, fmt.Sprintf(`{"task":{"id":"t","submission":{"id":"s","content_url":%q,"items":[{"content_url":%q}]}}}`, link, link))
		})
		task, err := c.GetTask(t.Context(), agent, "t", "")
		if err != nil {
			t.Fatal(err)
		}
		want = strings.Replace(want, "BASE", c.Base(), 1)
		if task.Submission.ContentURL != want || task.Submission.Items[0].ContentURL != want {
			t.Errorf("%s: %s, %s", link, task.Submission.ContentURL, task.Submission.Items[0].ContentURL)
		}
	}
}

// A refusal of the guard is told as it is, and is not tried again.
func TestTheGuardsRefusalIsTold(t *testing.T) {
	asked := 0
	hc := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		asked++
		return nil, fault.New(fault.Denied, "origin_not_allowed", "No.", "Do not.")
	})}
	c, err := rest.New(rest.Options{BaseURL: "https://board.example", HTTP: hc})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.GetTask(t.Context(), agent, "t", "")
	var f *fault.Error
	if !errors.As(err, &f) || f.Type != "origin_not_allowed" || asked != 1 {
		t.Errorf("%v after %d", err, asked)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
