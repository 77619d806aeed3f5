package jobs

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Board is what the jobs need of a board; *data.Board is one.
type Board interface {
	Timers
	Ledger
	Facts
	Upkeep
}

// Timers are the commands of the clock. Each refuses when its time is not over or
// the task went on.
type Timers interface {
	ExpireTask(ctx context.Context, taskID string) (task.Task, error)
	ExpireOffer(ctx context.Context, offerID string) error
	AutoApprove(ctx context.Context, taskID string) (task.Task, error)
	EndAppeal(ctx context.Context, taskID string) (task.Task, error)
}

// Ledger moves money and checks that none was lost.
type Ledger interface {
	Settle(ctx context.Context, transferKey string) error
	VoidStale(ctx context.Context, before time.Time) (int, error)
	Transfers(ctx context.Context, status data.TransferStatus, before time.Time) ([]data.Transfer, error)
	Audit(ctx context.Context) ([]string, error)
}

// Facts are what there is to tell.
type Facts interface {
	Event(ctx context.Context, id string) (data.Event, error)
	Task(ctx context.Context, id string) (task.Task, error)
	Offer(ctx context.Context, id string) (data.Offer, error)
	Recipients
}

// Recipients are who it is told to.
type Recipients interface {
	Person(ctx context.Context, humanID string) (data.Person, error)
	Identities(ctx context.Context, humanID string) ([]data.Identity, error)
	Agent(ctx context.Context, agentID string) (data.AgentAccount, error)
	Applications(ctx context.Context, taskID string, status data.ApplicationStatus, p data.Page) ([]data.Application, string, error)
}

// Upkeep finds what is due and forgets what is over.
type Upkeep interface {
	Due(ctx context.Context) ([]data.Job, error)
	ForgetKeys(ctx context.Context) (int64, error)
	ListPeople(ctx context.Context, p data.Page) ([]data.Person, string, error)
}

// Uploads are files that nobody finished sending, or that nothing refers to.
type Uploads interface {
	// Expire removes those that are too old and says how many.
	Expire(ctx context.Context) (int, error)
}
