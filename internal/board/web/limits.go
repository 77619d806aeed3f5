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
	return v.spend("page "+what+" "+v.site.options.ClientAddress(v.r), l)
}

// devMailRoute is the mailbox of a board that is tried out, which is asked again and again.
const devMailRoute = "GET /dev/mail"

// countVisit counts a page for who is signed in, under the name that the API counts
// them by: two doors are not twice the calls. Pages for others count by address, as many
// as one person has: several people may be behind one, and every page asks the database.
func (v *visit) countVisit() error {
	if v.site.options.Limits == nil || v.site.options.Visitor == (ratelimit.Limit{}) || v.r.Pattern == devMailRoute {
		return nil
	}
	if !v.who.Known {
		return v.count("visit", v.site.options.Visitor)
	}
	a := v.actor()
	return v.spend("board|"+string(a.Kind)+"|"+a.ID, v.site.options.Visitor)
}

func (v *visit) spend(key string, l ratelimit.Limit) error {
	d, err := v.site.options.Limits.Take(v.ctx(), key, l, 1)
	if err != nil {
		return fmt.Errorf("count a page: %w", err)
	}
	if !d.Allowed {
		return task.Refuse(task.RateLimited).WithRetryAfter(d.RetryAfter)
	}
	return nil
}
