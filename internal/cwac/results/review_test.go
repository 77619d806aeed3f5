package results

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhatAPersonMustDecide: of every audit it is in needs_review.csv, in no count of
// issues, and in no row that counts one, but for CWAC's own figure of reflow.
func TestWhatAPersonMustDecide(t *testing.T) {
	table := Finding{Rule: RuleReflow, Impact: "serious", HTML: "<table>", Target: "//table", Review: true}
	box := Finding{Rule: RuleReflow, Impact: "serious", HTML: "<div>", Target: "//div"}
	unsure := Finding{Rule: RuleFocusVisible, HTML: "<a>", Target: "//a", Review: true}
	unseen := Finding{Rule: RuleFocusVisible, HTML: "<b>", Target: "//b"}
	type counted struct {
		Reflow, Focus    string // num_issues of the row
		Found, Undecided []string
	}
	tests := []struct {
		name   string
		compat bool
		reflow []Finding
		focus  []Finding
		want   counted
	}{
		{"only what may be wide", false, []Finding{table}, []Finding{unsure}, counted{"0", "0", nil, []string{"reflow_audit //table", "focus_indicator_audit //a"}}},
		{"as CWAC counts", true, []Finding{table}, []Finding{unsure}, counted{"1", "0", nil, []string{"reflow_audit //table", "focus_indicator_audit //a"}}},
		{"a fault beside it", false, []Finding{table, box}, []Finding{unsure, unseen}, counted{"1", "1", []string{"reflow_audit //div", "focus_indicator_audit //b"}, []string{"focus_indicator_audit //a"}}},
		{"nothing shows what is wide", false, nil, nil, counted{"1", "0", []string{"reflow_audit "}, nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWriter(t, func(c *Config) { c.Legwork.Compat = tt.compat })
			for _, err := range []error{
				w.Reflow(view(1), Reflow{Overflow: 50, Capped: 50, Culprits: tt.reflow}), w.Focus(view(1), Focus{Stops: 2, Missing: tt.focus}), w.Finish(StateComplete, began),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if c := w.Scan().Counts; c.Findings != len(tt.want.Found) || c.Review != len(tt.want.Undecided) || c.Issues[AuditReflow]+c.Issues[AuditFocus] != len(tt.want.Found) {
				t.Errorf("the counts are %+v", c)
			}
			for _, file := range []string{FileFindings, ""} { // from the native record, and from the CSV files alone
				var got counted
				r, err := Open(w.Dir())
				if err != nil {
					t.Fatal(err)
				}
				each(t, r, AuditReflow+".csv", func(row Record) { got.Reflow = row.Get("num_issues") })
				each(t, r, AuditFocus+".csv", func(row Record) { got.Focus = row.Get("num_issues") })
				for f, err := range r.NeedsReview() {
					if err != nil {
						t.Fatal(err)
					}
					got.Undecided = append(got.Undecided, f.Audit+" "+f.Target)
				}
				if file != "" {
					for f, err := range r.Findings() {
						if err != nil {
							t.Fatal(err)
						}
						got.Found = append(got.Found, f.Audit+" "+f.Target)
					}
				} else {
					got.Found = tt.want.Found // CWAC's files have no place of these
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("by %q (-want +got):\n%s", file, diff)
				}
				if file != "" {
					if err := os.Remove(filepath.Join(w.Dir(), file)); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}
