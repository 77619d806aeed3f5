package bidi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// peer is the browser's side of a connection.
type peer struct {
	t      *testing.T
	socket *websocket.Conn
}

// next is the next command that came.
func (p *peer) next(ctx context.Context) (id int64, text string, ok bool) {
	_, body, err := p.socket.Read(ctx)
	if err != nil {
		return 0, "", false
	}
	var m struct {
		ID int64 `json:"id"`
	}
	if err := json.Unmarshal(body, &m); err != nil {
		p.t.Errorf("the client sent %s: %v", body, err)
		return 0, "", false
	}
	return m.ID, string(body), true
}

func (p *peer) send(ctx context.Context, format string, args ...any) {
	_ = p.socket.Write(ctx, websocket.MessageText, fmt.Appendf(nil, format, args...))
}

// dial connects a client to a browser that behaves as serve does.
func dial(t *testing.T, handle func(string, json.RawMessage), serve func(ctx context.Context, p *peer)) (*bidi.Conn, context.Context) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		socket, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error("accepting:", err)
			return
		}
		defer func() { _ = socket.CloseNow() }()
		socket.SetReadLimit(-1)
		serve(r.Context(), &peer{t: t, socket: socket})
	}))
	t.Cleanup(srv.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	c, err := bidi.Dial(ctx, "ws"+strings.TrimPrefix(srv.URL, "http")+"/session", handle)
	if err != nil {
		t.Fatal("dialling:", err)
	}
	t.Cleanup(c.Close)
	return c, ctx
}

// hold keeps a connection open until the client ends it.
func hold(ctx context.Context, p *peer) {
	for {
		if _, _, ok := p.next(ctx); !ok {
			return
		}
	}
}

func TestEventsBeforeAnAnswerAreApplied(t *testing.T) {
	var seen []string // by the reader only, until an answer is there
	c, ctx := dial(t, func(method string, params json.RawMessage) { seen = append(seen, method+string(params)) },
		func(ctx context.Context, p *peer) {
			first, _, _ := p.next(ctx)
			second, _, _ := p.next(ctx)
			p.send(ctx, `{"type":"event","method":"a","params":{"n":1}}`)
			p.send(ctx, `not JSON`)
			p.send(ctx, `{"type":"success","id":99,"result":{}}`) // nobody asked
			p.send(ctx, `{"type":"error","id":null,"error":"invalid argument","message":"?"}`)
			p.send(ctx, `{"type":"event","method":"b","params":{"n":2}}`)
			p.send(ctx, `{"type":"success","id":%d,"result":{"context":"second"}}`, second)
			p.send(ctx, `{"type":"success","id":%d,"result":{"context":"first"}}`, first)
			hold(ctx, p)
		})
	one := bidi.Start(c, bidi.Create, bidi.CreateParams{Type: "tab"})
	two := bidi.Start(c, bidi.Create, bidi.CreateParams{Type: "tab"})
	got, err := one.Wait(ctx)
	if err != nil || got.Context != "first" {
		t.Errorf("the first command got %+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{`a{"n":1}`, `b{"n":2}`}, seen); diff != "" {
		t.Error("events before the answer (-want +got):\n" + diff)
	}
	if got, err := two.Wait(ctx); err != nil || got.Context != "second" {
		t.Errorf("the second command got %+v, %v", got, err)
	}
}

func TestParametersAreAlwaysAnObject(t *testing.T) {
	sent := make(chan string, 2)
	c, ctx := dial(t, nil, func(ctx context.Context, p *peer) {
		for {
			id, text, ok := p.next(ctx)
			if !ok {
				return
			}
			sent <- text
			p.send(ctx, `{"type":"success","id":%d,"result":{}}`, id)
		}
	})
	bidi.Post(c, bidi.BrowserClose, bidi.None{})
	if _, err := bidi.Call(ctx, c, bidi.SessionStatus, bidi.None{}); err != nil {
		t.Fatal(err)
	}
	want := []string{`{"id":1,"method":"browser.close","params":{}}`, `{"id":2,"method":"session.status","params":{}}`}
	if diff := cmp.Diff(want, []string{<-sent, <-sent}); diff != "" {
		t.Error("what was sent (-want +got):\n" + diff)
	}
}

func TestARefusalIsTyped(t *testing.T) {
	c, ctx := dial(t, nil, func(ctx context.Context, p *peer) {
		id, _, _ := p.next(ctx)
		p.send(ctx, `{"type":"error","id":%d,"error":"no such frame","message":"gone","stacktrace":""}`, id)
		hold(ctx, p)
	})
	_, err := bidi.Call(ctx, c, bidi.Navigate, bidi.NavigateParams{Context: "x"})
	var refused *bidi.Error
	if !errors.As(err, &refused) {
		t.Fatalf("the error is %v", err)
	}
	if diff := cmp.Diff(&bidi.Error{Method: "browsingContext.navigate", Code: "no such frame", Message: "gone"}, refused); diff != "" {
		t.Error("refusal (-want +got):\n" + diff)
	}
	if !bidi.Refused(err, "no such node", "no such frame") || bidi.Refused(err, "no such node") || bidi.Refused(bidi.ErrLost, "no such frame") {
		t.Error("Refused does not tell the codes apart")
	}
}

func TestALostConnectionFailsEveryone(t *testing.T) {
	for name, end := range map[string]func(ctx context.Context, p *peer){
		"cut":        func(_ context.Context, p *peer) { _ = p.socket.CloseNow() },
		"closed":     func(_ context.Context, p *peer) { _ = p.socket.Close(websocket.StatusGoingAway, "bye") },
		"half frame": func(ctx context.Context, p *peer) { half(ctx, p) },
	} {
		t.Run(name, func(t *testing.T) {
			c, ctx := dial(t, nil, func(ctx context.Context, p *peer) {
				for range 3 {
					p.next(ctx)
				}
				end(ctx, p)
			})
			waiting := []bidi.Pending[bidi.None]{}
			for range 3 {
				waiting = append(waiting, bidi.Start(c, bidi.SessionStatus, bidi.None{}))
			}
			for _, w := range waiting {
				if err := w.Done(ctx); !errors.Is(err, bidi.ErrLost) {
					t.Errorf("a command that waited got %v", err)
				}
			}
			select {
			case <-c.Done():
			case <-ctx.Done():
				t.Error("the connection does not say that it has ended")
			}
			if _, err := bidi.Call(ctx, c, bidi.SessionStatus, bidi.None{}); !errors.Is(err, bidi.ErrLost) {
				t.Errorf("a command after the end got %v", err)
			}
		})
	}
}

// half sends the beginning of a message and cuts the connection.
func half(ctx context.Context, p *peer) {
	w, err := p.socket.Writer(ctx, websocket.MessageText)
	if err == nil {
		_, _ = w.Write([]byte(`{"type":"success","id":1,`))
	}
	_ = p.socket.CloseNow()
}

func TestWaitingEnds(t *testing.T) {
	c, ctx := dial(t, nil, hold)
	t.Run("with the context", func(t *testing.T) {
		ended, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := bidi.Call(ended, c, bidi.SessionStatus, bidi.None{}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("with what was asked", func(t *testing.T) {
		gone := make(chan struct{})
		close(gone)
		if _, err := bidi.Start(c, bidi.SessionStatus, bidi.None{}).WaitOr(ctx, gone); !errors.Is(err, bidi.ErrGone) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("with the connection", func(t *testing.T) {
		w := bidi.Start(c, bidi.SessionStatus, bidi.None{})
		c.Close()
		if err := w.Done(ctx); !errors.Is(err, bidi.ErrLost) {
			t.Errorf("got %v", err)
		}
	})
}

func TestAnAnswerCanBeLarge(t *testing.T) {
	picture := strings.Repeat("A", 8<<20)
	c, ctx := dial(t, nil, func(ctx context.Context, p *peer) {
		id, _, _ := p.next(ctx)
		p.send(ctx, `{"type":"success","id":%d,"result":{"data":%q}}`, id, picture)
		hold(ctx, p)
	})
	got, err := bidi.Call(ctx, c, bidi.CaptureScreenshot, bidi.ScreenshotParams{Context: "x"})
	if err != nil || len(got.Data) != len(picture)/4*3 {
		t.Errorf("got %d bytes, %v", len(got.Data), err)
	}
}

func TestABrowserThatIsNotThere(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := bidi.Dial(ctx, "ws"+strings.TrimPrefix(srv.URL, "http"), nil); err == nil {
		t.Error("a server that speaks no WebSocket was accepted")
	}
}

func TestOnlyThisMachineIsDialled(t *testing.T) {
	for _, address := range []string{"ws://192.0.2.1:9222/session", "ws://localhost:1/", "wss://127.0.0.1:1/", "http://127.0.0.1:1/", "ws://[::ffff:192.0.2.1]:1/", "ws://127.0.0.1.example.org/", "%"} {
		if _, err := bidi.Dial(t.Context(), address, nil); err == nil || !strings.Contains(err.Error(), "loopback") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
