package report

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// WCAG 2.2 has 31 success criteria at level A and 24 at AA; EN 301 549 V3.2.1 has a
// clause for each of the 50 that WCAG 2.1 has, without 4.1.1.
func TestTableOfCriteria(t *testing.T) {
	levels, since := map[string]int{}, map[string]int{}
	last := ""
	for _, c := range criteria() {
		levels[c.level]++
		since[c.since]++
		if !strings.HasSuffix(c.check, "?") || c.name == "" || strings.Trim(c.slug, "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("%+v", c)
		}
		if wcagOrder(c.number) <= wcagOrder(last) {
			t.Errorf("%s comes after %s", c.number, last)
		}
		last = c.number
	}
	if d := cmp.Diff(map[string]int{"A": 31, "AA": 24}, levels); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]int{"2.0": 37, "2.1": 12, "2.2": 6}, since); d != "" {
		t.Error(d)
	}
	if got := clauses([]string{"1.4.10", "2.5.8", "9.9.9"}); !slices.Equal(got, []string{"9.1.4.10"}) {
		t.Errorf("clauses are %v", got)
	}
}

// wcagOrder makes numbers such as 1.4.10 comparable.
func wcagOrder(number string) int {
	order := 0
	for _, part := range strings.Split(number, ".") {
		n, _ := strconv.Atoi(part) // the empty number is before all others
		order = order*100 + n
	}
	return order
}

func TestTableOfRules(t *testing.T) {
	on := 0
	for id, k := range ruleBook() {
		if k.fix == "" || !strings.HasSuffix(k.fix, ".") || !slices.Contains([]string{"small", "medium", "large"}, k.effort) || k.ask != "" && !strings.HasSuffix(strings.TrimSuffix(k.ask, " It could not be tested."), "?") {
			t.Errorf("%s: %+v", id, k)
		}
		for _, n := range k.criteria {
			if _, ok := criterionOf(n); !ok && !slices.Contains([]string{"1.4.6", "2.1.3", "2.2.4", "2.4.9", "3.2.5", "4.1.1"}, n) { // AAA, and one that 2.2 dropped
				t.Errorf("%s is about %s, which is no criterion", id, n)
			}
		}
		if k.on {
			on++
		}
	}
	if len(ruleBook()) != 123 || on != 89 { // axe-core 4.13.0 has 105 rules, 16 of them off or experimental; 18 are ours
		t.Errorf("%d rules, %d on", len(ruleBook()), on)
	}
}

func TestCriteriaFromTags(t *testing.T) {
	for tags, want := range map[string][]string{
		"wcag2aa wcag143": {"1.4.3"}, "wcag21aa wcag1410": {"1.4.10"}, "wcag2a wcag244 wcag412 wcag412": {"2.4.4", "4.1.2"},
		"best-practice": {"9.9.9"}, "wcag2a wcag22aa wcag12x wcag": {"9.9.9"},
	} {
		if d := cmp.Diff(want, criteriaOf(strings.Fields(tags), []string{"9.9.9"})); d != "" {
			t.Errorf("%s: %s", tags, d)
		}
	}
}

func TestCoverage(t *testing.T) {
	for name, c := range map[string]struct {
		folder string
		want   map[string]string // criterion to state
		counts [4]int
	}{
		"native": {nativeFolder(t), map[string]string{"1.4.3": CriterionFailed, "1.4.10": CriterionFailed, "1.4.1": CriterionReview, "1.1.1": CriterionTouched, "3.1.1": CriterionTouched, "2.4.3": CriterionPerson}, [4]int{2, 1, 2, 50}},
		// that a rule ran says nothing when there was no page
		"empty": {emptyFolder(t), map[string]string{"1.1.1": CriterionPerson}, [4]int{0, 0, 0, 55}},
		"CWAC":  {samples + "contract-a", map[string]string{"1.1.1": CriterionFailed, "1.4.10": CriterionFailed, "2.2.1": CriterionTouched, "2.4.7": CriterionPerson}, [4]int{13, 0, 7, 35}},
	} {
		got := build(t, c.folder).Coverage
		for _, one := range got.Criteria {
			if want, ok := c.want[one.Number]; ok && one.State != want {
				t.Errorf("%s: %s is %s, want %s", name, one.Number, one.State, want)
			}
		}
		if n := [4]int{got.Failed, got.Review, got.Touched, got.Person}; n != c.counts {
			t.Errorf("%s: %v, want %v", name, n, c.counts)
		}
	}
}

// The engine of CWAC drops good practice unless it was asked for: a rule of it did
// not run then.
func TestAssumedRules(t *testing.T) {
	for folder, want := range map[string]bool{"contract-c-default-plugins": false, "contract-c-all-plugins": true} {
		rep := build(t, samples+folder)
		if got := rep.ran["heading-order"]; got != want || !rep.ran["image-alt"] || rep.ran["target-size"] || !rep.Coverage.Assumed {
			t.Errorf("%s: heading-order %v, image-alt %v, target-size %v", folder, got, rep.ran["image-alt"], rep.ran["target-size"])
		}
		if rep.ran[results.RuleFocusVisible] {
			t.Errorf("%s: a rule of an audit without a file ran", folder)
		}
	}
}

// Files are no web pages: chapter 10 of EN 301 549 is theirs.
func TestClausesOfDocuments(t *testing.T) {
	for audit, want := range map[string]string{results.AuditPDF: "10.3.1.1", results.AuditAxe: "9.3.1.1"} {
		if got := newRule(results.Finding{Audit: audit, Rule: "pdf-lang"}).Clauses; !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v", audit, got)
		}
	}
}
