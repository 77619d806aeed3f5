package webhook

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/netip"
	"time"

	"github.com/legwork-mcp/legwork/internal/reach"
	"github.com/legwork-mcp/legwork/internal/store"
)

// timeout is how long an endpoint may take to answer.
const timeout = 15 * time.Second

// Options are what webhooks need.
type Options struct {
	// Key is the secret of the board from which those of the endpoints are derived, 32
	// bytes or more. Another key makes all of them invalid.
	Key []byte
	// Types are the events that exist, as agents may subscribe to them.
	Types []string
	// Later leaves a job behind that calls Deliver with the id.
	Later func(ctx context.Context, tx store.Tx, delivery string) error
	// NewID makes ids that sort by time.
	NewID func() string
	// AllowPrivate lets endpoints be on this machine and in its networks, and be
	// reached without TLS. It is for trying things out.
	AllowPrivate bool
	// Resolve looks names up, the system's way unless set.
	Resolve reach.Resolver
	// TLS is how endpoints prove who they are, the usual way unless set.
	TLS *tls.Config
}

// Hooks keeps endpoints and delivers to them. It is safe for concurrent use.
type Hooks struct {
	db      *store.DB
	client  *http.Client
	key     []byte
	types   []string
	later   func(context.Context, store.Tx, string) error
	newID   func() string
	private bool
	turns   *turns
}

// New returns the webhooks of a database.
func New(db *store.DB, o Options) *Hooks {
	dialer := &reach.Dialer{Resolve: o.Resolve}
	if o.AllowPrivate {
		dialer.Allow = func(netip.AddrPort) bool { return true }
	}
	return &Hooks{
		db: db, client: reach.NewClient(dialer, o.TLS, timeout),
		key: o.Key, types: o.Types, later: o.Later, newID: o.NewID, private: o.AllowPrivate, turns: newTurns(),
	}
}
