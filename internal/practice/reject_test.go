package practice

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// student is an acceptable first page of the aid estimator.
func student() url.Values {
	return url.Values{
		"birth_month": {"05"}, "birth_day": {"15"}, "birth_year": {"2007"}, "marital_status": {"unmarried"},
		"state": {"Illinois"}, "state_text": {"Illinois"}, "grade_level": {"freshman"},
	}
}

// with returns the form with some values changed; an empty one is left out.
func with(form url.Values, pairs ...string) url.Values {
	changed := maps.Clone(form)
	for i := 0; i+1 < len(pairs); i += 2 {
		changed.Set(pairs[i], pairs[i+1])
		if pairs[i+1] == "" {
			changed.Del(pairs[i])
		}
	}
	return changed
}

func TestFirstPageOfTheEstimatorIsJudgedByTheServer(t *testing.T) {
	tests := map[string]struct {
		form url.Values
		want string // in the error summary; empty means accepted
	}{
		"acceptable":              {student(), ""},
		"no month":                {with(student(), "birth_month", ""), "enter the month"},
		"day that does not exist": {with(student(), "birth_month", "02", "birth_day", "30"), "this date does not exist"},
		"letters in the year":     {with(student(), "birth_year", "19x4"), "use numbers"},
		"two-digit year":          {with(student(), "birth_year", "07"), "use numbers"},
		"year too recent":         {with(student(), "birth_year", "2020"), "too recent"},
		"no marital status":       {with(student(), "marital_status", ""), "Choose an answer to “Student’s marital status”"},
		"unknown marital status":  {with(student(), "marital_status", "engaged"), "Choose one of the answers"},
		"state only typed":        {with(student(), "state", "", "grade_level", ""), "choose one of the suggestions"},
		"state not in the list":   {with(student(), "state", "Kerala, India", "state_text", "Kerala, India"), "this is not in the list"},
		"state changed afterwards": {
			with(student(), "state_text", "Washington"), "the text was changed after a suggestion was chosen"},
		"grade missing":     {with(student(), "grade_level", ""), "college level"},
		"unknown parameter": {with(student(), "nickname", "Sam"), "does not ask for “nickname”"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v := newVisitor(t, New())
			at := v.get("/aid-estimator/start")
			answer := v.post(at.path, tt.form)
			if tt.want == "" {
				if !strings.HasSuffix(answer.path, "/personal-circumstances") {
					t.Fatalf("not accepted: %s", summaryOf(answer.body))
				}
				return
			}
			if answer.status != http.StatusUnprocessableEntity || answer.path != at.path {
				t.Fatalf("status %d at %s, want 422 on the same page", answer.status, answer.path)
			}
			if !strings.Contains(summaryOf(answer.body), tt.want) {
				t.Errorf("summary %q lacks %q", summaryOf(answer.body), tt.want)
			}
		})
	}
}

func TestRejectedPageShowsInlineErrorsAndKeepsWhatWasTyped(t *testing.T) {
	v := newVisitor(t, New())
	at := v.get("/aid-estimator/start")
	body := v.post(at.path, with(student(), "birth_day", "31", "birth_month", "02")).body
	for _, want := range []string{
		`id="date_of_birth-error"`, `aria-invalid="true" aria-describedby="date_of_birth-error"`,
		`value="2007"`, `value="unmarried" checked`, `role="alert"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestNoneOfTheseExcludesTheOthers(t *testing.T) {
	v := newVisitor(t, New())
	at := v.post(v.get("/aid-estimator/start").path, student())
	both := url.Values{"has_dependents": {"no"}, "personal_circumstances_none": {"true"}, "personal_circumstances_homeless": {"true"}}
	if got := summaryOf(v.post(at.path, both).body); !strings.Contains(got, "cannot go together") {
		t.Errorf("both boxes: %q", got)
	}
	if got := summaryOf(v.post(at.path, url.Values{"has_dependents": {"no"}}).body); !strings.Contains(got, "Select what applies") {
		t.Errorf("no box: %q", got)
	}
}

// A value for a question that is hidden on the page is refused, and stays
// visible in the record even when the visitor corrects it.
func TestHiddenQuestionsAreRefusedAndRecordedAsExtra(t *testing.T) {
	site := New()
	v := newVisitor(t, site)
	w := loadWizard(t, fsaSite)
	data := loadDataSets(t, fsaSite)["independent-by-age"].Data
	at := v.get("/aid-estimator/start")
	at = v.post(at.path, v.fill(w.Pages[0], inputsOf(at.body), data))
	form := v.fill(w.Pages[1], inputsOf(at.body), data)
	refused := v.post(at.path, with(form, "dependents_count", "3"))
	if refused.status != http.StatusUnprocessableEntity || !strings.Contains(summaryOf(refused.body), "is not asked with these answers") {
		t.Fatalf("status %d: %s", refused.status, summaryOf(refused.body))
	}
	at = v.post(at.path, form)
	v.post(at.path, v.fill(w.Pages[6], inputsOf(at.body), data))
	all := site.Submissions()
	if len(all) != 1 {
		t.Fatalf("%d submissions", len(all))
	}
	if diff := cmp.Diff(map[string]any{"dependents_count": "3"}, all[0].Extra); diff != "" {
		t.Errorf("extra (-want +got):\n%s", diff)
	}
	if _, there := all[0].Data["dependents_count"]; there {
		t.Error("the refused value is in the data")
	}
}

// Going back and answering otherwise leaves the answers of the abandoned
// branch out of the record.
func TestAnswersOfAnAbandonedBranchAreNotRecorded(t *testing.T) {
	site := New()
	v := newVisitor(t, site)
	v.get("/aid-estimator/start")
	v.post(fsaBase+"student-information", student())
	v.post(fsaBase+"student-information/personal-circumstances", url.Values{"has_dependents": {"no"}, "personal_circumstances_none": {"true"}})
	v.post(fsaBase+"parent-marital-status", url.Values{"parents_married": {"yes"}})
	v.post(fsaBase+"student-information/personal-circumstances", url.Values{"has_dependents": {"yes"}, "dependents_count": {"1"}})
	v.post(fsaBase+"financial-information/student-information", url.Values{"student_family_size": {"2"}, "student_filed_taxes": {"no"}})
	all := site.Submissions()
	if len(all) != 1 {
		t.Fatalf("%d submissions", len(all))
	}
	for _, id := range []string{"parents_married", "personal_circumstances_none"} {
		if v, there := all[0].Data[id]; there {
			t.Errorf("%s = %v is recorded", id, v)
		}
	}
	want := []string{"student-information", "student-information/personal-circumstances", "financial-information/student-information"}
	if diff := cmp.Diff(want, all[0].Pages); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestDeepLinksLeadToTheStart(t *testing.T) {
	tests := []struct{ start, path, want string }{
		{"", fsaBase + "student-information", "/aid-estimator/"},
		{"/aid-estimator/start", fsaBase + "parent-information/family-size", "/aid-estimator/"},
		{"/aid-estimator/start", fsaBase + "results", "/aid-estimator/"},
		{"/aid-estimator/start", fsaBase + "nothing", "/aid-estimator/"},
		{"/aid-estimator/start", fsaBase + "student-information", fsaBase + "student-information"},
		{"", "/loan-simulator/borrow-more/loans", "/loan-simulator/"},
		{"/loan-simulator/start/borrow-more", "/loan-simulator/borrow-more/loans", "/loan-simulator/"},
		{"/loan-simulator/start/borrow-more", "/loan-simulator/repayment/about-you", "/loan-simulator/"},
		{"/loan-simulator/start/repayment", "/loan-simulator/repayment/about-you", "/loan-simulator/repayment/about-you"},
		{"/loan-simulator/start/repayment", "/loan-simulator/repayment/results", "/loan-simulator/"},
		{"", "/cgi-bin/benefit6.cgi", "/oact/quickcalc/"},
		{"", "/aid-estimator", "/aid-estimator/"},
		{"", "/loan-simulator", "/loan-simulator/"},
	}
	for _, tt := range tests {
		t.Run(tt.start+" "+tt.path, func(t *testing.T) {
			v := newVisitor(t, New())
			if tt.start != "" {
				v.get(tt.start)
			}
			if got := v.get(tt.path); got.path != tt.want || got.status != http.StatusOK {
				t.Errorf("led to %s (status %d), want %s", got.path, got.status, tt.want)
			}
		})
	}
}

func TestLoanStepsAreJudgedByTheServer(t *testing.T) {
	v := newVisitor(t, New())
	v.get("/loan-simulator/start/borrow-more")
	api := "/loan-simulator/api/borrow-more/"
	refused := func(path string, form url.Values, want string) {
		t.Helper()
		got := v.post(api+path, form)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) {
			t.Errorf("%s %v: status %d, %s, want %q", path, form, got.status, got.body, want)
		}
	}
	accepted := func(path string, form url.Values) {
		t.Helper()
		if got := v.post(api+path, form); got.status != http.StatusOK {
			t.Fatalf("%s: status %d, %s", path, got.status, got.body)
		}
	}
	refused("steps/program-timing", url.Values{"program_timing": {"future"}, "years_completed": {"1"}}, "is not asked")
	accepted("steps/program-timing", url.Values{"program_timing": {"future"}})
	program := url.Values{"program_type": {"3"}, "program_length": {"5"}, "dependency_status": {"independent"}}
	refused("steps/program-information", with(program, "program_type", "Bachelor's degree"), "Choose one of the answers")
	refused("steps/program-information", with(program, "school_location_text", "Illinois"), "choose one of the suggestions")
	refused("steps/program-information", with(program, "school_location", "Illinois", "school_name", "University of Nowhere"), "not in the list")
	accepted("steps/program-information", program)
	if got := v.post(api+"steps/loans", nil); got.status != http.StatusConflict {
		t.Errorf("a later step: status %d, want 409", got.status)
	}
	refused("steps/borrow-amount", url.Values{"borrow_amount": {"a lot"}}, "enter a number")
	accepted("steps/borrow-amount", url.Values{"borrow_amount": {"9000"}})
	accepted("steps/income", url.Values{"expected_salary": {"40000"}, "income_growth_rate": {"3"}})
	refused("steps/loans", url.Values{}, "at least one")
	loan := url.Values{"loan_type": {"1"}, "loan_interest_rate": {"5.5"}, "loan_balance": {"4000"}}
	refused("rows", with(loan, "loan_type", ""), "Loan type")
	refused("rows", with(loan, "loan_interest_rate", "55"), "from 0 to 15")
	for range maxLoans {
		accepted("rows", loan)
	}
	refused("rows", loan, "more than three")
	refused("steps/loans", url.Values{}, "they add up to $12,000, but you need $9,000")
	if got := v.do(http.MethodDelete, api+"rows/1", nil); strings.Count(got.body, "$4000") != maxLoans-1 {
		t.Errorf("after a removal: %s", got.body)
	}
}

func TestPaymentThatNeverRepaysIsRefused(t *testing.T) {
	v := newVisitor(t, New())
	w := loadWizard(t, repaySite)
	set := loadDataSets(t, repaySite)["choose-payment"]
	driveLoan(v, w, set.Data)
	data := maps.Clone(set.Data)
	data["desired_payment"] = "150"
	v = newVisitor(t, New())
	v.get("/loan-simulator/start/repayment")
	api := "/loan-simulator/api/repayment/"
	for i, path := range []string{"about-you", "loans", "public-service", "repayment-goal"} {
		var st loanStep
		v.decode(v.get(api+"steps/"+path), &st)
		answer := v.post(api+"steps/"+path, v.loanForm(st, w.Pages[i], api, data))
		if i == 3 && !strings.Contains(answer.body, "never be repaid") {
			t.Errorf("answered %s", answer.body)
		}
	}
}

func TestQuickCalculatorJudgesPairsAndAges(t *testing.T) {
	good := url.Values{"dobmon": {"06"}, "dobday": {"15"}, "yob": {"1980"}, "earnings": {"75000"}, "dollars": {"1"}}
	tests := map[string]struct {
		form url.Values
		want string
	}{
		"acceptable":           {good, ""},
		"too young":            {with(good, "yob", "2010"), "from 22 to 69"},
		"year without amount":  {with(good, "lastYearEarn", "2015"), "or neither"},
		"amount without year":  {with(good, "lastEarn", "100"), "or neither"},
		"year before 22":       {with(good, "lastYearEarn", "2001", "lastEarn", "100"), "before the age of 22"},
		"month without year":   {with(good, "retiremonth", "2"), "or neither"},
		"too early":            {with(good, "retiremonth", "1", "retireyear", "2040"), "between the ages of 62 and 70"},
		"earnings not numeric": {with(good, "earnings", "1e5"), "enter a number"},
		"no dollars":           {with(good, "dollars", ""), "Choose an answer"},
		"unknown parameter":    {with(good, "prgf", "high"), "does not ask for"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			site := New()
			got := newVisitor(t, site).post("/cgi-bin/benefit6.cgi", tt.form)
			accepted := strings.Contains(got.body, "Practice reference")
			if accepted != (tt.want == "") || !strings.Contains(got.body, tt.want) {
				t.Errorf("accepted %v, want the message %q", accepted, tt.want)
			}
			if got.status != http.StatusOK || len(site.Submissions()) != map[bool]int{true: 1}[accepted] {
				t.Errorf("status %d, %d submissions", got.status, len(site.Submissions()))
			}
		})
	}
}

func TestSessionTimeoutIsConfigurableAndSessionsEnd(t *testing.T) {
	v := newVisitor(t, New())
	if body := v.get("/aid-estimator/?timeout_ms=500").body; !strings.Contains(body, `href="/aid-estimator/start?timeout_ms=500"`) {
		t.Error("the entry page drops the timeout")
	}
	at := v.get("/aid-estimator/start?timeout_ms=500")
	if !strings.Contains(at.body, `data-after="500"`) {
		t.Error("the page does not carry the timeout")
	}
	if got := v.post("/aid-estimator/session/stay", nil); got.status != http.StatusNoContent {
		t.Errorf("stay: status %d", got.status)
	}
	v.post("/aid-estimator/session/end", nil)
	if got := v.post("/aid-estimator/session/stay", nil); got.status != http.StatusGone {
		t.Errorf("stay after the end: status %d", got.status)
	}
	if got := v.get(at.path); got.path != "/aid-estimator/" {
		t.Errorf("after the end: %s", got.path)
	}
}

func TestSubmissionsAreReadableAsJSON(t *testing.T) {
	site := New()
	v := newVisitor(t, site)
	var all []Submission
	v.decode(v.get("/_practice/submissions"), &all)
	if len(all) != 0 {
		t.Errorf("a new site has %d submissions", len(all))
	}
	driveSSA(v, loadWizard(t, ssaSite), loadDataSets(t, ssaSite)["working-today-dollars"].Data)
	v.decode(v.get("/_practice/submissions"), &all)
	if diff := cmp.Diff(site.Submissions(), all); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	var one Submission
	v.decode(v.get("/_practice/submissions/"+all[0].Reference), &one)
	if diff := cmp.Diff(all[0], one); diff != "" {
		t.Errorf("one (-want +got):\n%s", diff)
	}
	if got := v.get("/_practice/submissions/PR-0"); got.status != http.StatusNotFound {
		t.Errorf("unknown reference: status %d", got.status)
	}
}

func TestRecorderKeepsTheNewestAndIsSafeForConcurrentUse(t *testing.T) {
	r := newRecorder()
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range maxSubmissions/4 + 10 {
				ref := r.add("site", map[string]any{"n": fmt.Sprint(worker, i)}, nil, nil)
				if _, ok := r.find(ref); !ok && i < 10 {
					t.Errorf("%s is not found", ref)
				}
			}
		})
	}
	wg.Wait()
	all := r.all()
	if len(all) != maxSubmissions {
		t.Fatalf("%d kept, want %d", len(all), maxSubmissions)
	}
	seen := map[string]bool{}
	for _, s := range all {
		seen[s.Reference] = true
	}
	if len(seen) != maxSubmissions {
		t.Errorf("%d distinct references", len(seen))
	}
	if all[len(all)-1].Reference != fmt.Sprintf("PR-%s-%06d", r.serial, maxSubmissions+40) {
		t.Errorf("the newest is %s", all[len(all)-1].Reference)
	}
}
