package data

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// MinPepper is how many bytes the pepper has at least.
const MinPepper = 32

// Options are what a Board needs. Zero values mean the default in the comment.
type Options struct {
	Pepper   []byte         // keys, codes, sessions and references are derived with it; mandatory
	Provider money.Provider // moves the money; mandatory
	Outbox   Outbox         // takes the jobs; mandatory
	Terms    Terms
	// Operators are the mail addresses whose owners are operators from their next
	// sign-in on. Who is one stays one: SetOperator ends it.
	Operators []string
}

// Terms are the rules of a board that its operator may set.
type Terms struct {
	Floors          task.Floors   // least budgets: USD 5.00, JPY 750
	FeeBPS          int64         // of the budget: 2000, that is 20 %; below 0 means none
	CancelBPS       int64         // of the budget to the worker when a requester cancels late: 3000
	CancelFree      time.Duration // after the acceptance, without compensation: 10 min
	Grace           time.Duration // after the deadline in which a delivery still counts: 5 min
	ReviewWindow    time.Duration // until a delivery is approved by itself: 72 h
	AppealWindow    time.Duration // until a rejection is final: 72 h
	RevisionTime    time.Duration // at least left after a revision request: 24 h
	RateWindow      time.Duration // both sides may rate: 7 days
	DefaultDeadline time.Duration // of a task that names none: 7 days
	MaxApplications int64         // pending on one task: 50
	RejectFree      int64         // rejections in 30 days without a question: 3
	RejectBPS       int64         // and of the deliveries of these days: 2500
	DailyCap        map[money.Currency]int64
	// DailyCap is for agents without one of their own: USD 500.00, JPY 75,000 a day.
}

// DefaultTerms are the terms of a board that sets none.
func DefaultTerms() Terms {
	const day = 24 * time.Hour
	return Terms{
		Floors: task.DefaultFloors(), FeeBPS: 2000, CancelBPS: 3000, CancelFree: 10 * time.Minute, Grace: 5 * time.Minute,
		ReviewWindow: 3 * day, AppealWindow: 3 * day, RevisionTime: day, RateWindow: 7 * day, DefaultDeadline: 7 * day,
		MaxApplications: 50, RejectFree: 3, RejectBPS: 2500,
		DailyCap: map[money.Currency]int64{money.USD: 50_000, money.JPY: 75_000},
	}
}

// Board is the data of one board. It is safe for concurrent use, by several
// processes too.
type Board struct {
	db        *store.DB
	provider  money.Provider
	outbox    Outbox
	secrets   secrets
	terms     Terms
	operators []string
}

// Open returns the board in a database that is migrated.
func Open(db *store.DB, o Options) (*Board, error) {
	if len(o.Pepper) < MinPepper {
		return nil, fmt.Errorf("open the board: the pepper must have at least %d bytes", MinPepper)
	}
	if o.Provider == nil || o.Outbox == nil {
		return nil, errors.New("open the board: a provider and an outbox are needed")
	}
	return &Board{db: db, provider: o.Provider, outbox: o.Outbox, secrets: newSecrets(o.Pepper), terms: o.Terms.withDefaults(), operators: addresses(o.Operators)}, nil
}

// Terms are the terms in force.
func (b *Board) Terms() Terms { return b.terms }

// Quote says who gets what of a budget.
func (b *Board) Quote(budget money.Amount) (money.Quote, error) {
	return money.QuoteFor(budget, b.terms.FeeBPS)
}

func (t Terms) withDefaults() Terms {
	d := DefaultTerms()
	if t.Floors == nil {
		t.Floors = d.Floors
	}
	if t.DailyCap == nil {
		t.DailyCap = d.DailyCap
	}
	for _, n := range []struct{ v, d *int64 }{
		{&t.FeeBPS, &d.FeeBPS}, {&t.CancelBPS, &d.CancelBPS}, {&t.MaxApplications, &d.MaxApplications},
		{&t.RejectFree, &d.RejectFree}, {&t.RejectBPS, &d.RejectBPS},
	} {
		if *n.v == 0 {
			*n.v = *n.d
		}
		*n.v = max(*n.v, 0)
	}
	for _, n := range []struct{ v, d *time.Duration }{
		{&t.CancelFree, &d.CancelFree}, {&t.Grace, &d.Grace}, {&t.ReviewWindow, &d.ReviewWindow}, {&t.AppealWindow, &d.AppealWindow},
		{&t.RevisionTime, &d.RevisionTime}, {&t.RateWindow, &d.RateWindow}, {&t.DefaultDeadline, &d.DefaultDeadline},
	} {
		if *n.v == 0 {
			*n.v = *n.d
		}
		*n.v = max(*n.v, 0)
	}
	return t
}

// write runs f in a transaction whose statements each lock what they decide on.
func (b *Board) write(ctx context.Context, f func(context.Context, store.Tx) error) error {
	return b.db.TxReadCommitted(ctx, f)
}
