package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/queue"
)

type queueCount = queue.Count

// noProof is the time of an address that nobody proved to have.
var noProof time.Time

func transfer(key, kind string, minor int64, status data.TransferStatus) data.Transfer {
	return data.Transfer{
		Transfer: money.Transfer{Key: key, Kind: kind, Party: "agent1", Amount: money.Of(minor, money.JPY)},
		Status:   status, At: noon.Add(-2 * time.Hour),
	}
}

func TestReconciliation(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b, s := newBench(t, u), town()
		provider := money.NewFake()
		do := func(tr data.Transfer) {
			t.Helper()
			f := map[string]func() error{
				money.KindFund:   func() error { _, err := provider.Fund(t.Context(), tr.Transfer); return err },
				money.KindRefund: func() error { _, err := provider.Refund(t.Context(), tr.Transfer); return err },
				money.KindPayOut: func() error { _, err := provider.PayOut(t.Context(), tr.Transfer); return err },
			}[tr.Kind]
			if err := f(); err != nil {
				t.Fatal(err)
			}
		}
		// all is well: a funding, a payout, a funding that was given back
		fund, paid, void := transfer("fund:1", money.KindFund, 2000, data.TransferDone), transfer("pay_out:1", money.KindPayOut, 1600, data.TransferDone), transfer("fund:2", money.KindFund, 500, data.TransferVoid)
		s.transfers = []data.Transfer{fund, paid, void}
		for _, tr := range s.transfers {
			do(tr)
		}
		back := transfer("void:fund:2", money.KindRefund, 500, data.TransferDone)
		back.Of = "fund:2"
		do(back)
		r, err := b.Reconcile(t.Context(), s, provider)
		if err != nil || len(r.Findings) > 0 {
			t.Fatalf("%v, %v", r, err)
		}
		if kept, err := b.Reported(t.Context()); err != nil || !kept.At.IsZero() {
			t.Errorf("%v, %v", kept, err)
		}
		// and now it is not
		s.audit = []string{"account escrow:task1 holds 5 JPY and the task has ended"}
		s.transfers = append(s.transfers, transfer("pay_out:lost", money.KindPayOut, 100, data.TransferDone), transfer("refund:hangs", money.KindRefund, 7, data.TransferStarted))
		do(transfer("pay_out:theirs", money.KindPayOut, 9, data.TransferDone))
		s.transfers[1].Amount.Minor = 1601
		want := []string{
			"account escrow:task1 holds 5 JPY and the task has ended",
			"transfer pay_out:1: the provider moved 1600 JPY and the board 1601 JPY, or for somebody else",
			"transfer pay_out:lost of 100 JPY: the board says it is done, the provider does not know it",
			"transfer pay_out:theirs of 9 JPY: only the provider knows it",
			"transfer refund:hangs of 7 JPY: started more than an hour ago and not done",
		}
		for range 2 { // the second time there is nothing new to say
			r, err := b.Reconcile(t.Context(), s, provider)
			if diff := cmp.Diff(want, r.Findings); diff != "" || err != nil {
				t.Fatalf("%v (-want +got):\n%s", err, diff)
			}
		}
		kept, err := b.Reported(t.Context())
		if diff := cmp.Diff(want, kept.Findings); diff != "" || err != nil || !kept.At.Equal(noon) {
			t.Errorf("%v at %v (-want +got):\n%s", err, kept.At, diff)
		}
		letters := b.deliver(t)
		if len(letters) != 1 || !strings.Contains(letters["boss@example.org"], "found 5 differences") {
			t.Errorf("letters %v", letters)
		}
		if log := b.log.String(); !strings.Contains(log, "differences=5") || strings.Count(log, "differences") != 1 {
			t.Errorf("log:\n%s", log)
		}
	})
}
