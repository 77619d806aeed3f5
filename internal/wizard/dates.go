package wizard

import (
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

var isoDate = lazyregexp.New(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// day reads an ISO date as a number that grows with it: 2003-01-31 is 20030131.
func day(value any) (*big.Rat, bool) {
	text, ok := value.(string)
	if !ok || !isoDate.MatchString(text) {
		return nil, false
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return nil, false
	}
	n, err := strconv.ParseInt(text[:4]+text[5:7]+text[8:], 10, 64)
	return big.NewRat(n, 1), err == nil
}

// comparable is a number or a date, as a number.
func comparable(value any) (*big.Rat, bool) {
	if n, ok := number(value); ok {
		return n, true
	}
	return day(value)
}

// dateOrder is the schema of the dates on one side of a date. JSON Schema of
// draft 7 cannot compare dates in any other way than by an expression.
func dateOrder(op, date string) object {
	orEqual := op == opGTE || op == opLT
	after := object{"pattern": "^(" + dateAfter(date, orEqual) + ")$"}
	if op == opGT || op == opGTE {
		return object{"type": "string", "pattern": after["pattern"]}
	}
	return object{"type": "string", "pattern": isoDate.String(), "not": after}
}

// dateAfter is an expression for the dates after a date, or from it on.
func dateAfter(date string, orEqual bool) string {
	year, month, day := date[:4], date[5:7], date[8:]
	out := fmt.Sprintf("%s-[0-9]{2}-[0-9]{2}|%s-%s-[0-9]{2}|%s-%s-%s", above(year), year, above(month), year, month, above(day))
	if orEqual {
		out += "|" + date
	}
	return out
}

// above matches digits of the same length that spell a larger number.
func above(digits string) string {
	out := ""
	for i, d := range digits {
		if d == '9' {
			continue
		}
		if out != "" {
			out += "|"
		}
		out += digits[:i] + digitAbove(d) + anyDigits(len(digits)-i-1)
	}
	if out == "" {
		return "[^0-9]" // nothing is
	}
	return "(" + out + ")"
}
