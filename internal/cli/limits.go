package cli

import (
	"cmp"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/nearest"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// The names in the setting that are no tool's.
const (
	everything = "all" // the limit of all calls of one caller
	everyTool  = "*"   // the limit of each tool that is not named
)

// burstOfAll is how much of the limit of all calls may come at once: enough for
// every call that the specification of the runner promises in an hour, 100 lists,
// 100 contracts, 20 runs that count 20 each, and 200 checks of data before them.
const burstOfAll = 1000

// limits are the built-in limits of the tools, changed by the setting. What counts
// the calls is the caller's to add.
func limits(setting string, tools []tool.Bound) (*serve.Limits, error) {
	changed, err := ratelimit.Parse(setting)
	if err != nil {
		return nil, err
	}
	l := &serve.Limits{
		Of: func(s tool.Spec) (ratelimit.Limit, bool) {
			if limit, known := changed[s.Name]; known {
				return limit, limit != ratelimit.Limit{}
			}
			if limit, known := changed[everyTool]; known {
				return limit, limit != ratelimit.Limit{}
			}
			return ratelimit.Limit(s.Rate), s.Rate != tool.Rate{}
		},
		All: ratelimit.Limit{Calls: 2000, Per: time.Hour, Burst: burstOfAll},
	}
	if all, known := changed[everything]; known {
		l.All = all
	}
	return l, checkLimits(changed, l.All, tools)
}

// checkLimits refuses a limit of no tool, which would silently limit nothing, and
// one of all calls that is too small for a single call of some tool.
func checkLimits(changed ratelimit.Limits, all ratelimit.Limit, tools []tool.Bound) error {
	names := []string{everything, everyTool}
	for _, b := range tools {
		names = append(names, b.Spec.Name)
	}
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	for name := range changed {
		if known[name] {
			continue
		}
		action := "Write the name of a tool, all or *."
		if near := nearest.Name(name, names); near != "" {
			action = fmt.Sprintf("Did you mean %s? %s", near, action)
		}
		return fault.New(fault.Invalid, "invalid_setting", "The rate limits name something that is no tool.", action)
	}
	for _, b := range tools {
		if all != (ratelimit.Limit{}) && b.Spec.Cost > cmp.Or(all.Burst, all.Calls) {
			return fault.New(fault.Invalid, "invalid_setting",
				fmt.Sprintf("The rate limit of all calls lets nobody call %s: one call of it counts %d.", b.Spec.Name, b.Spec.Cost),
				fmt.Sprintf("Give all a burst of at least %d, or write all=off.", b.Spec.Cost))
		}
	}
	return nil
}
