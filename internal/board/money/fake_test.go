package money_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/money"
)

func TestTheFakeIsIdempotentByKey(t *testing.T) {
	f := money.NewFake()
	fund := money.Transfer{Key: "fund:1", Party: "a", Amount: money.Of(500, money.USD)}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			r, err := f.Fund(t.Context(), fund)
			if err != nil || r.ID == "" {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
	wg.Wait()
	if all, err := f.Transfers(t.Context()); err != nil || len(all) != 1 || all[0].Kind != money.KindFund {
		t.Errorf("%v, %v", all, err)
	}
	other := fund
	other.Amount.Minor++
	if _, err := f.Fund(t.Context(), other); !errors.Is(err, money.ErrKeyReuse) {
		t.Errorf("another amount: %v", err)
	}
	if _, err := f.PayOut(t.Context(), fund); !errors.Is(err, money.ErrKeyReuse) {
		t.Errorf("another kind: %v", err)
	}
}

func TestTheFakeRefundsNoMoreThanWasFunded(t *testing.T) {
	f := money.NewFake()
	if _, err := f.Fund(t.Context(), money.Transfer{Key: "f", Party: "a", Amount: money.Of(500, money.USD)}); err != nil {
		t.Fatal(err)
	}
	refund := func(key, of string, a money.Amount) error {
		_, err := f.Refund(t.Context(), money.Transfer{Key: key, Of: of, Party: "a", Amount: a})
		return err
	}
	if err := refund("r1", "f", money.Of(300, money.USD)); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"too much":         refund("r2", "f", money.Of(201, money.USD)),
		"another currency": refund("r3", "f", money.Of(1, money.JPY)),
		"never funded":     refund("r4", "g", money.Of(1, money.USD)),
		"a refund":         refund("r5", "r1", money.Of(1, money.USD)),
	} {
		if !errors.Is(err, money.ErrExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := refund("r6", "f", money.Of(200, money.USD)); err != nil {
		t.Error(err)
	}
}

func TestAFailedTransferCanBeTriedAgain(t *testing.T) {
	f := money.NewFake()
	f.FailWith(func(t money.Transfer) error {
		if t.Party == "poor" {
			return money.ErrDeclined
		}
		return nil
	})
	pay := money.Transfer{Key: "p", Party: "poor", Amount: money.Of(1, money.JPY)}
	if _, err := f.Fund(t.Context(), pay); !errors.Is(err, money.ErrDeclined) {
		t.Errorf("%v", err)
	}
	if all, _ := f.Transfers(t.Context()); len(all) != 0 {
		t.Errorf("a refused transfer is kept: %v", all)
	}
	f.FailWith(nil)
	if _, err := f.Fund(t.Context(), pay); err != nil {
		t.Errorf("the second try: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Fund(ctx, money.Transfer{Key: "q", Amount: money.Of(1, money.JPY)}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if _, err := f.PayOut(t.Context(), money.Transfer{Key: "z", Amount: money.Of(0, money.JPY)}); !errors.Is(err, money.ErrAmount) {
		t.Errorf("nothing: %v", err)
	}
}
