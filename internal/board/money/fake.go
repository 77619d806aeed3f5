package money

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// Fake is a Provider that moves nothing and keeps what it was asked for in
// memory. Its receipts depend on nothing but the key. It is safe for concurrent use.
type Fake struct {
	mu     sync.Mutex
	done   map[string]Transfer
	order  []string
	refuse func(Transfer) error
}

// NewFake returns a provider that accepts every transfer.
func NewFake() *Fake { return &Fake{done: map[string]Transfer{}} }

// FailWith makes the fake ask refuse before every new transfer; an error of it is
// the answer and nothing is recorded. nil accepts everything again.
func (f *Fake) FailWith(refuse func(Transfer) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refuse = refuse
}

// Fund implements Provider, as the methods below do.
func (f *Fake) Fund(ctx context.Context, t Transfer) (Receipt, error) {
	return f.record(ctx, KindFund, t)
}

// Refund gives back at most what was funded.
func (f *Fake) Refund(ctx context.Context, t Transfer) (Receipt, error) {
	return f.record(ctx, KindRefund, t)
}

// PayOut pays.
func (f *Fake) PayOut(ctx context.Context, t Transfer) (Receipt, error) {
	return f.record(ctx, KindPayOut, t)
}

// Transfers are all that succeeded, in order.
func (f *Fake) Transfers(context.Context) ([]Transfer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]Transfer, 0, len(f.order))
	for _, key := range f.order {
		all = append(all, f.done[key])
	}
	return all, nil
}

func (f *Fake) record(ctx context.Context, kind string, t Transfer) (Receipt, error) {
	if err := ctx.Err(); err != nil {
		return Receipt{}, fmt.Errorf("%s %s: %w", kind, t.Key, err)
	}
	t.Kind = kind
	f.mu.Lock()
	defer f.mu.Unlock()
	if first, again := f.done[t.Key]; again {
		if first != t {
			return Receipt{}, fmt.Errorf("%s %s: %w", kind, t.Key, ErrKeyReuse)
		}
		return receipt(t.Key), nil
	}
	if t.Key == "" || t.Amount.Minor <= 0 || !t.Amount.Currency.Valid() {
		return Receipt{}, fmt.Errorf("%s %v: %w", kind, t.Amount, ErrAmount)
	}
	if kind == KindRefund && f.refundable(t) < t.Amount.Minor {
		return Receipt{}, fmt.Errorf("refund %s: %w", t.Key, ErrExceeded)
	}
	if f.refuse != nil {
		if err := f.refuse(t); err != nil {
			return Receipt{}, fmt.Errorf("%s %s: %w", kind, t.Key, err)
		}
	}
	f.done[t.Key] = t
	f.order = append(f.order, t.Key)
	return receipt(t.Key), nil
}

// refundable is what is left of the funding that t refunds.
func (f *Fake) refundable(t Transfer) int64 {
	funded, known := f.done[t.Of]
	if !known || funded.Kind != KindFund || funded.Amount.Currency != t.Amount.Currency {
		return 0
	}
	left := funded.Amount.Minor
	for _, d := range f.done {
		if d.Kind == KindRefund && d.Of == t.Of {
			left -= d.Amount.Minor
		}
	}
	return left
}

func receipt(key string) Receipt {
	sum := sha256.Sum256([]byte(key))
	return Receipt{"fake_" + hex.EncodeToString(sum[:8])}
}
