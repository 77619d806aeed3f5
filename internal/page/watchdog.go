package page

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// unresponsive is how long one call may take: every one of them works in slices
// far below that, so that a page which takes longer spins.
const unresponsive = 30 * time.Second

// watchdog gives up a call that the page does not answer. While a document is on
// its way the browser holds calls back: then it is the site that is waited for,
// and not for longer than a navigation may take.
func (p *Page) watchdog(ctx context.Context, giveUp context.CancelCauseFunc) {
	limit := time.NewTimer(p.unresponsive)
	defer limit.Stop()
	for began := time.Now(); ; {
		select {
		case <-limit.C:
		case <-ctx.Done():
			return
		}
		doc := p.tab.Doc()
		waited := time.Since(began)
		quiet := min(waited, time.Since(doc.LastActivity))
		switch {
		case doc.Loading && waited < p.NavigationTimeout:
			limit.Reset(min(p.unresponsive, p.NavigationTimeout-waited))
		case doc.Loading:
			giveUp(stopped(fmt.Sprintf("The site has not answered within %s.", p.NavigationTimeout)))
			return
		case quiet < p.unresponsive: // the document came, or did not, a moment ago
			limit.Reset(p.unresponsive - quiet)
		default:
			giveUp(stopped("The page stopped answering: its own scripts keep it busy."))
			return
		}
	}
}

func stopped(message string) *fault.Error {
	return fault.New(fault.Timeout, "timeout", message, "Check with the site whether the last step was taken before trying again.")
}
