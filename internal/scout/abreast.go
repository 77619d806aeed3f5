package scout

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
)

// abreast is how many passes go through the form at the same time. Most of a pass
// is waiting for the page, so they take turns in what they know: one works while
// the others wait.
const abreast = 3

// together takes several passes at the same time and waits for all of them. What
// they saw is kept in the order of the work, whichever ends first.
func (x *Explorer) together(ctx context.Context, work []func(ctx context.Context, rank int) error) error {
	if len(work) == 1 {
		return work[0](ctx, 0)
	}
	start := len(x.passes)
	x.turn = &sync.Mutex{}
	errs := make([]error, len(work))
	var wg sync.WaitGroup
	for i, do := range work {
		wg.Go(func() {
			x.turn.Lock()
			defer x.turn.Unlock()
			errs[i] = do(ctx, i)
		})
	}
	wg.Wait()
	x.turn = nil
	slices.SortStableFunc(x.passes[start:], func(a, b *pass) int { return cmp.Compare(a.rank, b.rank) })
	return errors.Join(errs...)
}
