package scout

import (
	"slices"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// twins are question i in the first row and in row n, counted from 0. Without a
// second row there is only one.
func (r *rows) twins(i int) (first, other page.Control, n int) {
	own := r.fields[i].control
	if len(r.standing) > 0 && r.standing[0][i] != nil {
		return r.standing[0][i].control, own, len(r.standing)
	}
	if at := slices.IndexFunc(r.second, func(c page.Control) bool { return alike(c) == alike(own) }); at >= 0 {
		return own, r.second[at], 1
	}
	return own, own, 0
}

// selector finds a question in every row: with {index} or {number} in the place
// of the row's number, by the name or the label that all rows share, or in the
// first row only.
func (r *rows) selector(i int) string {
	first, other, n := r.twins(i)
	if n == 0 {
		return first.Selector
	}
	for _, a := range first.Ways {
		for _, b := range other.Ways {
			if s := indexed(a.Selector, b.Selector, n); s != "" && a.Basis == b.Basis && a.Basis != "path" {
				return s
			}
		}
	}
	for _, a := range first.Ways {
		shared := a.Basis == "name" && first.Name == other.Name && strings.Contains(a.Selector, first.Name) || a.Basis == "label" && first.Label == other.Label
		if shared {
			return a.Selector
		}
	}
	return first.Selector
}

// options are those of question i with selectors that hold in every row; without
// one an option is found by its value or its label.
func (r *rows) options(i int, list []wizard.Option) []wizard.Option {
	first, other, n := r.twins(i)
	if n == 0 {
		return list
	}
	out := slices.Clone(list)
	for j := range out {
		a, b := optionOf(first, out[j]), optionOf(other, out[j])
		if out[j].Selector = indexed(a, b, n); a == b {
			out[j].Selector = a
		}
	}
	return out
}

// optionOf is the selector of an option of a control.
func optionOf(c page.Control, o wizard.Option) string {
	i := slices.IndexFunc(c.Options, func(x page.ControlOption) bool { return x.Label == o.Label && optionValue(x) == o.Value })
	if i < 0 {
		return ""
	}
	return c.Options[i].Selector
}

// indexed puts {index} or {number} for the one number in which the selectors of
// the first row and of row n, counted from 0, differ: {index} where the page
// counts its rows from 0, {number} where it counts them from 1.
func indexed(first, other string, n int) string {
	a, b := numbersIn.FindAllStringIndex(first, -1), numbersIn.FindAllStringIndex(other, -1)
	if len(a) != len(b) || numbersIn.ReplaceAllString(first, "#") != numbersIn.ReplaceAllString(other, "#") {
		return ""
	}
	at, mark := -1, ""
	for i := range a {
		x, y := first[a[i][0]:a[i][1]], other[b[i][0]:b[i][1]]
		if x == y {
			continue
		}
		if at >= 0 {
			return ""
		}
		switch {
		case x == "0" && y == strconv.Itoa(n):
			at, mark = i, "{index}"
		case x == "1" && y == strconv.Itoa(n+1):
			at, mark = i, "{number}"
		default:
			return ""
		}
	}
	if at < 0 {
		return ""
	}
	return first[:a[at][0]] + mark + first[a[at][1]:]
}
