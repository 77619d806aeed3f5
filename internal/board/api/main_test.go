package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/webhook"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

func TestMain(m *testing.M) { os.Exit(databases.Run(m)) }

// outbox keeps the jobs of commands, for tests to look into: the codes of mails.
type outbox struct {
	mu   sync.Mutex
	jobs []data.Job
}

func (o *outbox) Enqueue(_ context.Context, _ store.Tx, job data.Job) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.jobs = append(o.jobs, job)
	return nil
}

// code is the last code that was mailed to the address.
func (o *outbox) code(t *testing.T, to string) string {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := len(o.jobs) - 1; i >= 0; i-- {
		if m := o.jobs[i].Mail; m != nil && strings.EqualFold(m.To, to) {
			return m.Values["code"]
		}
	}
	t.Fatalf("no code was mailed to %s", to)
	return ""
}

// bench is a board over real HTTP.
type bench struct {
	*testing.T
	url   string
	api   *Server
	board *data.Board
	mails *outbox
	money *money.Fake
	log   *lockedBuffer
	db    *store.DB
}

// breakDown makes every command fail from now on.
func (b *bench) breakDown() {
	b.Helper()
	if err := b.db.Close(); err != nil {
		b.Fatal(err)
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// settle pays what is due.
func (b *bench) settle() {
	b.Helper()
	b.mails.mu.Lock()
	jobs := slices.Clone(b.mails.jobs)
	b.mails.mu.Unlock()
	for _, j := range jobs {
		if j.Kind == task.JobPayout || j.Kind == task.JobRefund {
			if err := b.board.Settle(b.Context(), j.ID); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// newBench makes a board on SQLite; change may set options before it starts.
func newBench(t *testing.T, change ...func(*Options)) *bench {
	t.Helper()
	return benchOn(t, databases.SQLite(t), change...)
}

func benchOn(t *testing.T, u store.URL, change ...func(*Options)) *bench {
	t.Helper()
	db := storetest.Open(t, u)
	b := &bench{T: t, mails: &outbox{}, money: money.NewFake(), log: &lockedBuffer{}, db: db}
	var err error
	b.board, err = data.Open(db, data.Options{Pepper: []byte(strings.Repeat("pepper", 6)), Provider: b.money, Outbox: b.mails})
	if err != nil {
		t.Fatal(err)
	}
	hooks := webhook.New(db, webhook.Options{
		Key: []byte(strings.Repeat("key!", 8)), Types: EventTypes(), NewID: func() string { return data.NewID(time.Now()) },
		Later: func(context.Context, store.Tx, string) error { return nil },
	})
	o := Options{Board: b.board, Webhooks: hooks, Version: "test", Logger: slog.New(slog.NewJSONHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	for _, f := range change {
		f(&o)
	}
	b.api = New(o)
	srv := httptest.NewServer(b.api)
	t.Cleanup(srv.Close)
	b.url, b.api.o.BaseURL = srv.URL, srv.URL
	return b
}

// call is one request.
type call struct {
	method, path string
	body         any    // marshalled, unless it is a string
	as           string // bearer
	header       map[string]string
}

// answered is what came back.
type answered struct {
	status int
	header http.Header
	raw    string
	json   map[string]any
}

func (a answered) reason() string { s, _ := a.json["reason"].(string); return s }

func (b *bench) do(c call) answered {
	b.Helper()
	var body io.Reader
	switch v := c.body.(type) {
	case nil:
	case string:
		body = strings.NewReader(v)
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			b.Fatal(err)
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(b.Context(), c.method, b.url+c.path, body)
	if err != nil {
		b.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.as != "" {
		req.Header.Set("Authorization", "Bearer "+c.as)
	}
	for k, v := range c.header {
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	a := answered{status: resp.StatusCode, header: resp.Header, raw: string(raw)}
	if len(raw) > 0 && resp.Header.Get("Content-Type") != "text/event-stream" {
		if err := json.Unmarshal(raw, &a.json); err != nil {
			b.Fatalf("%s %s answers no JSON object: %q", c.method, c.path, raw)
		}
	}
	return a
}

// must is do with the status that is expected.
func (b *bench) must(status int, c call) answered {
	b.Helper()
	a := b.do(c)
	if a.status != status {
		b.Fatalf("%s %s: status %d, want %d: %s", c.method, c.path, a.status, status, a.raw)
	}
	return a
}
