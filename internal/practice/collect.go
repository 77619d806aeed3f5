package practice

import (
	"maps"
	"net/url"
	"slices"
	"time"
)

// reading is one posted page, judged.
type reading struct {
	answers    answers // earlier answers and the accepted ones of this page
	complaints []complaint
	extra      map[string]any // values of questions that the page did not ask
}

// collect judges what was posted for one step. It trusts nothing: a value for
// a question that the answers do not ask is a complaint and an extra.
func (s *step) collect(earlier answers, form url.Values) reading {
	r := reading{answers: maps.Clone(earlier), extra: map[string]any{}}
	if r.answers == nil {
		r.answers = answers{}
	}
	known := map[string]bool{}
	for _, q := range s.Questions {
		for _, id := range q.fields() {
			if q.Kind != rowTable {
				delete(r.answers, id)
			}
		}
		for _, n := range q.names() {
			known[n] = true
		}
	}
	for _, q := range s.Questions {
		r.take(q, form)
	}
	for name, values := range form {
		if !known[name] && nonEmpty(values) != "" {
			r.refuse(name, nonEmpty(values), "This page does not ask for “"+name+"”")
		}
	}
	if len(r.complaints) == 0 && s.Check != nil {
		r.complaints = s.Check(r.answers)
	}
	return r
}

// take reads one question.
func (r *reading) take(q question, form url.Values) {
	if !q.asked(r.answers) {
		for _, n := range q.names() {
			if v := nonEmpty(form[n]); v != "" {
				r.refuse(n, v, "“"+q.Label+"” is not asked with these answers")
			}
		}
		return
	}
	switch q.Kind {
	case checks:
		r.takeChecks(q, form)
	case date:
		r.takeDate(q, form)
	case typeahead:
		r.takeTypeahead(q, form)
	case rowTable:
		if len(r.answers.rows(q.ID)) == 0 && !q.Optional {
			r.complain(q.ID, q.InputID, "Add at least one entry under “"+q.Label+"”")
		}
	default:
		r.takeValue(q, form.Get(q.name()))
	}
}

func (r *reading) takeValue(q question, value string) {
	if value == "" {
		if !q.Optional {
			r.complain(q.ID, q.firstInput(), missing(q))
		}
		return
	}
	if q.Kind == radios || q.Kind == dropdown {
		i := slices.IndexFunc(q.Choices, func(c choice) bool { return c.attr() == value })
		if i < 0 {
			r.complain(q.ID, q.firstInput(), "Choose one of the answers to “"+q.Label+"”")
			return
		}
		r.answers[q.ID] = q.Choices[i].Value
		return
	}
	if q.Check != nil {
		if problem := q.Check(value); problem != "" {
			r.complain(q.ID, q.firstInput(), q.Label+": "+problem)
			return
		}
	}
	r.answers[q.ID] = value
}

func (r *reading) takeChecks(q question, form url.Values) {
	ticked, exclusive := 0, false
	for _, c := range q.Choices {
		on := form.Get(c.Field) == "true"
		if form.Get(c.Field) != "" && !on {
			r.complain(q.ID, c.InputID, "“"+c.Label+"” is either ticked or not")
		}
		r.answers[c.Field] = on
		if on {
			ticked++
			exclusive = exclusive || c.Exclusive
		}
	}
	switch {
	case ticked == 0 && !q.Optional:
		r.complain(q.ID, q.firstInput(), "Select what applies, or “None of these apply”, under “"+q.Label+"”")
	case exclusive && ticked > 1:
		r.complain(q.ID, q.firstInput(), "“None of these apply” cannot go together with another answer")
	}
}

func (r *reading) takeDate(q question, form url.Values) {
	values := make([]string, len(q.Parts))
	for i, p := range q.Parts {
		values[i] = form.Get(p.Name)
		if values[i] == "" {
			r.complain(q.ID, p.InputID, q.Label+": enter the "+p.Label)
			return
		}
	}
	if problem := dateProblem(values[0], values[1], values[2]); problem != "" {
		r.complain(q.ID, q.Parts[0].InputID, q.Label+": "+problem)
		return
	}
	for i, p := range q.Parts {
		r.answers[p.Field] = values[i]
	}
}

// dateProblem judges month, day and year as typed.
func dateProblem(month, day, year string) string {
	m, okM := wholeNumber(month)
	d, okD := wholeNumber(day)
	y, okY := wholeNumber(year)
	if !okM || !okD || !okY || len(year) != 4 {
		return "use numbers, such as 05 15 2007"
	}
	t := time.Date(int(y), time.Month(m), int(d), 0, 0, 0, 0, time.UTC)
	if m < 1 || m > 12 || int64(t.Day()) != d || int64(t.Month()) != m {
		return "this date does not exist"
	}
	if y < 1900 {
		return "the year is too long ago"
	}
	if y > practiceYear-10 {
		return "the year is too recent"
	}
	return ""
}

func (r *reading) takeTypeahead(q question, form url.Values) {
	picked, typed := form.Get(q.name()), form.Get(q.name()+typedSuffix)
	switch {
	case picked == "" && typed != "":
		r.complain(q.ID, q.InputID, q.Label+": choose one of the suggestions")
	case picked == "" && !q.Optional:
		r.complain(q.ID, q.InputID, missing(q))
	case picked == "":
	case !q.Known(picked, r.answers):
		r.complain(q.ID, q.InputID, q.Label+": this is not in the list")
	case typed != "" && typed != picked:
		r.complain(q.ID, q.InputID, q.Label+": the text was changed after a suggestion was chosen")
	default:
		r.answers[q.ID] = picked
	}
}

func (r *reading) complain(id, inputID, text string) {
	r.complaints = append(r.complaints, complaint{ID: id, InputID: inputID, Text: text})
}

func (r *reading) refuse(name, value, text string) {
	r.extra[name] = value
	r.complain("", "", text)
}

func (q question) firstInput() string {
	if q.InputID != "" || len(q.Choices) == 0 {
		return q.InputID
	}
	return q.Choices[0].InputID
}

func missing(q question) string {
	switch q.Kind {
	case radios, dropdown, typeahead:
		return "Choose an answer to “" + q.Label + "”"
	}
	return "Enter an answer to “" + q.Label + "”"
}

func nonEmpty(values []string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
