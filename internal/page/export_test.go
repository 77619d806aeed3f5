package page

import (
	"context"
	"time"
)

// SetUnresponsive changes how long a call may go without an answer.
func SetUnresponsive(p *Page, d time.Duration) { p.unresponsive = d }

// Disagreeing returns, for each list of selectors, those that do not lead to
// the same element as the first one, by the way that fields are set.
func Disagreeing(ctx context.Context, p *Page, path []string, lists [][]string) ([][]string, error) {
	frame, err := p.frame(ctx, path)
	if err != nil {
		return nil, err
	}
	var out [][]string
	err = p.read(ctx, frame, call{"agree", map[string]any{"lists": lists}}, &out)
	return out, err
}

// Replaced is replaced, for the tests.
func (p *Page) Replaced(ctx context.Context, seq int) error { return p.replaced(ctx, seq) }
