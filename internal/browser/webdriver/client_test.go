package webdriver_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
)

// request is what a driver was sent.
type request struct {
	Method, Path, Body string
}

// driver answers every command of session "s 1" with one answer and keeps what it
// was sent.
type driver struct {
	status int
	answer string
	got    []request
}

func (d *driver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if r.URL.Path == "/session" {
		io.WriteString(w, `{"value":{"sessionId":"secret","capabilities":{"browserName":"MiniBrowser","browserVersion":"2.50.6"}}}`)
		return
	}
	d.got = append(d.got, request{r.Method, r.URL.Path, string(body)})
	if d.status != 0 {
		w.WriteHeader(d.status)
	}
	io.WriteString(w, d.answer)
}

// session opens a session at a driver.
func session(t *testing.T, d http.Handler) *webdriver.Session {
	t.Helper()
	srv := httptest.NewServer(d)
	t.Cleanup(srv.Close)
	s, err := webdriver.New(srv.URL+"/", srv.Client()).NewSession(t.Context(), webdriver.Capabilities{"pageLoadStrategy": "none"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCommandsAreTheProtocols(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		run  func(*webdriver.Session) error
		want request
	}{
		{"navigate", func(s *webdriver.Session) error { return s.Navigate(ctx, "http://a/") }, request{"POST", "/url", `{"url":"http://a/"}`}},
		{"script", func(s *webdriver.Session) error { return s.Execute(ctx, "return 1", nil) }, request{"POST", "/execute/sync", `{"args":[],"script":"return 1"}`}},
		{"script with arguments", func(s *webdriver.Session) error {
			return s.ExecuteAsync(ctx, "f", nil, "a", webdriver.Element("e1"))
		}, request{"POST", "/execute/async", `{"args":["a",{"element-6066-11e4-a52e-4f735466cecf":"e1"}],"script":"f"}`}},
		{"top frame", func(s *webdriver.Session) error { return s.SwitchTop(ctx) }, request{"POST", "/frame", `{"id":null}`}},
		{"frame by element", func(s *webdriver.Session) error { return s.SwitchFrame(ctx, "e1") }, request{"POST", "/frame", `{"id":{"element-6066-11e4-a52e-4f735466cecf":"e1"}}`}},
		{"frame by number", func(s *webdriver.Session) error { return s.SwitchFrameIndex(ctx, 0) }, request{"POST", "/frame", `{"id":0}`}},
		{"a command without content", func(s *webdriver.Session) error { return s.AcceptAlert(ctx) }, request{"POST", "/alert/accept", `{}`}},
		{"keys into an element", func(s *webdriver.Session) error { return s.SendKeys(ctx, "e1", "é\n") }, request{"POST", "/element/e1/value", `{"text":"é\n"}`}},
		{"press", func(s *webdriver.Session) error {
			return s.Perform(ctx, webdriver.Source{Type: "pointer", ID: "mouse", Actions: []webdriver.Action{{Type: "pointerMove", X: 3, Y: 4}, {Type: "pointerDown"}}})
		}, request{"POST", "/actions", `{"actions":[{"type":"pointer","id":"mouse","actions":[{"type":"pointerMove","button":0,"x":3,"y":4,"duration":0},{"type":"pointerDown","button":0,"x":0,"y":0,"duration":0}]}]}`}},
		{"end", func(s *webdriver.Session) error { return s.Close(ctx) }, request{"DELETE", "", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &driver{answer: `{"value":null}`}
			if err := c.run(session(t, d)); err != nil {
				t.Fatal(err)
			}
			c.want.Path = "/session/secret" + c.want.Path
			if diff := cmp.Diff([]request{c.want}, d.got); diff != "" {
				t.Error("-want +got", diff)
			}
		})
	}
}

func TestAnswersAreTyped(t *testing.T) {
	t.Run("an element", func(t *testing.T) {
		s := session(t, &driver{answer: `{"value":{"element-6066-11e4-a52e-4f735466cecf":"e7"}}`})
		var e webdriver.Element
		if err := s.Execute(t.Context(), "return document.body", &e); err != nil || e != "e7" {
			t.Errorf("got %q, %v", e, err)
		}
	})
	t.Run("no element", func(t *testing.T) {
		s := session(t, &driver{answer: `{"value":null}`})
		e := webdriver.Element("old")
		if err := s.Execute(t.Context(), "return null", &e); err != nil || e != "" {
			t.Errorf("got %q, %v", e, err)
		}
	})
	t.Run("a picture", func(t *testing.T) {
		s := session(t, &driver{answer: `{"value":"iVBORw=="}`})
		got, err := s.Screenshot(t.Context())
		if err != nil || string(got) != "\x89PNG" {
			t.Errorf("got %q, %v", got, err)
		}
	})
	t.Run("the browser", func(t *testing.T) {
		s := session(t, &driver{})
		if diff := cmp.Diff(webdriver.Browser{Name: "MiniBrowser", Version: "2.50.6"}, s.Browser); diff != "" {
			t.Error("-want +got", diff)
		}
	})
}

func TestRefusalsAreTyped(t *testing.T) {
	const answer = `{"value":{"error":"unexpected alert open","message":"PAGE WORDS","data":{"text":"Really?"}}}`
	s := session(t, &driver{status: http.StatusInternalServerError, answer: answer})
	err := s.Execute(t.Context(), "return 1", nil)
	var refused *webdriver.Error
	if !errors.As(err, &refused) || !errors.Is(err, webdriver.UnexpectedAlert) || errors.Is(err, webdriver.StaleElement) {
		t.Fatalf("got %v", err)
	}
	want := webdriver.Error{Command: "POST /execute/sync", Code: webdriver.UnexpectedAlert, Message: "PAGE WORDS", Alert: "Really?"}
	if diff := cmp.Diff(want, *refused); diff != "" {
		t.Error("-want +got", diff)
	}
	// The text of the error may reach a log.
	if text := err.Error(); strings.Contains(text, "PAGE") || strings.Contains(text, "secret") {
		t.Errorf("the error tells too much: %s", text)
	}
}

func TestAnswersThatAreNoWebDriver(t *testing.T) {
	for name, d := range map[string]*driver{
		"text":            {answer: "<html>hello"},
		"nothing":         {},
		"refusal as text": {status: http.StatusBadGateway, answer: "bad gateway"},
		"wrong type":      {answer: `{"value":{"a":1}}`},
		"no error code":   {status: http.StatusInternalServerError, answer: `{"value":{"message":"x"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := session(t, d).URL(t.Context()); err == nil {
				t.Error("the answer was taken")
			}
		})
	}
}

func TestSessionIDThatWouldChangeThePath(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"value":{"sessionId":"../admin","capabilities":{}}}`)
	}))
	defer srv.Close()
	if _, err := webdriver.New(srv.URL, srv.Client()).NewSession(t.Context(), nil); err == nil {
		t.Error("the session id was taken")
	}
}

func TestContextEndsACommand(t *testing.T) {
	came := make(chan struct{})
	s := session(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/session" {
			_ = json.NewEncoder(w).Encode(map[string]any{"value": map[string]any{"sessionId": "s", "capabilities": struct{}{}}})
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		close(came)
		<-r.Context().Done() // a driver that hangs
	}))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-came
		cancel()
	}()
	if err := s.Navigate(ctx, "http://a/"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
