package cli

import (
	"context"
	"fmt"
)

type practiceCmd struct {
	Addr string `default:"127.0.0.1:8099" help:"Address to serve on (${default})."`
}

// Run serves the practice sites until it is told to stop.
func (c practiceCmd) Run(ctx context.Context, a *app) error {
	site, err := startPractice(ctx, c.Addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.std.Out, "Practice sites (not official): %s\nWhat was submitted: %s_practice/submissions\n", site.URL(), site.URL())
	fmt.Fprintf(a.std.Out, "Let other legwork processes use it: LEGWORK_PRACTICE_ADDR=%s\n", site.addr)
	select {
	case <-ctx.Done():
		return site.close()
	case err := <-site.done:
		return err
	}
}
