package data_test

import (
	"testing"
)

func TestCountsOfApplications(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first, second, third := w.post(nil), w.post(nil), w.post(nil)
		ann, bob := w.worker("ann", nil), w.worker("bob", nil)
		w.apply(ann, first.ID)
		w.apply(bob, first.ID)
		gone := w.apply(ann, second.ID)
		try(w.WithdrawApplication(t.Context(), ann, gone.ID))(t)
		got := try(w.CountsOfApplications(t.Context(), []string{first.ID, second.ID, third.ID, "nothing"}))(t)
		for id, want := range map[string]int64{first.ID: 2, second.ID: 0, third.ID: 0} {
			if got[id] != want {
				t.Errorf("%d applications, want %d", got[id], want)
			}
		}
		if none := try(w.CountsOfApplications(t.Context(), nil))(t); len(none) > 0 {
			t.Errorf("of no tasks: %v", none)
		}
	})
}
