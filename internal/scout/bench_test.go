package scout

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// bench is a server with a browser and a practice site of its own.
type bench struct {
	*Server
	site  *practice.Site
	pool  *browser.Pool
	dir   string
	calls atomic.Int32
	hosts map[string]string
}

// The addresses of the practice site.
const (
	fsaURL     = "http://practice.localhost/aid-estimator/"
	widgetsURL = "http://practice.localhost/widgets/"
)

// newBench starts everything; the test's end stops it.
func newBench(t testing.TB, set Settings) *bench {
	t.Helper()
	b := &bench{site: practice.New(), dir: t.TempDir()}
	b.serve(t, b.site)
	b.pool = browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell, TabsPerBrowser: 8})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := b.pool.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	b.open(t, set)
	return b
}

// serve puts a handler behind the practice names.
func (b *bench) serve(t testing.TB, h http.Handler) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	addr := strings.TrimPrefix(srv.URL, "http://")
	b.hosts = map[string]string{"practice.localhost:80": addr, "partner.localhost:80": addr}
}

// open makes a new server on the same folder, as after a restart of the program.
func (b *bench) open(t testing.TB, set Settings) {
	t.Helper()
	store, err := wizard.OpenStore(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Wizards: store, Browser: b.pool, Dir: b.dir, Settings: set, Policy: func(string) (browser.Policy, error) {
		return browser.Policy{Hosts: b.hosts, OnlyOrigins: []string{"http://practice.localhost", "http://partner.localhost"}}, nil
	}})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := s.Drain(ctx); err != nil {
			t.Error(err)
		}
	})
	b.Server = s
}

// said is one answer.
type said struct {
	text   string
	data   map[string]any
	raw    []byte
	failed bool
	images int
}

// as calls a tool for somebody.
func (b *bench) as(t testing.TB, subject, name string, args any) said {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	for _, bound := range tool.BindAll(b.Server, Tools) {
		if bound.Spec.Name != "federalscout_"+name {
			continue
		}
		b.calls.Add(1)
		who := auth.Principal{Issuer: "https://issuer.example/", Subject: subject}
		if subject == "local" {
			who = auth.Local()
		}
		ctx := tool.WithCaller(t.Context(), who)
		res := bound.Call(ctx, tool.Policy{Authorize: func(context.Context, tool.Spec) error { return nil }}, raw)
		return reading(t, name, res)
	}
	t.Fatalf("there is no tool %s", name)
	return said{}
}

// reading takes a result apart and checks what holds for all of them.
func reading(t testing.TB, name string, result any) said {
	t.Helper()
	whole, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	var wire struct {
		Content []struct {
			Type, Text, Data string
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := json.Unmarshal(whole, &wire); err != nil {
		t.Fatal(err)
	}
	out := said{failed: wire.IsError, raw: wire.Structured}
	pictures := 0
	for _, c := range wire.Content {
		switch c.Type {
		case "text":
			out.text = c.Text
		case "image":
			out.images++
			pictures += len(c.Data)
		}
	}
	if err := json.Unmarshal(out.raw, &out.data); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if _, err := time.Parse(time.RFC3339, fmt.Sprint(out.data["timestamp"])); err != nil {
		t.Errorf("%s: the answer has no timestamp: %v", name, err)
	}
	if len(whole) > 700<<10 || len(whole)-pictures > 100<<10 {
		t.Errorf("%s: the answer has %d bytes, %d of them pictures", name, len(whole), pictures)
	}
	return out
}

// call calls a tool as the local user and fails the test when the tool fails.
func (b *bench) call(t testing.TB, name string, args any) said {
	t.Helper()
	got := b.as(t, "local", name, args)
	if got.failed {
		t.Fatalf("%s failed: %s", name, got.text)
	}
	return got
}

// fails calls a tool that must fail with a type.
func (b *bench) fails(t testing.TB, typ, name string, args any) said {
	t.Helper()
	got := b.as(t, "local", name, args)
	if !got.failed || got.data["error_type"] != typ {
		t.Errorf("%s: want %s, got %s", name, typ, got.text)
	}
	if !strings.Contains(got.text, typ) {
		t.Errorf("%s: the text does not name %s: %s", name, typ, got.text)
	}
	return got
}

// start opens a form and returns the session.
func (b *bench) start(t testing.TB, url string) string {
	t.Helper()
	return b.call(t, "start_discovery", StartIn{URL: url}).str("session_id")
}

func (s said) str(key string) string {
	v, _ := s.data[key].(string)
	return v
}

func (s said) num(key string) int {
	v, _ := s.data[key].(float64)
	return int(v)
}

// off switches pictures off.
func off() *bool { return new(bool) }
