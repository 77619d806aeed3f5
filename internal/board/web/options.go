package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Options are what the pages need.
type Options struct {
	// Board is the data; mandatory.
	Board *data.Board
	// Files keeps what people deliver; mandatory.
	Files Files
	// Secret signs the sign-ins of requesters: at least 32 bytes, the same in every
	// process of the board.
	Secret []byte
	// Secure is true when the board is reached over TLS only: cookies never leave it.
	Secure bool
	// Mailbox is shown at /dev/mail. It lets anybody sign in as anybody, so it is for
	// trying the board out only; nil means that there is no such page.
	Mailbox Mailbox
	// Jobs tells operators of the queue; nil means that the page has no such part.
	Jobs Jobs
	// Screen says whether a text may be sent to the other side; nil lets all pass.
	Screen func(text string) error
	// Logger gets defects, never what people type. Default: nothing.
	Logger *slog.Logger
	// Clock is what the pages take for now; mandatory.
	Clock func() time.Time
}

// Files keeps delivered files.
type Files interface {
	// Keep stores a file that the actor sends, of a kind that the task asks for. Its
	// name is never used as a path. Refusals have the reasons of the public API:
	// invalid_file_type, file_too_large.
	Keep(ctx context.Context, by task.Actor, f File) (data.Item, error)
	// Links are the addresses on this server under which the viewer alone can see
	// a stored file for a short time, and its small picture.
	Links(ctx context.Context, viewer task.Actor, i data.Item) (Links, error)
}

// File is a file on its way in.
type File struct {
	Kind task.Deliverable
	Name string
	Body io.Reader
}

// Links are addresses of a stored file.
type Links struct{ Full, Thumb string }

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
	if o.Board == nil || o.Files == nil || o.Clock == nil {
		return nil, errors.New("make the pages: a board, a place for files and a clock are needed")
	}
	if len(o.Secret) < minSecret {
		return nil, fmt.Errorf("make the pages: the secret must have at least %d bytes", minSecret)
	}
	all, err := parsePages()
	if err != nil {
		return nil, fmt.Errorf("make the pages: %w", err)
	}
	s := &Site{options: o, board: o.Board, files: o.Files, pages: all, logger: o.Logger, now: o.Clock}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	s.build()
	return s, nil
}
