package webhook_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/webhook"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

func TestMain(m *testing.M) { os.Exit(databases.Run(m)) }

var types = []string{"task.created", "task.accepted", "task.completed"}

// bench is webhooks with a clock and the jobs that they leave.
type bench struct {
	*webhook.Hooks
	db   *store.DB
	mu   sync.Mutex
	time time.Time
	jobs []string
	ids  atomic.Int64
}

func (b *bench) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.time
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.time = b.time.Add(d)
}

// take returns the jobs since the last call.
func (b *bench) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	jobs := b.jobs
	b.jobs = nil
	return jobs
}

func newBench(t *testing.T, u store.URL, o webhook.Options) *bench {
	t.Helper()
	b := &bench{time: time.Date(2026, 2, 28, 23, 59, 0, 0, time.UTC)}
	b.db = storetest.Open(t, u).WithClock(b.now)
	o.Key, o.Types = []byte("0123456789abcdef0123456789abcdef"), types
	o.NewID = func() string { return fmt.Sprintf("id%06d", b.ids.Add(1)) }
	o.Later = func(_ context.Context, _ store.Tx, id string) error {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.jobs = append(b.jobs, id)
		return nil
	}
	b.Hooks = webhook.New(b.db, o)
	return b
}

// local lets a bench reach a server of the test.
func local(s *httptest.Server) webhook.Options {
	roots := x509.NewCertPool()
	if c := s.Certificate(); c != nil {
		roots.AddCert(c)
	}
	return webhook.Options{
		AllowPrivate: true, TLS: &tls.Config{RootCAs: roots},
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		},
	}
}

// got is one delivery as an endpoint sees it.
type got struct {
	header http.Header
	body   []byte
	path   string
}

// endpoint is a server that answers with the statuses in turn, and then with the last.
func endpoint(t *testing.T, statuses ...int) (*httptest.Server, func() []got) {
	t.Helper()
	var mu sync.Mutex
	var all []got
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, got{r.Header, body, r.URL.String()})
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(statuses[min(len(all), len(statuses))-1])
		_, _ = io.WriteString(w, "canary of the answer")
	}))
	t.Cleanup(s.Close)
	return s, func() []got {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

// named is the address of a test server under a name that its certificate has.
func named(t *testing.T, s *httptest.Server) string {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return "https://example.com:" + u.Port() + "/hook?token=canary"
}

func (b *bench) create(t *testing.T, address string, events ...string) (webhook.Endpoint, string) {
	t.Helper()
	e, secret, err := b.Create(t.Context(), "agent1", address, events)
	if err != nil {
		t.Fatal(err)
	}
	return e, secret
}

func (b *bench) fan(t *testing.T, e webhook.Event) {
	t.Helper()
	err := b.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error { return b.Fan(ctx, tx, "agent1", e) })
	if err != nil {
		t.Fatal(err)
	}
}

// deliver makes one attempt and reports whether another one is wanted.
func (b *bench) deliver(t *testing.T, id string, last bool) bool {
	t.Helper()
	err := b.Deliver(t.Context(), id, last)
	if err != nil && !errors.Is(err, webhook.ErrUndelivered) {
		t.Fatal(err)
	}
	return err != nil
}

func (b *bench) log(t *testing.T, e webhook.Endpoint) []webhook.Delivery {
	t.Helper()
	list, err := b.Log(t.Context(), e.AgentID, e.ID, webhook.Page{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func accepted(id string, at time.Time) webhook.Event {
	return webhook.Event{ID: id, Type: "task.accepted", OccurredAt: at, TaskID: "task1", TaskVersion: 3, TaskStatus: "accepted", Actor: "agent"}
}

func typeOf(err error) string {
	if err == nil {
		return ""
	}
	return fault.From(err).Type
}
