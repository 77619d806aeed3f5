package task_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

var now = time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)

func ptr[T any](v T) *T { return &v }

func valid() task.Draft {
	return task.Draft{
		Text: "Look whether the shop is open", Label: "real_world_verification", OriginCountry: "us",
		AcceptanceCriteria: "A photo", NotAllowed: "Entering", BudgetUSD: ptr(5.0),
	}
}

func TestDefaultsOfADraft(t *testing.T) {
	got, err := valid().Check(task.DefaultFloors(), now)
	if err != nil {
		t.Fatal(err)
	}
	want := task.Task{
		Text: "Look whether the shop is open", Label: task.RealWorldVerification, OriginCountry: "US", WorkCountry: "JP",
		AcceptanceCriteria: "A photo", NotAllowed: "Entering", Deliverable: task.Text, Budget: money.Of(500, money.USD),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFieldsOfADraft(t *testing.T) {
	tests := map[string]struct {
		change func(*task.Draft)
		reason task.Reason
		fields []task.FieldError
	}{
		"no text":              {func(d *task.Draft) { d.Text = " \u200b\n" }, task.InvalidRequest, []task.FieldError{{Field: "task", Code: task.Required}}},
		"too long":             {func(d *task.Draft) { d.Text = strings.Repeat("長", 4001) }, task.InvalidRequest, []task.FieldError{{Field: "task", Code: task.TooLong}}},
		"no criteria":          {func(d *task.Draft) { d.AcceptanceCriteria = "" }, task.InvalidRequest, []task.FieldError{{Field: "acceptance_criteria", Code: task.Required}}},
		"no limits":            {func(d *task.Draft) { d.NotAllowed = "" }, task.InvalidRequest, []task.FieldError{{Field: "not_allowed", Code: task.Required}}},
		"no country":           {func(d *task.Draft) { d.OriginCountry = "" }, task.MissingOriginCountry, []task.FieldError{{Field: "origin_country", Code: task.Required}}},
		"no country, no text":  {func(d *task.Draft) { d.OriginCountry, d.Text = "", "" }, task.InvalidRequest, []task.FieldError{{Field: "task", Code: task.Required}, {Field: "origin_country", Code: task.Required}}},
		"a long country":       {func(d *task.Draft) { d.OriginCountry = "USA" }, task.InvalidRequest, []task.FieldError{{Field: "origin_country", Code: task.InvalidFormat}}},
		"a country of digits":  {func(d *task.Draft) { d.WorkCountry = "1P" }, task.InvalidRequest, []task.FieldError{{Field: "work_country", Code: task.InvalidFormat}}},
		"an unknown label":     {func(d *task.Draft) { d.Label = "spam" }, task.InvalidRequest, []task.FieldError{{Field: "task_label", Code: task.InvalidEnum}}},
		"no label":             {func(d *task.Draft) { d.Label = "" }, task.InvalidRequest, []task.FieldError{{Field: "task_label", Code: task.Required}}},
		"a wrong deliverable":  {func(d *task.Draft) { d.Deliverable = "smell" }, task.InvalidRequest, []task.FieldError{{Field: "deliverable", Code: task.InvalidEnum}}},
		"a wrong language":     {func(d *task.Draft) { d.Lang = "fr" }, task.InvalidRequest, []task.FieldError{{Field: "lang", Code: task.InvalidEnum}}},
		"no budget":            {func(d *task.Draft) { d.BudgetUSD = nil }, task.InvalidRequest, []task.FieldError{{Field: "budget_usd", Code: task.Required}}},
		"below the floor":      {func(d *task.Draft) { d.BudgetUSD = ptr(4.99) }, task.BelowMinBudget, []task.FieldError{{Field: "budget_usd", Code: task.BelowMin}}},
		"a negative budget":    {func(d *task.Draft) { d.BudgetUSD = ptr(-5.0) }, task.BelowMinBudget, []task.FieldError{{Field: "budget_usd", Code: task.BelowMin}}},
		"a part of a cent":     {func(d *task.Draft) { d.BudgetUSD = ptr(5.001) }, task.InvalidRequest, []task.FieldError{{Field: "budget_usd", Code: task.InvalidNumber}}},
		"no number":            {func(d *task.Draft) { d.BudgetUSD = ptr(math.NaN()) }, task.InvalidRequest, []task.FieldError{{Field: "budget_usd", Code: task.InvalidNumber}}},
		"a huge budget":        {func(d *task.Draft) { d.BudgetUSD = ptr(1e300) }, task.InvalidRequest, []task.FieldError{{Field: "budget_usd", Code: task.InvalidNumber}}},
		"few yen":              {func(d *task.Draft) { d.BudgetUSD, d.AmountMinor, d.Currency = nil, ptr(int64(749)), "jpy" }, task.BelowMinBudget, []task.FieldError{{Field: "amount_minor", Code: task.BelowMin}}},
		"two budgets":          {func(d *task.Draft) { d.AmountMinor, d.Currency = ptr(int64(1500)), "jpy"; d.BudgetUSD = ptr(10.0) }, task.InvalidRequest, []task.FieldError{{Field: "budget_usd", Code: task.Conflict}}},
		"dollars in yen":       {func(d *task.Draft) { d.BudgetUSD, d.Currency = ptr(750.0), "jpy" }, task.InvalidRequest, []task.FieldError{{Field: "budget_usd", Code: task.Conflict}}},
		"two deadlines":        {func(d *task.Draft) { d.DeadlineMinutes, d.DeadlineAt = ptr(60.0), now.Add(2*time.Hour) }, task.InvalidRequest, []task.FieldError{{Field: "deadline_minutes", Code: task.Conflict}}},
		"too many yen":         {func(d *task.Draft) { d.BudgetUSD, d.AmountMinor, d.Currency = nil, ptr(int64(math.MaxInt64)), "jpy" }, task.InvalidRequest, []task.FieldError{{Field: "amount_minor", Code: task.AboveMax}}},
		"an unknown currency":  {func(d *task.Draft) { d.BudgetUSD, d.AmountMinor, d.Currency = nil, ptr(int64(9999)), "eur" }, task.InvalidRequest, []task.FieldError{{Field: "currency", Code: task.InvalidEnum}}},
		"a deadline of 0":      {func(d *task.Draft) { d.DeadlineMinutes = ptr(0.0) }, task.InvalidRequest, []task.FieldError{{Field: "deadline_minutes", Code: task.InvalidNumber}}},
		"a short deadline":     {func(d *task.Draft) { d.DeadlineMinutes = ptr(4.0) }, task.InvalidRequest, []task.FieldError{{Field: "deadline_minutes", Code: task.InvalidNumber}}},
		"a negative deadline":  {func(d *task.Draft) { d.DeadlineMinutes = ptr(-60.0) }, task.InvalidRequest, []task.FieldError{{Field: "deadline_minutes", Code: task.InvalidNumber}}},
		"part of a minute":     {func(d *task.Draft) { d.DeadlineMinutes = ptr(5.5) }, task.InvalidRequest, []task.FieldError{{Field: "deadline_minutes", Code: task.InvalidNumber}}},
		"a deadline too far":   {func(d *task.Draft) { d.DeadlineMinutes = ptr(43_201.0) }, task.InvalidRequest, []task.FieldError{{Field: "deadline_minutes", Code: task.InvalidNumber}}},
		"a huge deadline":      {func(d *task.Draft) { d.DeadlineMinutes = ptr(1e300) }, task.InvalidRequest, []task.FieldError{{Field: "deadline_minutes", Code: task.InvalidNumber}}},
		"a deadline of NaN":    {func(d *task.Draft) { d.DeadlineMinutes = ptr(math.NaN()) }, task.InvalidRequest, []task.FieldError{{Field: "deadline_minutes", Code: task.InvalidNumber}}},
		"a deadline that was":  {func(d *task.Draft) { d.DeadlineAt = now.Add(-time.Hour) }, task.InvalidRequest, []task.FieldError{{Field: "deadline_at", Code: task.InvalidNumber}}},
		"a deadline of year 9": {func(d *task.Draft) { d.DeadlineAt = now.AddDate(9999, 0, 0) }, task.InvalidRequest, []task.FieldError{{Field: "deadline_at", Code: task.InvalidNumber}}},
		"too much evidence":    {func(d *task.Draft) { d.Evidence = make([]task.Evidence, 21) }, task.InvalidRequest, []task.FieldError{{Field: "evidence", Code: task.TooLong}}},
		"evidence of nothing":  {func(d *task.Draft) { d.Evidence = []task.Evidence{{Kind: "smell", Count: -1}} }, task.InvalidRequest, []task.FieldError{{Field: "evidence[0].kind", Code: task.InvalidEnum}, {Field: "evidence[0].count", Code: task.InvalidNumber}}},
		"a long client_ref":    {func(d *task.Draft) { d.ClientRef = strings.Repeat("r", 121) }, task.InvalidRequest, []task.FieldError{{Field: "client_ref", Code: task.TooLong}}},
		"minutes of a year":    {func(d *task.Draft) { d.EstimatedMinutes = 1 << 40 }, task.InvalidRequest, []task.FieldError{{Field: "estimated_minutes", Code: task.InvalidNumber}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := valid()
			tt.change(&d)
			_, err := d.Check(task.DefaultFloors(), now)
			if task.ReasonOf(err) != tt.reason {
				t.Errorf("the reason is %s (%v), want %s", task.ReasonOf(err), err, tt.reason)
			}
			if diff := cmp.Diff(tt.fields, task.FieldErrors(err)); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBudgetsAndDeadlinesAtTheirBounds(t *testing.T) {
	for name, tt := range map[string]struct {
		change   func(*task.Draft)
		budget   money.Amount
		deadline time.Time
	}{
		"yen by the origin":   {func(d *task.Draft) { d.AmountMinor, d.OriginCountry = ptr(int64(750)), "jp" }, money.Of(750, money.JPY), time.Time{}},
		"cents by the origin": {func(d *task.Draft) { d.AmountMinor = ptr(int64(500)) }, money.Of(500, money.USD), time.Time{}},
		"yen by name":         {func(d *task.Draft) { d.AmountMinor, d.Currency = ptr(int64(750)), " jpy " }, money.Of(750, money.JPY), time.Time{}},
		"dollars by name":     {func(d *task.Draft) { d.Currency = " usd " }, money.Of(500, money.USD), time.Time{}},
		"five minutes":        {func(d *task.Draft) { d.DeadlineMinutes = ptr(5.0) }, money.Of(500, money.USD), now.Add(5 * time.Minute)},
		"thirty days":         {func(d *task.Draft) { d.DeadlineMinutes = ptr(43_200.0) }, money.Of(500, money.USD), now.Add(720 * time.Hour)},
		"a moment":            {func(d *task.Draft) { d.DeadlineAt = now.Add(time.Hour) }, money.Of(500, money.USD), now.Add(time.Hour)},
	} {
		d := valid()
		tt.change(&d)
		if d.AmountMinor != nil {
			d.BudgetUSD = nil // instead of it
		}
		got, err := d.Check(task.DefaultFloors(), now)
		if err != nil || got.Budget != tt.budget || !got.DeadlineAt.Equal(tt.deadline) {
			t.Errorf("%s: %v until %v, %v", name, got.Budget, got.DeadlineAt, err)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"  ﾄｲﾚ　１２３  ":              "トイレ 123",
		"a\r\nb\rc\u2028d":         "a\nb\nc\nd",
		"pass\u200bword":           "password",
		"\u202eevil\u202c":         "evil",
		"a\x00b\x1b[31mc":          "ab[31mc",
		"\ufeffhello\u2060":        "hello",
		"soft\u00adhyphen":         "softhyphen",
		"tab\there":                "tab here",
		"\xff\xfe":                 "\ufffd",
		"が":                        "が", // one character, written as two
		"\U000e0041tags\U000e007f": "tags",
		"\ufdd0x":                  "x",
		"㍿":                        "株式会社",
		"\u3164\uffa0":             "",
	} {
		if got := task.Clean(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	if got := task.CleanLine("a\n b\t c"); got != "a b c" {
		t.Errorf("a line becomes %q", got)
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"ﾄｲﾚ", "a\u0301\u200b", "\xff", "\u1160\u3164", "ﷺ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := task.Clean(text)
		if again := task.Clean(once); again != once {
			t.Errorf("%q becomes %q, and that %q", text, once, again)
		}
		if strings.ContainsAny(once, "\x00\r\t\u200b\u202e\ufeff") {
			t.Errorf("%q keeps what is not seen: %q", text, once)
		}
	})
}
