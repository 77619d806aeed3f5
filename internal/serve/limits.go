package serve

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// Limits is how often callers may call. Each caller has an allowance for each
// tool, and one for all tools together from which a call takes the tool's cost.
type Limits struct {
	Source ratelimit.Source // one that may take long is behind ratelimit.Within
	// Of is the limit of a tool; false means that it has none.
	Of func(tool.Spec) (ratelimit.Limit, bool)
	// All is the limit of everything that a caller does; the zero value is none.
	All ratelimit.Limit
}

// allowance is what is left to the caller of one message.
type allowance struct {
	Tool  string
	Limit int
	Wait  time.Duration // until the same call is possible; zero: it is possible now
	All   bool          // it is the limit of everything that the caller does
	Down  bool          // nobody can count at the moment
}

// take counts a call of a tool. It is done before the call is handed to the SDK,
// so that the HTTP answer can say when to try again.
func (ep *endpoint) take(ctx context.Context, who auth.Principal, m *message) allowance {
	limits := ep.server.o.Limits
	spec, known := ep.specOf(m)
	if limits == nil || !known {
		return allowance{}
	}
	id := who.ID()
	if l, limited := limits.Of(spec); limited {
		if a := ep.takeOne(ctx, id+"|"+spec.Name, l, 1); a.Wait > 0 || a.Down {
			a.Tool = spec.Name
			return a
		}
	}
	if limits.All == (ratelimit.Limit{}) {
		return allowance{}
	}
	a := ep.takeOne(ctx, id+"|", limits.All, spec.Cost)
	a.Tool, a.All = spec.Name, a.Wait > 0
	return a
}

func (ep *endpoint) takeOne(ctx context.Context, key string, l ratelimit.Limit, cost int) allowance {
	d, err := ep.server.o.Limits.Source.Take(ctx, key, l, cost)
	if err != nil {
		ep.server.log.ErrorContext(ctx, "calls cannot be counted", "error", err)
		return allowance{Down: true}
	}
	if d.Allowed {
		return allowance{}
	}
	return allowance{Limit: d.Limit, Wait: max(d.RetryAfter, time.Second)}
}

// tell has the HTTP answer say when the same call is possible again.
func (a allowance) tell(h http.Header) {
	if a.Wait > 0 {
		h.Set("Retry-After", seconds(a.Wait))
	}
}

// TypeRateLimit is the type of the refusal, as the specification names it.
const TypeRateLimit = "rate_limit_exceeded"

// fault is the refusal of a call, in the body that the specification gives it.
func (a allowance) fault(now time.Time) error {
	switch {
	case a.Down:
		return fault.New(fault.Unavailable, "limits_unavailable", "Calls cannot be counted at the moment, so none is taken.",
			"Try again in a moment; if it lasts, tell whoever runs this server.").WithRetryAfter(5 * time.Second)
	case a.Wait > 0:
		reset := now.Add(a.Wait).UTC().Format(time.RFC3339)
		action := fmt.Sprintf("Wait until %s before the next call of %s; other tools have limits of their own.", reset, a.Tool)
		if a.All {
			action = fmt.Sprintf("Wait until %s before the next call of %s: this is the limit of all calls of all tools together, of which some count more than once.", reset, a.Tool)
		}
		return fault.New(fault.Limited, TypeRateLimit, "Rate limit exceeded for "+a.Tool, action).
			WithRetryAfter(a.Wait).WithData("error", TypeRateLimit).WithData("message", "Rate limit exceeded for "+a.Tool).
			WithData("limit", a.Limit).WithData("reset_at", reset)
	}
	return nil
}

// seconds is a time for the Retry-After header, rounded up.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((max(d, time.Second)+time.Second-1)/time.Second), 10)
}
