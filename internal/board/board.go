package board

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/api"
	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/jobs"
	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/push"
	"github.com/legwork-mcp/legwork/internal/board/simulated"
	"github.com/legwork-mcp/legwork/internal/board/web"
	"github.com/legwork-mcp/legwork/internal/board/webhook"
)

// Board is one board, put together.
type Board struct {
	o        Options
	db       *store.DB
	data     *data.Board
	jobs     *jobs.Jobs
	provider *simulated.Provider
	media    *media.Store
	push     *push.Push
	handler  http.Handler
	draining atomic.Bool
	stop     chan struct{} // closed by Drain
}

// Open opens the database, brings its tables up to date, and puts the board together.
// Close it when Run has returned and the handler is no longer used.
func Open(ctx context.Context, o Options) (*Board, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	db, err := store.Open(ctx, o.Database)
	if err != nil {
		return nil, err
	}
	b := &Board{o: o, db: db, provider: simulated.New(db), stop: make(chan struct{})}
	if err := b.assemble(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return b, nil
}

// Restore makes the tables of a board in an empty Postgres database and fills them from a
// file that store.Backup made of another one.
func Restore(ctx context.Context, o Options, path string) error {
	b, err := Open(ctx, o)
	if err != nil {
		return err
	}
	if err := b.Close(); err != nil {
		return err
	}
	return store.Restore(ctx, o.Database, path)
}

func (b *Board) assemble(ctx context.Context) error {
	if _, err := b.db.Migrate(ctx); err != nil {
		return err
	}
	var err error
	if b.push, err = b.o.pushes(b.db); err != nil {
		return err
	}
	sender, err := b.o.sender(b.db, b.push)
	if err != nil {
		return err
	}
	b.jobs, err = jobs.Open(ctx, b.db, jobs.Options{
		Key: []byte(b.o.Secrets.SigningKey), Sender: sender, LINE: b.o.lineIssuer(), Base: b.o.BaseURL, Logger: b.o.Logger, Clock: b.o.Clock,
		Webhooks: webhook.Options{AllowPrivate: b.o.AllowPrivateWebhooks},
	})
	if err != nil {
		return err
	}
	b.data, err = data.Open(b.db, data.Options{
		Pepper: []byte(b.o.Secrets.Pepper), Provider: b.provider, Outbox: b.jobs, Terms: b.o.terms(), Operators: b.o.Operators,
	})
	if err != nil {
		return err
	}
	b.media, err = media.Open(media.Options{Dir: filepath.Join(b.o.Dir, "media"), Key: []byte(b.o.Secrets.SigningKey), Now: b.o.Clock, Logger: b.o.Logger})
	if err != nil {
		return err
	}
	b.handler, err = b.routes()
	return err
}

// routes puts everything under one address.
func (b *Board) routes() (http.Handler, error) {
	limits := b.o.limits(b.counter())
	kept := files{b.media}
	rest := api.New(api.Options{
		Board: b.data, Webhooks: b.jobs.Hooks, Files: kept, Limits: limits, Logger: b.o.Logger, BaseURL: b.o.BaseURL, Version: b.o.Version,
		USDJPY: b.o.USDJPY, ClientAddress: b.clientAddress, Clock: b.o.Clock, Stop: b.stop,
	})
	options := b.pageOptions(rest.Owner, limits)
	desk, err := b.o.SignIn.desk(b.o.BaseURL, b.o.Clock)
	if err != nil {
		return nil, err
	}
	if desk != nil {
		options.SignIn = desk
	}
	pages, err := web.New(options)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", pages)
	mux.Handle("/api/", rest)
	mux.Handle("/api/uploads/", http.StripPrefix("/api/uploads", b.media.Uploads(uploader(rest))))
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		say(w, http.StatusOK, map[string]any{"status": "healthy", "service": "legwork board", "version": b.o.Version})
	})
	mux.HandleFunc("GET /ready", b.ready)
	return b.atHome(mux), nil
}

// atHome keeps a board that is on this machine only to the names of this machine: a
// page of a site whose name was made to lead here would be of the same origin.
func (b *Board) atHome(next http.Handler) http.Handler {
	u, err := url.Parse(b.o.BaseURL)
	if err != nil || !loopback(u.Hostname()) {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if !loopback(host) {
			say(w, http.StatusForbidden, map[string]any{"status": "error", "reason": "forbidden", "message": "This board is for this machine; call it by the address that it printed."})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// loopback reports whether a host name or address is this machine.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && a.Unmap().IsLoopback()
}

// pageOptions also let programs fetch files: the pages serve them to everybody.
func (b *Board) pageOptions(owner func(*http.Request) string, limits api.Limits) web.Options {
	o := web.Options{
		Board: b.data, Media: b.media, Owner: owner, Secret: []byte(b.o.Secrets.SigningKey), Secure: strings.HasPrefix(b.o.BaseURL, "https://"),
		LINE: b.o.lineIssuer(), Push: b.push, Jobs: counts{b.jobs}, Books: b.books, Screen: api.ScreenMessage, Logger: b.o.Logger, Clock: b.o.Clock,
		Simulated: true, Limits: limits.Source, Visitor: limits.Key, ClientAddress: b.clientAddress,
	}
	if b.o.DevMail {
		o.Mailbox = b.mailbox()
	}
	return o
}

// books is the last report of the comparison of ledger, tasks and payments.
func (b *Board) books(ctx context.Context) (time.Time, []string, error) {
	r, err := b.jobs.Reported(ctx)
	return r.At, r.Findings, err
}

// mailbox is where the mails of a board with DevMail are.
func (b *Board) mailbox() *notify.Mailbox { return notify.NewMailbox(b.db) }

// counts tells the pages of the queue.
type counts struct{ jobs *jobs.Jobs }

// Counts implements web.Jobs.
func (c counts) Counts(ctx context.Context) ([]web.JobCount, error) {
	all, err := c.jobs.Counts(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]web.JobCount, 0, len(all))
	for _, n := range all {
		out = append(out, web.JobCount{Kind: n.Kind, State: n.State, Count: n.N})
	}
	return out, nil
}

// counter counts calls where all processes of the board see it: in the database on
// Postgres, in memory on SQLite, whose file has one process that answers.
func (b *Board) counter() ratelimit.Source {
	if b.db.Engine() == store.Postgres {
		return ratelimit.NewSQL(b.db)
	}
	return ratelimit.NewMemory(countedKeys, b.o.Clock)
}

// countedKeys is how many callers are counted at a time.
const countedKeys = 100_000

// Handler answers requests.
func (b *Board) Handler() http.Handler { return b.handler }

// Run does the jobs until ctx ends and those that run have finished. Several processes
// may run at once.
func (b *Board) Run(ctx context.Context) error {
	return b.jobs.Run(ctx, jobs.Work{Board: b.data, Uploads: expiring{b.media}})
}

// Drain has /ready say from now on that the board is going away, and ends the streams
// that would go on.
func (b *Board) Drain() {
	if !b.draining.Swap(true) {
		close(b.stop)
	}
}

// Close closes the database.
func (b *Board) Close() error { return b.db.Close() }

func (b *Board) ready(w http.ResponseWriter, r *http.Request) {
	err := b.db.Ping(r.Context())
	if err != nil { // anybody may ask: where the database is, is for the log alone
		b.o.Logger.WarnContext(r.Context(), "the database does not answer", "error", err, "cause", fault.From(err).Cause)
		err = fault.New(fault.Unavailable, "database_unavailable", "The database of the board does not answer.", "")
	}
	if err == nil && b.draining.Load() {
		err = fault.New(fault.Unavailable, "shutting_down", "The board is shutting down.", "")
	}
	if err != nil {
		f := fault.From(err)
		say(w, http.StatusServiceUnavailable, map[string]any{"status": "not_ready", "reason": f.Type, "message": f.Error()})
		return
	}
	say(w, http.StatusOK, map[string]any{"status": "ready"})
}

func say(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client has gone
}

// clientAddress is the last address in X-Forwarded-For that no known proxy has, when
// a known proxy sent the request; everything before it is what strangers say. An
// address of IPv6 is counted as its network of 64 bits, which one customer has.
func (b *Board) clientAddress(r *http.Request) string {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	addr := at.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && b.proxy(addr); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = next.Unmap()
	}
	if addr.Is6() {
		if network, err := addr.WithZone("").Prefix(64); err == nil {
			return network.String()
		}
	}
	return addr.String()
}

func (b *Board) proxy(a netip.Addr) bool {
	for _, p := range b.o.Proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// noMail is the sender of a board that cannot send.
type noMail struct{}

// Send implements notify.Sender.
func (noMail) Send(context.Context, notify.Letter) error {
	return fmt.Errorf("send a mail: %w", errNoMail)
}

var errNoMail = errors.New("neither board_smtp_url nor board_dev_mail is set")
