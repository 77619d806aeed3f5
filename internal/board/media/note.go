package media

import "time"

// Timing is how the time that a file gives fits the work.
type Timing string

// The timings.
const (
	TimeUnknown   Timing = "unknown"        // the file does not say
	TimeFits      Timing = "fits"           // while the work went on
	TimeTooEarly  Timing = "before_start"   // before the work was accepted
	TimeTooLate   Timing = "after_deadline" // after the work was due
	TimeInFuture  Timing = "in_future"      // after the file arrived
	TimeUncertain Timing = "zone_uncertain" // in or out, depending on the time zone
)

// Zones differ by at most 14 and 12 hours from UTC; Japan is at 9.
const (
	zoneEarlier = 5 * time.Hour  // 14 - 9
	zoneLater   = 21 * time.Hour // 9 + 12
	clockError  = 5 * time.Minute
)

// Timing compares when the file says that it was made with the time of the work.
// The zero deadline is none. It is a hint for the reviewer: clocks are wrong, and
// the record can be forged.
func (f File) Timing(start, deadline time.Time) Timing {
	at := f.Private.CapturedAt
	if at.IsZero() {
		return TimeUnknown
	}
	judge := func(at time.Time) Timing {
		switch {
		case at.After(f.StoredAt.Add(clockError)):
			return TimeInFuture
		case at.Before(start.Add(-clockError)):
			return TimeTooEarly
		case !deadline.IsZero() && at.After(deadline.Add(clockError)):
			return TimeTooLate
		}
		return TimeFits
	}
	verdict := judge(at)
	if f.Private.ZoneAssumed && (judge(at.Add(-zoneEarlier)) != verdict || judge(at.Add(zoneLater)) != verdict) {
		if verdict == TimeFits {
			return TimeFits // Japan's time is the likely one
		}
		return TimeUncertain
	}
	return verdict
}
