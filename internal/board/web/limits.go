package web

import (
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
)

// What one address may do before anybody signed in. How many mails one mailbox
// gets, and how often one code is tried, is limited where the codes are kept.
var (
	mailLimit  = ratelimit.Limit{Calls: 20, Per: time.Hour, Burst: 20}
	guessLimit = ratelimit.Limit{Calls: 10, Per: time.Minute, Burst: 30}
)

// count counts one sign-in of the visitor's address, and refuses when there were
// too many. A count that fails lets nobody in.
func (v *visit) count(what string, l ratelimit.Limit) error {
	if v.site.options.Limits == nil {
		return nil
	}
	d, err := v.site.options.Limits.Take(v.ctx(), "page "+what+" "+v.site.options.ClientAddress(v.r), l, 1)
	if err != nil {
		return fmt.Errorf("count a sign-in: %w", err)
	}
	if !d.Allowed {
		return task.Refuse(task.RateLimited).WithRetryAfter(d.RetryAfter)
	}
	return nil
}
