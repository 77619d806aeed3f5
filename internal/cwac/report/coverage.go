package report

import (
	"fmt"
	"slices"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// The states of a success criterion after a scan. None of them says that it is met.
const (
	CriterionFailed  = "failed"  // a fault was found
	CriterionReview  = "review"  // a rule found something that it could not decide
	CriterionTouched = "touched" // rules about it ran and found nothing; they see a part of it only
	CriterionPerson  = "person"  // no rule about it ran
)

// Coverage says how far the scan looks into WCAG 2.2 at A and AA. There is no score:
// no number of rules that hold makes a page accessible.
type Coverage struct {
	Standard  string              `json:"standard"`
	Statement string              `json:"statement"` // for people, in one or two sentences
	Rules     int                 `json:"rules_ran"`
	Assumed   bool                `json:"rules_assumed,omitempty"` // which ran was not written down
	Failed    int                 `json:"criteria_failed"`
	Review    int                 `json:"criteria_to_review"`
	Touched   int                 `json:"criteria_touched"`
	Person    int                 `json:"criteria_for_a_person"`
	Criteria  []CriterionCoverage `json:"criteria"`
}

// CriterionCoverage is the state of one success criterion.
type CriterionCoverage struct {
	Number string   `json:"wcag"`
	Name   string   `json:"name"`
	Level  string   `json:"level"`
	Clause string   `json:"en_301_549,omitempty"` // V3.2.1
	State  string   `json:"state"`
	Issues int      `json:"issues"`
	Rules  []string `json:"rules,omitempty"` // about it, that ran
	Check  string   `json:"check"`           // what a person asks
	URL    string   `json:"url"`             // W3C's explanation
}

func coverage(r *results.Results, rep *Report) Coverage {
	ran, assumed := rulesRan(r, rep)
	c := Coverage{Standard: "WCAG 2.2 A and AA", Rules: len(ran), Assumed: assumed}
	about := map[string][]string{}
	rep.ran = map[string]bool{}
	for _, id := range ran {
		rep.ran[id] = true
		for _, n := range aboutOf(id, rep) {
			about[n] = append(about[n], id)
		}
	}
	for _, s := range criteria() {
		one := CriterionCoverage{Number: s.number, Name: s.name, Level: s.level, Rules: about[s.number], Check: s.check, URL: s.understanding()}
		if e := clauses([]string{s.number}); len(e) > 0 {
			one.Clause = e[0]
		}
		one.Issues = issuesOf(rep.Rules, s.number)
		switch {
		case one.Issues > 0:
			one.State, c.Failed = CriterionFailed, c.Failed+1
		case issuesOf(rep.Review, s.number) > 0:
			one.State, c.Review = CriterionReview, c.Review+1
		case len(one.Rules) > 0 && rep.Scan.Scanned > 0:
			one.State, c.Touched = CriterionTouched, c.Touched+1
		default:
			one.State, c.Person = CriterionPerson, c.Person+1
		}
		c.Criteria = append(c.Criteria, one)
	}
	c.Statement = c.statement()
	return c
}

func (c *Coverage) statement() string {
	return fmt.Sprintf("Of the %d success criteria of %s, %d have faults, %d more have findings that a person must decide, "+
		"%d were touched by rules that found nothing and %d were not looked at by any rule. "+
		"Rules see a part of a criterion only: no criterion is shown to be met before a person has checked it.",
		len(c.Criteria), c.Standard, c.Failed, c.Review, c.Touched, c.Person)
}

// aboutOf are the criteria of a rule: as the table has it, or the scan's own tags.
func aboutOf(id string, rep *Report) []string {
	if k := known(id); k.id != "" {
		return k.criteria
	}
	for _, rule := range slices.Concat(rep.Rules, rep.Review) {
		if rule.ID == id {
			return rule.Criteria
		}
	}
	return nil
}

func issuesOf(rules []*Rule, number string) int {
	n := 0
	for _, r := range rules {
		if slices.Contains(r.Criteria, number) {
			n += r.Counts.Issues
		}
	}
	return n
}

// rulesRan are the rules of all audits, sorted. CWAC does not write them down: its axe
// audit runs those that axe-core runs by default, and drops good practice unless its
// configuration asks for it.
func rulesRan(r *results.Results, rep *Report) (ran []string, assumed bool) {
	seen := map[string]bool{}
	if r.Scan != nil {
		for _, rules := range r.Scan.Rules {
			for _, id := range rules {
				seen[id] = true
			}
		}
	}
	if r.Scan == nil || len(r.Scan.Rules) == 0 {
		assumed = assume(r, seen)
	}
	for _, rule := range slices.Concat(rep.Rules, rep.Review) {
		seen[rule.ID] = true
	}
	for id := range seen {
		ran = append(ran, id)
	}
	slices.Sort(ran)
	return ran, assumed
}

func assume(r *results.Results, seen map[string]bool) bool {
	if slices.Contains(r.Audits, results.AuditAxe) {
		advice := false
		if r.Config != nil {
			axe := r.Config.Plugins.Named(results.AuditAxe)
			advice = axe != nil && axe.BestPractice
		}
		for id, k := range ruleBook() {
			if k.on && (advice || len(k.criteria) > 0) {
				seen[id] = true
			}
		}
	}
	if slices.Contains(r.Audits, results.AuditReflow) {
		seen[results.RuleReflow] = true
	}
	if slices.Contains(r.Audits, results.AuditFocus) {
		seen[results.RuleFocusVisible] = true
	}
	return len(seen) > 0
}
