package data

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Job is work that a command leaves to later. It is enqueued if and only if the
// command commits. A job may run late, or twice; what it calls allows that.
type Job struct {
	Kind task.Job
	Key  string    // unique among jobs of its kind that did not run yet
	At   time.Time // not before; zero for at once
	ID   string    // of the event, task, offer or transfer that it is about
	Mail *Mail     // of JobMail
}

// Mail is a mail that belongs to no event. Its values are secrets: a job must
// not log them.
type Mail struct {
	Template string // a name of internal/board/notify, such as sign_in_code
	To       string
	Lang     string // ja or en
	Values   map[string]string
}

// Outbox takes jobs inside the transaction of a command.
type Outbox interface {
	Enqueue(ctx context.Context, tx store.Tx, job Job) error
}

// The templates of mails.
const (
	MailSignIn      = "sign_in_code"      // Values: code
	MailAgentVerify = "agent_verify_code" // Values: code, name
)
