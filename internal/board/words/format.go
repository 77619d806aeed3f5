package words

import (
	"strconv"
	"strings"
	"time"
)

// JST is Japan's time: UTC+9, without summer time since 1951.
var JST = time.FixedZone("JST", 9*60*60)

var weekdays = [...]string{"日", "月", "火", "水", "木", "金", "土"}

// Moment is a point in time in Japan with its weekday, in 24 hours:
// 2026年11月28日(土) 00:30, or Sat 28 Nov 2026, 00:30 JST.
func (l Lang) Moment(t time.Time) string {
	if t.IsZero() {
		return l.Say("time.none")
	}
	t = t.In(JST)
	if l == Ja {
		return t.Format("2006年1月2日(") + weekdays[t.Weekday()] + t.Format(") 15:04")
	}
	return t.Format("Mon 2 Jan 2006, 15:04 JST")
}

// Day is a date in Japan with its weekday.
func (l Lang) Day(t time.Time) string {
	if t.IsZero() {
		return l.Say("time.none")
	}
	t = t.In(JST)
	if l == Ja {
		return t.Format("2006年1月2日(") + weekdays[t.Weekday()] + ")"
	}
	return t.Format("Mon 2 Jan 2006")
}

// Span is a length of time in its two largest units: 3日4時間, or 3 d 4 h.
func (l Lang) Span(d time.Duration) string {
	d = max(d, 0)
	days, hours, minutes := int(d.Hours())/24, int(d.Hours())%24, int(d.Minutes())%60
	units := []struct {
		n   int
		key string
	}{{days, "time.days"}, {hours, "time.hours"}, {minutes, "time.minutes"}}
	var parts []string
	for _, u := range units {
		if u.n > 0 && len(parts) < 2 {
			parts = append(parts, l.Say(u.key, "n", u.n))
		}
	}
	if len(parts) == 0 {
		return l.Say("time.moment")
	}
	if l == Ja {
		return strings.Join(parts, "")
	}
	return strings.Join(parts, " ")
}

// Until says how far a time is from now, before or behind: あと3時間, 2 d ago.
func (l Lang) Until(t, now time.Time) string {
	if t.IsZero() {
		return l.Say("time.none")
	}
	if d := t.Sub(now); d > 0 {
		return l.Say("time.left", "span", l.Span(d))
	}
	return l.Say("time.ago", "span", l.Span(now.Sub(t)))
}

// Money is an amount in minor units: 1,500円 or ¥1,500; 12.50ドル or $12.50.
// Yen have no minor unit (ISO 4217).
func (l Lang) Money(minor int64, currency string) string {
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	switch strings.ToUpper(currency) {
	case "JPY":
		if l == Ja {
			return sign + Grouped(minor) + "円"
		}
		return sign + "¥" + Grouped(minor)
	case "USD":
		text := Grouped(minor/100) + "." + strconv.FormatInt(minor%100+100, 10)[1:]
		if l == Ja {
			return sign + text + "ドル"
		}
		return sign + "$" + text
	default:
		return sign + Grouped(minor) + " " + currency
	}
}

// Grouped is a number with a comma after every three digits.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, digit := range s {
		if i > 0 && (len(s)-i)%3 == 0 && s[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}
