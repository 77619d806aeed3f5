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

func TestReconciliation(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b, s := newBench(t, u), town()
		transfer := func(key string, age time.Duration) data.Transfer {
			return data.Transfer{Transfer: money.Transfer{Key: key, Kind: money.KindRefund}, Status: data.TransferStarted, At: noon.Add(-age)}
		}
		s.transfers = []data.Transfer{transfer("refund:young", time.Minute)}
		r, err := b.Reconcile(t.Context(), s)
		if err != nil || len(r.Findings) > 0 {
			t.Fatalf("%v, %v", r, err)
		}
		if kept, err := b.Reported(t.Context()); err != nil || !kept.At.IsZero() {
			t.Errorf("%v, %v", kept, err)
		}
		s.audit = []string{"the escrow of a task holds money: task1"}
		s.transfers = append(s.transfers, transfer("refund:old", 2*time.Hour))
		want := []string{"a transfer was started more than an hour ago and is not done: refund:old", "the escrow of a task holds money: task1"}
		for range 2 { // the second time there is nothing new to say
			r, err := b.Reconcile(t.Context(), s)
			if diff := cmp.Diff(want, r.Findings); diff != "" || err != nil {
				t.Fatalf("%v (-want +got):\n%s", err, diff)
			}
		}
		kept, err := b.Reported(t.Context())
		if diff := cmp.Diff(want, kept.Findings); diff != "" || err != nil || !kept.At.Equal(noon) {
			t.Errorf("%v at %v (-want +got):\n%s", err, kept.At, diff)
		}
		letters := b.deliver(t)
		if len(letters) != 1 || !strings.Contains(letters["boss@example.org"], "- the escrow of a task holds money: task1\n") {
			t.Errorf("letters %v", letters)
		}
		if log := b.log.String(); strings.Count(log, "differences=2") != 1 {
			t.Errorf("log:\n%s", log)
		}
		s.audit, s.transfers = nil, nil
		if r, err := b.Reconcile(t.Context(), s); err != nil || len(r.Findings) != 0 {
			t.Fatalf("%v, %v", r, err)
		}
		if len(b.deliver(t)) != 1 {
			t.Error("that all is well again makes a mail")
		}
	})
}
