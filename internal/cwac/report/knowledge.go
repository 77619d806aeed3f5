package report

import (
	_ "embed" // the tables
	"slices"
	"strings"
	"sync"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

//go:embed knowledge/wcag.tsv
var wcagTable string

//go:embed knowledge/rules.tsv
var rulesTable string

// criterion is one success criterion of WCAG 2.2 at level A or AA.
type criterion struct {
	number, level, since, name, slug, check string
}

func (c criterion) understanding() string {
	return "https://www.w3.org/WAI/WCAG22/Understanding/" + c.slug + ".html"
}

// ruleFacts are what we know of a rule beside what the engine says of it.
type ruleFacts struct {
	id, effort, fix, ask string
	on                   bool // axe-core runs it by default
	criteria             []string
}

var criteria = sync.OnceValue(func() []criterion {
	var out []criterion
	for _, c := range tableRows(wcagTable) {
		out = append(out, criterion{c[0], c[1], c[2], c[3], c[4], c[5]})
	}
	return out
})

var ruleBook = sync.OnceValue(func() map[string]ruleFacts {
	out := map[string]ruleFacts{}
	for _, c := range tableRows(rulesTable) {
		f := ruleFacts{id: c[0], on: c[1] == "on", effort: c[3], fix: c[4]}
		if c[2] != "-" {
			f.criteria = strings.Fields(c[2])
		}
		if c[5] != "-" {
			f.ask = c[5]
		}
		out[f.id] = f
	}
	return out
})

// tableRows are the rows of one of our tables, without comments and heading.
func tableRows(text string) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimRight(line, "\n"), "\t"))
		}
	}
	return rows[1:]
}

// known is what we know of a rule; of a rule of another version, nothing.
func known(rule string) ruleFacts { return ruleBook()[rule] }

// question asks a person to decide what the engine could not.
func (k ruleFacts) question(f results.Finding) string {
	if k.ask != "" {
		return k.ask
	}
	return "Does this hold here: " + strings.TrimSuffix(f.Help, ".") + "?"
}

// criteriaOf reads the success criteria from axe's tags (wcag143 is 1.4.3, wcag1410
// is 1.4.10), or takes those of the table.
func criteriaOf(tags, table []string) []string {
	var out []string
	for _, tag := range tags {
		if n, ok := tagNumber(tag); ok && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	if out == nil {
		return table
	}
	return out
}

func tagNumber(tag string) (string, bool) {
	digits, ok := strings.CutPrefix(tag, "wcag")
	if !ok || len(digits) < 3 || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	return digits[:1] + "." + digits[1:2] + "." + digits[2:], true
}

// clauses are the clauses of EN 301 549 V3.2.1 (2021-03) that ask for the same: its
// chapter 9 repeats WCAG 2.1 at A and AA under the same numbers. What WCAG 2.2 added
// has no clause there.
func clauses(numbers []string) []string {
	var out []string
	for _, n := range numbers {
		if c, ok := criterionOf(n); ok && c.since != "2.2" {
			out = append(out, "9."+n)
		}
	}
	return out
}

func criterionOf(number string) (criterion, bool) {
	at := slices.IndexFunc(criteria(), func(c criterion) bool { return c.number == number })
	if at < 0 {
		return criterion{}, false
	}
	return criteria()[at], true
}
