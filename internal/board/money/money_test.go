package money_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/money"
)

func TestQuoteFor(t *testing.T) {
	tests := []struct {
		budget money.Amount
		bps    int64
		want   money.Quote
	}{
		{money.Of(500, money.USD), 2000, money.Quote{Takehome: 400, Fee: 100, Total: 500, Currency: money.USD}},
		{money.Of(999, money.JPY), 2000, money.Quote{Takehome: 800, Fee: 199, Total: 999, Currency: money.JPY}},
		{money.Of(1, money.JPY), 9999, money.Quote{Takehome: 1, Fee: 0, Total: 1, Currency: money.JPY}},
		{money.Of(money.Max, money.USD), 10_000, money.Quote{Fee: money.Max, Total: money.Max, Currency: money.USD}},
		{money.Of(1500, money.JPY), 0, money.Quote{Takehome: 1500, Total: 1500, Currency: money.JPY}},
	}
	for _, tt := range tests {
		got, err := money.QuoteFor(tt.budget, tt.bps)
		if err != nil {
			t.Errorf("%v at %d: %v", tt.budget, tt.bps, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v at %d (-want +got):\n%s", tt.budget, tt.bps, diff)
		}
	}
	for _, bad := range []struct {
		budget money.Amount
		bps    int64
	}{
		{money.Of(-1, money.USD), 0}, {money.Of(money.Max+1, money.USD), 0}, {money.Of(math.MinInt64, money.JPY), 0},
		{money.Of(1, money.USD), -1}, {money.Of(1, money.USD), 10_001}, {money.Of(1, "EUR"), 0}, {money.Of(1, ""), 0},
	} {
		if q, err := money.QuoteFor(bad.budget, bad.bps); !errors.Is(err, money.ErrAmount) {
			t.Errorf("%v at %d is quoted: %+v, %v", bad.budget, bad.bps, q, err)
		}
	}
}

func TestSplitsLoseNothing(t *testing.T) {
	for escrow := int64(0); escrow < 120; escrow++ {
		for gross := int64(0); gross <= escrow; gross++ {
			for _, bps := range []int64{0, 1, 777, 2000, 3333, 9999, 10_000} {
				s, err := money.SplitAt(escrow, gross, bps)
				if err != nil {
					t.Fatal(err)
				}
				if s.Worker < 0 || s.Fee < 0 || s.Refund < 0 || s.Worker+s.Fee+s.Refund != escrow {
					t.Fatalf("%d at %d and %d basis points becomes %+v", escrow, gross, bps, s)
				}
			}
		}
	}
	for _, bad := range [][3]int64{{10, 11, 0}, {10, -1, 0}, {-1, 0, 0}, {10, 5, 10_001}, {10, 5, -1}, {money.Max + 1, 0, 0}} {
		if s, err := money.SplitAt(bad[0], bad[1], bad[2]); !errors.Is(err, money.ErrShare) {
			t.Errorf("%v becomes %+v, %v", bad, s, err)
		}
	}
}

func TestAllot(t *testing.T) {
	tests := []struct {
		whole   int64
		weights []int64
		want    []int64
	}{
		{100, []int64{1, 1, 1}, []int64{34, 33, 33}},
		{2, []int64{1, 1, 1}, []int64{1, 1, 0}},
		{5, []int64{0, 2, 0, 1}, []int64{0, 4, 0, 1}},
		{0, []int64{1}, []int64{0}},
		{money.Max, []int64{money.Max - 1, 1}, []int64{money.Max - 1, 1}},
	}
	for _, tt := range tests {
		got, err := money.Allot(tt.whole, tt.weights)
		if err != nil {
			t.Errorf("%d by %v: %v", tt.whole, tt.weights, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%d by %v (-want +got):\n%s", tt.whole, tt.weights, diff)
		}
	}
	for _, bad := range [][]int64{nil, {0, 0}, {-1, 2}, {money.Max, 1}, {math.MaxInt64, math.MaxInt64}} {
		if got, err := money.Allot(10, bad); !errors.Is(err, money.ErrShare) {
			t.Errorf("10 by %v is %v, %v", bad, got, err)
		}
	}
}

func FuzzAllot(f *testing.F) {
	f.Add(int64(100), int64(1), int64(1), int64(1))
	f.Add(int64(money.Max), int64(3), int64(0), int64(7))
	f.Fuzz(func(t *testing.T, whole, a, b, c int64) {
		parts, err := money.Allot(whole, []int64{a, b, c})
		if err != nil {
			return
		}
		var sum int64
		for _, p := range parts {
			if p < 0 {
				t.Errorf("a part of %d", p)
			}
			sum += p
		}
		if sum != whole {
			t.Errorf("%d by %d, %d, %d sums to %d", whole, a, b, c, sum)
		}
	})
}

func TestFromMajor(t *testing.T) {
	for v, want := range map[float64]int64{5: 500, 5.5: 550, 0.1: 10, 19.99: 1999, 1.1: 110, 0: 0, -1: -100} {
		if got, err := money.FromMajor(v, money.USD); err != nil || got.Minor != want {
			t.Errorf("%v dollars are %v, %v", v, got, err)
		}
	}
	for _, v := range []float64{5.001, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, money.Max} {
		if got, err := money.FromMajor(v, money.USD); !errors.Is(err, money.ErrAmount) {
			t.Errorf("%v dollars are %v", v, got)
		}
	}
	if got, err := money.FromMajor(750.5, money.JPY); !errors.Is(err, money.ErrAmount) {
		t.Errorf("half a yen is %v", got)
	}
}

func TestAmountsInWords(t *testing.T) {
	for want, a := range map[string]money.Amount{
		"12.05 USD": money.Of(1205, money.USD), "-0.50 USD": money.Of(-50, money.USD), "1500 JPY": money.Of(1500, money.JPY),
	} {
		if a.String() != want {
			t.Errorf("%v, want %s", a, want)
		}
	}
}

func TestTransactionsSumToZero(t *testing.T) {
	good := money.Transaction{Key: "k"}
	good.Move(money.External, money.AgentFunding("a"), money.Of(500, money.USD))
	good.Move(money.AgentFunding("a"), money.Escrow("t"), money.Of(500, money.USD))
	good.Move(money.Fees, money.Rounding, money.Of(0, money.USD))
	if err := good.Check(); err != nil || len(good.Postings) != 4 {
		t.Errorf("%d postings, %v", len(good.Postings), err)
	}
	post := func(p ...money.Posting) money.Transaction { return money.Transaction{Key: "k", Postings: p} }
	for name, tt := range map[string]struct {
		t    money.Transaction
		want error
	}{
		"one sided":            {post(money.Posting{Account: money.Fees, Amount: money.Of(1, money.USD)}), money.ErrUnbalanced},
		"nothing":              {post(), money.ErrUnbalanced},
		"no key":               {money.Transaction{Postings: good.Postings}, money.ErrUnbalanced},
		"off by one":           {post(money.Posting{Account: "a", Amount: money.Of(-10, money.USD)}, money.Posting{Account: "b", Amount: money.Of(9, money.USD)}), money.ErrUnbalanced},
		"two currencies":       {post(money.Posting{Account: "a", Amount: money.Of(-10, money.USD)}, money.Posting{Account: "b", Amount: money.Of(10, money.JPY)}), money.ErrUnbalanced},
		"an unknown currency":  {post(money.Posting{Account: "a", Amount: money.Of(-10, "EUR")}, money.Posting{Account: "b", Amount: money.Of(10, "EUR")}), money.ErrAmount},
		"wraps around to zero": {post(money.Posting{Account: "a", Amount: money.Of(math.MinInt64, money.USD)}, money.Posting{Account: "b", Amount: money.Of(math.MinInt64, money.USD)}), money.ErrAmount},
		"moves nothing":        {post(money.Posting{Account: "a", Amount: money.Of(0, money.USD)}, money.Posting{Account: "b", Amount: money.Of(0, money.USD)}), money.ErrAmount},
	} {
		if err := tt.t.Check(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
