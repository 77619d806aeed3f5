package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/push"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
)

// Options are what the pages need.
type Options struct {
	// Board is the data; mandatory.
	Board *data.Board
	// Media keeps what people deliver; mandatory. The pages serve its files under
	// /files/ and take uploads in parts under /uploads/. Links for programs, with an
	// empty viewer, work there too.
	Media *media.Store
	// Owner says who fetches a file that is not signed in on the pages, such as
	// human:ID for a program with a key; nil means nobody.
	Owner func(*http.Request) string
	// Secret signs the sign-ins of requesters: at least 32 bytes, the same in every
	// process of the board.
	Secret []byte
	// Secure is true when the board is reached over TLS only: cookies never leave it.
	Secure bool
	// Simulated says that the board's payments move no money; the pages say so
	// wherever they speak of pay.
	Simulated bool
	// SignIn is where people sign in with an account that they have elsewhere; nil for
	// by e-mail only.
	SignIn SignIn
	// LINE is the issuer whose subjects can be told by LINE; empty for nobody.
	LINE string
	// Push keeps the devices of people that can be told; nil for none.
	Push *push.Push
	// Mailbox is shown at /dev/mail. It lets anybody sign in as anybody, so it is for
	// trying the board out only; nil means that there is no such page.
	Mailbox Mailbox
	// Jobs tells operators of the queue; nil means that the page has no such part.
	Jobs Jobs
	// Books is what the comparison of ledger, tasks and payments found when it last found
	// something new, with the zero time for never; nil means that the page has no such part.
	Books func(context.Context) (at time.Time, findings []string, err error)
	// Screen says whether a text may be sent to the other side; nil lets all pass.
	Screen func(text string) error
	// Limits counts sign-ins, by what ClientAddress says of a request; nil means that
	// nobody counts them here.
	Limits ratelimit.Source
	// Visitor is how many pages somebody who is signed in, or an address, may ask for, together with
	// their calls of the API; the zero limit is none.
	Visitor       ratelimit.Limit
	ClientAddress func(*http.Request) string
	// FormTime is how long a form without files may take to arrive; default: 30 s.
	FormTime time.Duration
	// Logger gets defects, never what people type. Default: nothing.
	Logger *slog.Logger
	// Clock is what the pages take for now; mandatory.
	Clock func() time.Time
}

// Mailbox is the mails that a board without a mail server has written, such as
// those of [notify.Mailbox].
type Mailbox interface {
	// Letters are the newest ones, at most limit.
	Letters(ctx context.Context, limit int) ([]notify.Letter, error)
}

// Jobs counts the jobs of the queue.
type Jobs interface {
	// Counts are the numbers of jobs by kind and state.
	Counts(ctx context.Context) ([]JobCount, error)
}

// JobCount is the number of jobs of one kind in one state.
type JobCount struct {
	Kind, State string
	Count       int
}

// minSecret is the least length of a secret, that of its HMAC (RFC 2104, section 3).
const minSecret = 32

// New makes the pages.
func New(o Options) (*Site, error) {
	if o.Board == nil || o.Media == nil || o.Clock == nil {
		return nil, errors.New("make the pages: a board, a place for files and a clock are needed")
	}
	if (o.Limits == nil) != (o.ClientAddress == nil) {
		return nil, errors.New("make the pages: limits need to know the addresses of callers")
	}
	if len(o.Secret) < minSecret {
		return nil, fmt.Errorf("make the pages: the secret must have at least %d bytes", minSecret)
	}
	all, err := parsePages()
	if err != nil {
		return nil, fmt.Errorf("make the pages: %w", err)
	}
	s := &Site{options: o, board: o.Board, media: o.Media, pages: all, logger: o.Logger, now: o.Clock}
	if s.options.FormTime == 0 {
		s.options.FormTime = 30 * time.Second
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	s.build()
	return s, nil
}
