package task

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/fault"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/place"
)

// Limits of the texts of a task, in characters after Clean.
const (
	MaxTitle     = 120
	MaxText      = 4000
	MaxCriteria  = 4000
	MaxPlace     = 200
	MaxClientRef = 120
	MaxEvidence  = 20
	MaxEstimate  = 14 * 24 * 60 // minutes
)

// The deadline is a whole number of minutes within these.
const (
	MinDeadline = 5
	MaxDeadline = 43_200 // 30 days
)

// Floors are the least budgets in minor units.
type Floors map[money.Currency]int64

// DefaultFloors are USD 5.00 and JPY 750.
func DefaultFloors() Floors { return Floors{money.USD: 500, money.JPY: 750} }

// Draft is a new task as it was asked for, before any check.
type Draft struct {
	Title              string
	Text               string
	Lang               string
	Label              string
	OriginCountry      string
	WorkCountry        string // JP when empty
	Place              Place
	AcceptanceCriteria string
	NotAllowed         string
	Deliverable        string // text when empty
	Evidence           []Evidence
	EstimatedMinutes   int
	BudgetUSD          *float64 // or
	AmountMinor        *int64   // with
	Currency           string   // usd or jpy; JPY when the origin is JP, USD otherwise
	DeadlineMinutes    *float64 // or
	DeadlineAt         time.Time
	ClientRef          string
}

// Code says what is wrong with a field.
type Code string

// The codes.
const (
	Required       Code = "required"
	InvalidType    Code = "invalid_type"
	InvalidEnum    Code = "invalid_enum"
	InvalidNumber  Code = "invalid_number"
	BelowMin       Code = "below_min"
	AboveMax       Code = "above_max"
	TooLong        Code = "too_long"
	InvalidFormat  Code = "invalid_format"
	BadCredentials Code = "invalid_credentials"
	Conflict       Code = "conflict" // with another field that says something else
)

// FieldError is one field that is wrong.
type FieldError struct {
	Field string `json:"field"`
	Code  Code   `json:"code"`
}

// Fields collects what is wrong with a request.
type Fields []FieldError

// Add notes a field.
func (f *Fields) Add(field string, c Code) { *f = append(*f, FieldError{field, c}) }

// Err is the refusal with all the fields under field_errors, or nil when there are
// none. Its reason is invalid_request, unless only one thing is wrong that has a
// reason of its own.
func (f Fields) Err() error {
	if len(f) == 0 {
		return nil
	}
	reason := InvalidRequest
	if len(f) == 1 {
		switch {
		case f[0] == FieldError{"origin_country", Required}:
			reason = MissingOriginCountry
		case f[0].Code == BelowMin && (f[0].Field == "budget_usd" || f[0].Field == "amount_minor"):
			reason = BelowMinBudget
		}
	}
	words := make([]string, len(f))
	for i, e := range f {
		words[i] = fmt.Sprintf("%s (%s)", e.Field, e.Code)
	}
	refusal := Refuse(reason)
	refusal.Message += " Fields: " + strings.Join(words, ", ") + "."
	return refusal.WithData("field_errors", []FieldError(f))
}

// FieldErrors are the fields of a refusal.
func FieldErrors(err error) []FieldError {
	if err == nil {
		return nil
	}
	found, _ := fault.From(err).Data["field_errors"].([]FieldError)
	return found
}

// Check makes a task of the draft, with cleaned texts and no identity, state or
// creation time yet. now is when a deadline in minutes starts. The error is a
// refusal that names every field that is wrong.
func (d Draft) Check(floors Floors, now time.Time) (Task, error) {
	var wrong Fields
	t := Task{
		Title: line(&wrong, "title", d.Title, MaxTitle), ClientRef: line(&wrong, "client_ref", d.ClientRef, MaxClientRef),
		Text:               text(&wrong, "task", d.Text, MaxText),
		AcceptanceCriteria: text(&wrong, "acceptance_criteria", d.AcceptanceCriteria, MaxCriteria),
		NotAllowed:         text(&wrong, "not_allowed", d.NotAllowed, MaxCriteria),
		Label:              enum(&wrong, "task_label", Label(strings.TrimSpace(d.Label)), Labels()),
		Deliverable:        enum(&wrong, "deliverable", orDefault(Deliverable(strings.TrimSpace(d.Deliverable)), Text), Deliverables()),
		OriginCountry:      country(&wrong, "origin_country", d.OriginCountry),
		WorkCountry:        country(&wrong, "work_country", orDefault(strings.TrimSpace(d.WorkCountry), "JP")),
		Lang:               enum(&wrong, "lang", d.Lang, []string{"", "ja", "en"}),
		EstimatedMinutes:   d.EstimatedMinutes,
	}
	if d.EstimatedMinutes < 0 || d.EstimatedMinutes > MaxEstimate {
		wrong.Add("estimated_minutes", InvalidNumber)
	}
	t.Place = d.Place.check(&wrong)
	t.Evidence = checkEvidence(&wrong, d.Evidence)
	t.Budget = d.budget(&wrong, floors)
	t.DeadlineAt = d.deadline(&wrong, now)
	return t, wrong.Err()
}

// budget reads the two ways to name it.
func (d Draft) budget(wrong *Fields, floors Floors) money.Amount {
	var a money.Amount
	field := "budget_usd"
	switch {
	case d.BudgetUSD != nil && (d.AmountMinor != nil || !strings.EqualFold(orDefault(strings.TrimSpace(d.Currency), string(money.USD)), string(money.USD))):
		wrong.Add(field, Conflict) // two budgets, or yen that are called dollars: nobody knows which is meant
		return a
	case d.AmountMinor != nil:
		field = "amount_minor"
		c := money.Currency(strings.ToUpper(strings.TrimSpace(d.Currency)))
		if c == "" {
			c = money.USD
			if strings.EqualFold(strings.TrimSpace(d.OriginCountry), "JP") {
				c = money.JPY
			}
		}
		if !c.Valid() {
			wrong.Add("currency", InvalidEnum)
			return a
		}
		a = money.Of(*d.AmountMinor, c)
	case d.BudgetUSD != nil:
		var err error
		if a, err = money.FromMajor(*d.BudgetUSD, money.USD); err != nil {
			wrong.Add(field, InvalidNumber)
			return a
		}
	default:
		wrong.Add(field, Required)
		return a
	}
	switch {
	case a.Minor > money.Max:
		wrong.Add(field, AboveMax)
	case a.Minor < max(floors[a.Currency], 1):
		wrong.Add(field, BelowMin)
	}
	return a
}

// deadline reads the two ways to name it.
func (d Draft) deadline(wrong *Fields, now time.Time) time.Time {
	if d.DeadlineMinutes != nil {
		if !d.DeadlineAt.IsZero() {
			wrong.Add("deadline_minutes", Conflict)
			return time.Time{}
		}
		m := *d.DeadlineMinutes
		if math.IsNaN(m) || m != math.Trunc(m) || m < MinDeadline || m > MaxDeadline {
			wrong.Add("deadline_minutes", InvalidNumber)
			return time.Time{}
		}
		return now.Add(time.Duration(m) * time.Minute)
	}
	if d.DeadlineAt.IsZero() {
		return time.Time{}
	}
	if !DeadlineFits(d.DeadlineAt, now) {
		wrong.Add("deadline_at", InvalidNumber)
		return time.Time{}
	}
	return d.DeadlineAt.UTC().Truncate(time.Millisecond)
}

// DeadlineFits reports whether a deadline is neither too soon nor too late.
func DeadlineFits(at, now time.Time) bool {
	return !at.Before(now.Add(MinDeadline*time.Minute)) && !at.After(now.Add(MaxDeadline*time.Minute))
}

// CheckArea brings a prefecture and a city to the one form that they are compared in:
// 東京都 for Tokyo, 東京 or 13, and 渋谷区 for Shibuya. A city that the prefecture does
// not have is wrong; of other countries everything is taken.
func CheckArea(wrong *Fields, prefecture, city string) (string, string) {
	city = place.City(city)
	known, ok := place.Find(prefecture)
	if !ok {
		return prefecture, city
	}
	if city == "" {
		return known.Ja, ""
	}
	m, ok := known.Municipality(city)
	if !ok {
		wrong.Add("city", InvalidEnum)
		return known.Ja, city
	}
	return known.Ja, m.Name
}

// check also brings prefecture and city to one form.
func (p Place) check(wrong *Fields) Place {
	prefecture, city := CheckArea(wrong, line(wrong, "prefecture", p.Prefecture, MaxPlace), line(wrong, "city", p.City, MaxPlace))
	return Place{
		Text:       line(wrong, "location", p.Text, MaxPlace),
		Prefecture: prefecture,
		City:       city,
		Exact:      line(wrong, "exact_location", p.Exact, MaxPlace),
	}
}

func checkEvidence(wrong *Fields, all []Evidence) []Evidence {
	if len(all) > MaxEvidence {
		wrong.Add("evidence", TooLong)
		return nil
	}
	var out []Evidence
	for i, e := range all {
		at := fmt.Sprintf("evidence[%d]", i)
		e.Label = line(wrong, at+".label", e.Label, MaxTitle)
		e.Kind = enum(wrong, at+".kind", e.Kind, Deliverables())
		if e.Count == 0 {
			e.Count = 1
		}
		if e.Count < 1 || e.Count > MaxEvidence {
			wrong.Add(at+".count", InvalidNumber)
		}
		out = append(out, e)
	}
	return out
}

// CheckText cleans a text that must not be empty and is at most most characters.
func CheckText(wrong *Fields, field, v string, most int) string { return text(wrong, field, v, most) }

// CheckOptional cleans a text that may be empty and is at most most characters.
func CheckOptional(wrong *Fields, field, v string, most int) string {
	v = Clean(v)
	if utf8.RuneCountInString(v) > most {
		wrong.Add(field, TooLong)
	}
	return v
}

func text(wrong *Fields, field, v string, most int) string {
	v = CheckOptional(wrong, field, v, most)
	if v == "" {
		wrong.Add(field, Required)
	}
	return v
}

// line is an optional text of one line.
func line(wrong *Fields, field, v string, most int) string {
	return strings.Join(strings.Fields(CheckOptional(wrong, field, v, most)), " ")
}

func enum[T ~string](wrong *Fields, field string, v T, all []T) T {
	if slices.Contains(all, v) {
		return v
	}
	if v == "" {
		wrong.Add(field, Required)
	} else {
		wrong.Add(field, InvalidEnum)
	}
	return ""
}

// country is two letters (ISO 3166-1 alpha-2), upper case.
func country(wrong *Fields, field, v string) string {
	v = strings.ToUpper(Clean(v))
	switch {
	case v == "":
		wrong.Add(field, Required)
	case len(v) != 2 || v[0] < 'A' || v[0] > 'Z' || v[1] < 'A' || v[1] > 'Z':
		wrong.Add(field, InvalidFormat)
	}
	return v
}

func orDefault[T ~string](v, fallback T) T {
	if v == "" {
		return fallback
	}
	return v
}
