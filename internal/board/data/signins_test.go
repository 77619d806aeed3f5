package data_test

import (
	"testing"
	"time"
)

// TestSignInsThatEnded: one that was ended is over, twice as well, until it would have
// ended by itself; then nothing of it is kept.
func TestSignInsThatEnded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		until := w.clock.now().Add(time.Hour)
		for range 2 {
			if err := w.EndSignIn(t.Context(), "signature", until); err != nil {
				t.Fatal(err)
			}
		}
		for text, want := range map[string]bool{"signature": true, "Signature": false, "": false} {
			if got := try(w.SignInEnded(t.Context(), text))(t); got != want {
				t.Errorf("%q has ended: %v", text, got)
			}
		}
		if n := w.count("SELECT COUNT(*) FROM ended_sign_ins WHERE mac = 'signature'"); n != 0 {
			t.Error("the signature is kept as it is")
		}
		w.clock.forward(2 * time.Hour)
		try(w.ForgetKeys(t.Context()))(t)
		if n := w.count("SELECT COUNT(*) FROM ended_sign_ins"); n != 0 {
			t.Errorf("%d are kept for nothing", n)
		}
	})
}
