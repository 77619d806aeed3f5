package simulated_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/simulated"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

func TestMain(m *testing.M) { os.Exit(databases.Run(m)) }

// It answers the same calls as the provider of tests, which only remembers in memory.
func TestItAnswersAsTheOneInMemory(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		db := storetest.Open(t, u)
		memory := money.NewFake()
		random := rand.New(rand.NewPCG(1, 2))
		sentinels := []error{nil, money.ErrAmount, money.ErrKeyReuse, money.ErrExceeded}
		seen := map[error]int{}
		for n := range 300 {
			kept := simulated.New(db) // as after a restart
			tr := money.Transfer{
				Key: strconv.Itoa(random.IntN(60)), Of: strconv.Itoa(random.IntN(60)), Party: "p" + strconv.Itoa(random.IntN(2)),
				Amount: money.Of(int64(random.IntN(4)), money.JPY),
			}
			kind := random.IntN(3)
			call := func(p money.Provider) error {
				_, err := [](func(context.Context, money.Transfer) (money.Receipt, error)){p.Fund, p.Refund, p.PayOut}[kind](t.Context(), tr)
				return err
			}
			want, got := call(memory), call(kept)
			for _, s := range sentinels {
				if errors.Is(want, s) != errors.Is(got, s) {
					t.Fatalf("call %d of kind %d, %+v: %v, in memory %v", n, kind, tr, got, want)
				}
				if errors.Is(want, s) {
					seen[s]++
				}
			}
		}
		for _, s := range sentinels {
			if seen[s] == 0 {
				t.Errorf("no call ended with %v", s)
			}
		}
		want, err := memory.Transfers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := simulated.New(db).Transfers(t.Context())
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v (-memory +kept):\n%s", err, diff)
		}
	})
}

// The same refund by many at once moves once, and never more than there is.
func TestManyAtOnce(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		p := simulated.New(storetest.Open(t, u))
		if _, err := p.Fund(t.Context(), money.Transfer{Key: "fund", Party: "a", Amount: money.Of(10, money.USD)}); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for n := range 8 {
			wg.Go(func() {
				_, err := p.Refund(t.Context(), money.Transfer{Key: "refund" + strconv.Itoa(n%4), Of: "fund", Party: "a", Amount: money.Of(4, money.USD)})
				if err != nil && !errors.Is(err, money.ErrExceeded) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		list, err := p.Transfers(t.Context())
		if err != nil || len(list) != 3 {
			t.Errorf("%v, %v: want the funding and two refunds", list, err)
		}
	})
}
