package ratelimit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// The words of the settings text.
const (
	off       = "off"
	other     = "*"
	burstMark = ":burst="
)

// example is what errors tell to write.
const example = "Write NAME=CALLS/TIME or NAME=CALLS/TIME:burst=N, separated by commas; * stands for all other names and off for no limit, " +
	"such as federalrunner_execute_wizard=20/1h,*=100/1h:burst=10."

// Limits are limits by the name of what they limit; "*" is for all other names.
type Limits map[string]Limit

// For returns the limit of a name; false means that it has none.
func (ls Limits) For(name string) (Limit, bool) {
	l, named := ls[name]
	if !named {
		l = ls[other]
	}
	return l, l != Limit{}
}

// String writes the limits as Parse reads them, sorted by name.
func (ls Limits) String() string {
	parts := make([]string, 0, len(ls))
	for name, l := range ls {
		parts = append(parts, name+"="+l.String())
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}

// Parse reads limits such as "federalrunner_execute_wizard=20/1h,*=100/1h:burst=10".
// Times are Go durations (30s, 5m, 1h30m). An empty text is no limit at all. The
// error is a fault of kind invalid that says which entry is wrong and what to write.
func Parse(text string) (Limits, error) {
	limits := Limits{}
	for i, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, rest, found := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		if !found || name == "" {
			return nil, refused(i, "it has no name or no =")
		}
		if _, twice := limits[name]; twice {
			return nil, refused(i, "its name is there twice")
		}
		l, err := parseLimit(strings.TrimSpace(rest))
		if err != nil {
			return nil, refused(i, err.Error())
		}
		limits[name] = l
	}
	return limits, nil
}

// refused never quotes the text: a secret may have been put into the wrong setting.
func refused(index int, why string) error {
	return fault.New(fault.Invalid, "invalid_setting", fmt.Sprintf("Entry %d of the rate limits is not usable: %s.", index+1, why), example)
}

// parseLimit reads CALLS/TIME with an optional burst, or off.
func parseLimit(text string) (Limit, error) {
	if text == off {
		return Limit{}, nil
	}
	rate, burst, hasBurst := strings.Cut(text, burstMark)
	calls, per, found := strings.Cut(rate, "/")
	if !found {
		return Limit{}, errors.New("there is no / between calls and time")
	}
	var l Limit
	var err error
	if l.Calls, err = strconv.Atoi(calls); err != nil {
		return Limit{}, errors.New("what is before the / is no number of calls")
	}
	if l.Per, err = time.ParseDuration(per); err != nil {
		return Limit{}, errors.New("what is after the / is no time such as 30s, 5m or 1h")
	}
	if hasBurst {
		if l.Burst, err = strconv.Atoi(burst); err != nil || l.Burst < 1 {
			return Limit{}, errors.New("the burst is no number of at least 1")
		}
	}
	return l, l.Check()
}
