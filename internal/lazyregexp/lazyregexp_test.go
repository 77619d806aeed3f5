package lazyregexp_test

import (
	"regexp"
	"sync"
	"testing"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// TestAsRegexp: each method says what that of package regexp says.
func TestAsRegexp(t *testing.T) {
	const expression, text = `(\d)(\w?)`, "a1b 2 3c"
	lazy, eager := lazyregexp.New(expression), regexp.MustCompile(expression)
	if lazy.String() != expression {
		t.Errorf("the expression is %q", lazy.String())
	}
	for _, s := range []string{text, "none", ""} {
		if got, want := lazy.MatchString(s), eager.MatchString(s); got != want {
			t.Errorf("%q matches: %v, not %v", s, got, want)
		}
		if got, want := lazy.ReplaceAllString(s, "<$2$1>"), eager.ReplaceAllString(s, "<$2$1>"); got != want {
			t.Errorf("%q becomes %q, not %q", s, got, want)
		}
		if got, want := len(lazy.FindAllStringSubmatch(s, -1)), len(eager.FindAllStringSubmatch(s, -1)); got != want {
			t.Errorf("%q has %d matches, not %d", s, got, want)
		}
		if got, want := lazy.FindString(s), eager.FindString(s); got != want {
			t.Errorf("the first match in %q is %q, not %q", s, got, want)
		}
	}
}

// TestCompiledWhenUsed: declaring compiles nothing, using does, from all sides at once.
func TestCompiledWhenUsed(t *testing.T) {
	broken := lazyregexp.New(`(`)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the use of a broken expression goes unnoticed")
			}
		}()
		broken.MatchString("a")
	}()
	lazy := lazyregexp.New(`^a+$`)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if !lazy.MatchString("aaa") || lazy.MatchString("b") {
				t.Error("a match is wrong")
			}
		})
	}
	all.Wait()
}
