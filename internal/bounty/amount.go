package bounty

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
)

// budget is an amount in minor units of its currency: cents, or yen.
type budget struct {
	minor    int64
	currency string
}

// maxMinor is more than any task is worth, and keeps sums within their type.
const maxMinor = 1_000_000_000

// String is the amount as people write it.
func (b budget) String() string {
	if b.currency == "JPY" {
		return fmt.Sprintf("%d JPY", b.minor)
	}
	return fmt.Sprintf("%d.%02d %s", b.minor/100, b.minor%100, b.currency)
}

// budgetOf reads the budget of a task: budget_usd, or amount_minor with a currency. What
// is wrong with it is a field error.
func budgetOf(usd json.Number, minor int64, currency string) (budget, *rest.FieldError) {
	wrong := func(field, code string) (budget, *rest.FieldError) {
		return budget{}, &rest.FieldError{Field: field, Code: code}
	}
	switch {
	case usd == "" && minor == 0 && currency == "":
		return wrong("budget_usd", "required")
	case usd != "" && (minor != 0 || currency == "JPY"):
		return wrong("budget_usd", "conflict") // two budgets: nobody knows which is meant
	case usd != "":
		cents, ok := cents(usd)
		if !ok {
			return wrong("budget_usd", "invalid_number")
		}
		return budget{cents, "USD"}, nil
	case minor <= 0 || minor > maxMinor:
		return wrong("amount_minor", "invalid_number")
	case currency == "":
		return wrong("currency", "required")
	}
	return budget{minor, currency}, nil
}

// cents reads a decimal number of dollars exactly. An amount with a part of a cent is
// refused rather than rounded.
func cents(n json.Number) (int64, bool) {
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || f < 0 || f > maxMinor/100 || len(n) > 40 {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return 0, false
	}
	r.Mul(r, big.NewRat(100, 1))
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// floor refuses a budget that the board would refuse.
func (s Settings) floor(b budget) error {
	low, field := budget{s.FloorUSD, "USD"}, "budget_usd"
	if b.currency == "JPY" {
		low, field = budget{s.FloorJPY, "JPY"}, "amount_minor"
	}
	if b.minor >= low.minor {
		return nil
	}
	return refuse("below_min_budget", fmt.Sprintf("The budget of %v is below the least of %v.", b, low), rest.FieldError{Field: field, Code: "below_min"})
}
