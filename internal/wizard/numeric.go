package wizard

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// numericText is how a text spells a number: digits only, no grouping, no sign
// of money. It is the same expression in conditions and in the contract.
const numericText = `^-?[0-9]+(\.[0-9]+)?$`

var numericPattern = lazyregexp.New(numericText)

// number reads a JSON number or a text that spells one.
func number(value any) (*big.Rat, bool) {
	switch v := value.(type) {
	case json.Number:
		return rational(string(v))
	case float64:
		return new(big.Rat).SetFloat64(v), true
	case int:
		return big.NewRat(int64(v), 1), true
	case string:
		if numericPattern.MatchString(v) {
			return rational(v)
		}
	}
	return nil, false
}

func rational(text string) (*big.Rat, bool) {
	if checkNumber("", json.Number(text)) != nil {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// magnitude is the decimal spelling of |r| as integer digits and fraction
// digits without needless zeros. Every number of a JSON text has one.
func magnitude(r *big.Rat) (whole, fraction string) {
	abs := new(big.Rat).Abs(r)
	digits, _ := abs.FloatPrec()
	whole, fraction, _ = strings.Cut(abs.FloatString(digits), ".")
	return whole, strings.TrimRight(fraction, "0")
}

// spelling is the number in digits, as it is typed into a form.
func spelling(r *big.Rat) string {
	whole, fraction := magnitude(r)
	if fraction != "" {
		whole += "." + fraction
	}
	if r.Sign() < 0 {
		return "-" + whole
	}
	return whole
}

// equalText is an expression for the texts that spell the number r.
func equalText(r *big.Rat) string {
	whole, fraction := magnitude(r)
	sign := map[int]string{-1: "-", 0: "-?", 1: ""}[r.Sign()]
	return "^" + sign + "0*" + whole + fractionText(fraction) + "$"
}

func fractionText(fraction string) string {
	if fraction == "" {
		return `(\.0+)?`
	}
	return `\.` + fraction + `0*`
}

// magnitudeAbove is an expression, without anchors and sign, for the texts of
// numbers above whole.fraction (or at least that much). JSON Schema cannot
// compare a text with a number in any other way.
func magnitudeAbove(r *big.Rat, orEqual bool) string {
	whole, fraction := magnitude(r)
	forms := []string{wholeAbove(whole) + `(\.[0-9]+)?`}
	switch {
	case fraction == "" && orEqual:
		forms = append(forms, whole+`(\.[0-9]+)?`)
	case orEqual:
		forms = append(forms, whole+fractionText(fraction))
		fallthrough
	default:
		forms = append(forms, whole+`\.`+fractionAbove(fraction))
	}
	return "0*(" + strings.Join(forms, "|") + ")"
}

// wholeAbove matches digits, without leading zeros, of a larger whole number.
func wholeAbove(whole string) string {
	if whole == "0" {
		return "[1-9][0-9]*"
	}
	forms := []string{fmt.Sprintf("[1-9][0-9]{%d,}", len(whole))}
	for i, digit := range whole {
		if digit < '9' {
			forms = append(forms, whole[:i]+digitAbove(digit)+anyDigits(len(whole)-i-1))
		}
	}
	return "(" + strings.Join(forms, "|") + ")"
}

// fractionAbove matches digits after the point of a larger fraction.
func fractionAbove(fraction string) string {
	forms := []string{fraction + "[0-9]*[1-9][0-9]*"}
	for i, digit := range fraction {
		if digit < '9' {
			forms = append(forms, fraction[:i]+digitAbove(digit)+"[0-9]*")
		}
	}
	return "(" + strings.Join(forms, "|") + ")"
}

func digitAbove(digit rune) string {
	if digit == '8' {
		return "9"
	}
	return fmt.Sprintf("[%c-9]", digit+1)
}

func anyDigits(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "[0-9]"
	}
	return fmt.Sprintf("[0-9]{%d}", n)
}
