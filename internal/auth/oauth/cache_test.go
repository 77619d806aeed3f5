package oauth

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"
)

// TestCacheIsBounded: however much is remembered, little is kept, and what is
// used stays.
func TestCacheIsBounded(t *testing.T) {
	c, now := newCache[int](100), time.Unix(1000, 0)
	used := digestOf("used")
	put := func(d digest, v int) { c.put(c.started(), d, entry[int]{v, now.Add(time.Hour)}) }
	put(used, -1)
	for n := range 10_000 {
		put(digestOf(fmt.Sprint(n)), n)
		if v, ok := c.get(used, now); !ok || v != -1 {
			t.Fatalf("after %d others it is forgotten", n)
		}
	}
	if n := len(c.young) + len(c.old); n > 200 {
		t.Errorf("%d are kept", n)
	}
	if _, ok := c.get(digestOf("1"), now); ok {
		t.Error("an old one is still there")
	}
	if v, ok := c.get(digestOf("9999"), now); !ok || v != 9999 {
		t.Error("the last one is forgotten")
	}
	if _, ok := c.get(used, now.Add(time.Hour)); ok {
		t.Error("it outlives its end")
	}
}

// TestCacheForgetsWhatIsOnItsWay: a verdict that began before the keys changed is
// not remembered after.
func TestCacheForgetsWhatIsOnItsWay(t *testing.T) {
	c, now := newCache[int](10), time.Unix(1000, 0)
	era := c.started()
	c.put(era, digestOf("a"), entry[int]{1, now.Add(time.Hour)})
	c.clear()
	c.put(era, digestOf("b"), entry[int]{1, now.Add(time.Hour)})
	for _, token := range []string{"a", "b"} {
		if _, ok := c.get(digestOf(token), now); ok {
			t.Errorf("%s is remembered", token)
		}
	}
}

func TestBackoff(t *testing.T) {
	b, now := backoff{first: time.Second, most: 10 * time.Second}, time.Unix(1000, 0)
	for _, want := range []time.Duration{1, 2, 4, 8, 10, 10} {
		b.failed(now)
		if got := b.wait(now); got != want*time.Second {
			t.Errorf("waits %v, want %v", got, want*time.Second)
		}
	}
	if b.wait(now.Add(10*time.Second)) > 0 {
		t.Error("it waits for longer than it said")
	}
	b.succeeded()
	if b.wait(now) > 0 {
		t.Error("it waits after a success")
	}
}

// TestCallersComeAndGo: one who gives up does not end the work for the others.
func TestCallersComeAndGo(t *testing.T) {
	f := newFlights[int]()
	began, release := make(chan struct{}), make(chan struct{})
	work := func(ctx context.Context) (int, error) {
		close(began)
		select {
		case <-release:
			return 7, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, err := f.do(ctx, digest{}, work)
		gone <- err
	}()
	<-began
	other, err := f.join(digest{}, func(context.Context) (int, error) { return 0, errors.New("a second flight") })
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the one who gave up got %v", err)
	}
	close(release)
	<-other.done
	if other.value != 7 || other.err != nil {
		t.Errorf("the other got %d, %v", other.value, other.err)
	}
	f.close()
	if _, err := f.do(t.Context(), digest{}, work); !errors.Is(err, errClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// TestCloseWaits: what runs is told to end, and has ended after.
func TestCloseWaits(t *testing.T) {
	f, ended := newFlights[int](), false
	_, err := f.join(digest{}, func(ctx context.Context) (int, error) {
		<-ctx.Done()
		runtime.Gosched()
		ended = true
		return 0, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.close(); !ended {
		t.Error("it goes on after the end")
	}
}

// FuzzScopes: what is read of a claim is scopes in form, each once, and each was
// in the claim as a whole word or member.
func FuzzScopes(f *testing.F) {
	for _, s := range []string{"a b", "runner:read runner:execute", "a\tb", `"`, "", "  ", "é", "a\x00 b"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		for _, c := range []claims{{"scope": one}, {"scp": []any{one, two}}, {"permissions": []any{two}}} {
			got, err := c.scopes()
			seen := map[string]bool{}
			for _, s := range got {
				if !isScope(s) || seen[s] {
					t.Errorf("%v: %q (%v)", c, got, err)
				}
				seen[s] = true
				if _, list := c["scope"]; !list && s != one && s != two {
					t.Errorf("%v: %q was no member", c, s)
				}
			}
		}
	})
}
