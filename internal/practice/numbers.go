package practice

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// practiceYear is the year in which the practice sites live. It is fixed, so
// that the same data always get the same answer.
const practiceYear = 2026

// wholeNumber parses digits only.
func wholeNumber(s string) (int64, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int64(n), err == nil
}

// dollars parses an amount as people type it: 120000, 120,000 or $120,000.50.
func dollars(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(s), "$"), ",", "")
	if s == "" || strings.ContainsAny(s, "eExXpPnNiI+-_") {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

// amount is the value of an accepted answer; not answered counts as nothing.
func (a answers) amount(id string) float64 {
	v, _ := dollars(a.text(id))
	return v
}

// count is amount for whole numbers.
func (a answers) count(id string) int64 {
	n, _ := wholeNumber(a.text(id))
	return n
}

// between checks an amount of dollars or a rate.
func between(low, high float64) func(string) string {
	return func(s string) string {
		v, ok := dollars(s)
		switch {
		case !ok:
			return "enter a number, such as " + trimZeros(max(low, 1))
		case v < low || v > high:
			return fmt.Sprintf("enter a number from %s to %s", trimZeros(low), trimZeros(high))
		}
		return ""
	}
}

// whole checks a whole number.
func whole(low, high int64) func(string) string {
	return func(s string) string {
		v, ok := wholeNumber(strings.TrimSpace(s))
		if !ok || v < low || v > high {
			return fmt.Sprintf("enter a whole number from %d to %d", low, high)
		}
		return ""
	}
}

func trimZeros(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// usd shows whole dollars: $1,234 or -$1,234.
func usd(v float64) string {
	if v < 0 {
		return "-$" + grouped(-v)
	}
	return "$" + grouped(v)
}

// usdCents shows dollars and cents.
func usdCents(v float64) string {
	cents := math.Round(v * 100)
	return fmt.Sprintf("%s.%02d", usd(math.Trunc(cents/100)), int64(cents)%100)
}

// grouped shows a whole number with thousands separators.
func grouped(v float64) string {
	sign, s := "", strconv.FormatInt(int64(math.Abs(v)), 10)
	if v <= -1 {
		sign = "-"
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// roundCents rounds half up to cents.
func roundCents(v float64) float64 { return math.Floor(v*100+0.5) / 100 }
