package money

import (
	"errors"
	"fmt"
	"math"
)

// Currency is an ISO 4217 code.
type Currency string

// The currencies that tasks are paid in.
const (
	USD Currency = "USD" // 2 decimals: minor units are cents
	JPY Currency = "JPY" // no decimals: minor units are yen
)

// Valid reports whether tasks can be paid in c.
func (c Currency) Valid() bool { return c == USD || c == JPY }

// Decimals is how many digits of a minor unit follow the decimal point (ISO 4217).
func (c Currency) Decimals() int {
	if c == JPY {
		return 0
	}
	return 2
}

// Max is the largest amount of a task in minor units: far above any task, and
// far below where sums of them could overflow.
const Max = 1_000_000_000

// Amount is an amount of money.
type Amount struct {
	Minor    int64    `json:"amount_minor"` // cents, or yen
	Currency Currency `json:"currency"`
}

// Of is the amount of minor units of a currency.
func Of(minor int64, c Currency) Amount { return Amount{minor, c} }

// String writes the amount as 12.34 USD or 1500 JPY.
func (a Amount) String() string {
	if a.Currency.Decimals() == 0 {
		return fmt.Sprintf("%d %s", a.Minor, a.Currency)
	}
	sign, n := "", a.Minor
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d %s", sign, n/100, n%100, a.Currency)
}

// Major is the amount in dollars or yen, for the budget_usd of the public API
// only; nothing is counted with it.
func (a Amount) Major() float64 { return float64(a.Minor) / math.Pow10(a.Currency.Decimals()) }

// ErrAmount is why a number is no amount.
var ErrAmount = errors.New("not a finite amount of whole minor units within the bounds")

// FromMajor reads dollars or yen, such as a budget_usd of 5.5. A number with more
// digits than the currency has is refused, not rounded.
func FromMajor(v float64, c Currency) (Amount, error) {
	scaled := v * math.Pow10(c.Decimals())
	whole := math.Round(scaled)
	if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(scaled-whole) > 1e-6 || math.Abs(whole) > Max {
		return Amount{}, ErrAmount
	}
	return Amount{int64(whole), c}, nil
}
