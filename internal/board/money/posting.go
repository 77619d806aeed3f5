package money

import (
	"errors"
	"fmt"
)

// Account names one side of a posting.
type Account string

// The accounts that are there once.
const (
	External Account = "external" // the world outside: what came in is negative, what went out positive
	Fees     Account = "fees"     // what the board earned
	Rounding Account = "rounding" // what could not be divided
)

// AgentFunding holds what a requester paid in and no task holds.
func AgentFunding(agentID string) Account { return Account("agent_funding:" + agentID) }

// Escrow holds the money of one task from its acceptance to its end.
func Escrow(taskID string) Account { return Account("escrow:" + taskID) }

// Worker holds what a person earned and was not paid out yet.
func Worker(humanID string) Account { return Account("worker:" + humanID) }

// Posting changes the balance of one account.
type Posting struct {
	Account Account
	Amount  Amount
}

// Transaction is a set of postings that happen together.
type Transaction struct {
	Key      string // unique for ever: the same transaction cannot be posted twice
	Kind     string // fund, release, pay_out, refund
	TaskID   string
	Postings []Posting
}

// ErrUnbalanced is a transaction that would make or lose money.
var ErrUnbalanced = errors.New("the postings of a transaction do not sum to zero")

// Check refuses a transaction whose postings do not sum to zero in every currency,
// and one that moves nothing.
func (t Transaction) Check() error {
	if t.Key == "" || len(t.Postings) < 2 {
		return fmt.Errorf("transaction %q of %d postings: %w", t.Key, len(t.Postings), ErrUnbalanced)
	}
	sums := map[Currency]int64{}
	for _, p := range t.Postings {
		if p.Account == "" || !p.Amount.Currency.Valid() || p.Amount.Minor == 0 || p.Amount.Minor > Max || p.Amount.Minor < -Max {
			return fmt.Errorf("transaction %q posts %v to %q: %w", t.Key, p.Amount, p.Account, ErrAmount)
		}
		sums[p.Amount.Currency] += p.Amount.Minor
	}
	for c, sum := range sums {
		if sum != 0 {
			return fmt.Errorf("transaction %q is off by %d %s: %w", t.Key, sum, c, ErrUnbalanced)
		}
	}
	return nil
}

// Move adds a transfer from one account to another; an amount of zero adds nothing.
func (t *Transaction) Move(from, to Account, a Amount) {
	if a.Minor == 0 {
		return
	}
	t.Postings = append(t.Postings, Posting{from, Of(-a.Minor, a.Currency)}, Posting{to, a})
}
