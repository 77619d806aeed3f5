package runner

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// amount is a figure as pages write it: $24,789.50, (1,200), -3 %.
var amount = lazyregexp.New(`\(?[-\x{2212}]?\s*(?:[$€£¥]|US\$|USD)?\s*[-\x{2212}]?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?`)

// typedValue reads text as the type of a result rule. ok is false when it is
// none: then the text itself is the value.
func typedValue(text, typ string) (v any, ok bool) {
	switch typ {
	case "number", "currency", "integer":
		return figure(text, typ == "integer")
	case "date":
		return date(text)
	case "boolean":
		switch folded(text) {
		case "yes", "true", "eligible", "on":
			return true, true
		case "no", "false", "not eligible", "off":
			return false, true
		}
		return text, false
	}
	return text, true
}

// figure is the first number of the text, as a json.Number: exact, no floats.
func figure(text string, whole bool) (any, bool) {
	m := amount.FindStringSubmatch(text)
	if m == nil {
		return text, false
	}
	n := strings.ReplaceAll(m[1], ",", "")
	if m[2] != "" && !whole {
		n += m[2]
	}
	if strings.HasPrefix(m[0], "(") && strings.Contains(text, ")") || strings.ContainsAny(m[0], "-\u2212") {
		n = "-" + n
	}
	n = canonical(n)
	if _, err := strconv.ParseFloat(n, 64); err != nil {
		return text, false
	}
	return json.Number(n), true
}

// canonical drops leading zeros, which JSON numbers must not have.
func canonical(n string) string {
	sign := ""
	if strings.HasPrefix(n, "-") {
		sign, n = "-", n[1:]
	}
	n = strings.TrimLeft(n, "0")
	if n == "" || n[0] == '.' {
		n = "0" + n
	}
	return sign + n
}

// dateLayouts are the ways in which forms write a day.
var dateLayouts = []string{"2006-01-02", "January 2, 2006", "Jan 2, 2006", "01/02/2006", "1/2/2006", "2 January 2006", "2 Jan 2006"}

func date(text string) (any, bool) {
	text = strings.Join(strings.Fields(text), " ")
	for _, l := range dateLayouts {
		if t, err := time.Parse(l, text); err == nil {
			return t.Format(time.DateOnly), true
		}
	}
	return text, false
}
