package money

import (
	"context"
	"errors"
)

// Provider moves money between the world and the board. Every call carries a key:
// the same call with the same key again gives the first answer and moves nothing;
// a call that failed can be tried again with its key.
type Provider interface {
	// Fund takes the amount from the requester, or holds it for the board.
	Fund(ctx context.Context, t Transfer) (Receipt, error)
	// Refund gives back what Fund took under t.Of, in whole or in part.
	Refund(ctx context.Context, t Transfer) (Receipt, error)
	// PayOut sends the amount to the worker.
	PayOut(ctx context.Context, t Transfer) (Receipt, error)
	// Transfers are all that the provider did, for reconciliation.
	Transfers(ctx context.Context) ([]Transfer, error)
}

// The kinds of transfers.
const (
	KindFund   = "fund"
	KindRefund = "refund"
	KindPayOut = "pay_out"
)

// Transfer is one movement of money.
type Transfer struct {
	Key    string // idempotency key, unique over all kinds
	Of     string // key of the Fund that a Refund undoes
	Kind   string // set by the provider
	Party  string // id of the agent that pays, or of the human who is paid
	Amount Amount
}

// Receipt is the provider's name for a transfer.
type Receipt struct {
	ID string
}

// The errors of a provider. Other errors leave open whether the money moved; the
// same key finds out.
var (
	ErrDeclined = errors.New("the payment was declined")
	ErrKeyReuse = errors.New("the key was used for another transfer")
	ErrExceeded = errors.New("more would be refunded than was funded")
)
