package web

import (
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/place"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// listBody is the list of open tasks.
type listBody struct {
	Filter                            *form
	Filtered                          int // conditions that are set
	Prefectures, Labels, Deliverables []option
	Tasks                             []taskView
	Next                              string
}

// perPage is how many tasks a page lists: few enough for a slow connection.
const perPage = 20

// filters are the conditions of the list, in the order of the form.
var filters = []string{"q", "prefecture", "label", "deliverable", "min"}

func (v *visit) tasks() error {
	q := v.r.URL.Query()
	body := listBody{
		Filter: filled("filter", q), Prefectures: v.prefectures(),
		Labels: options(v, "label.", task.Labels()), Deliverables: options(v, "deliverable.", task.Deliverables()),
	}
	for _, name := range filters {
		if q.Get(name) != "" {
			body.Filtered++
		}
	}
	if _, ok := yen(q.Get("min")); !ok && q.Get("min") != "" {
		body.Filter.wrong("min", "error.number") // the list is shown as without it
		body.Filtered--
	}
	list, next, err := v.site.board.Tasks(v.ctx(), v.filter(q))
	if err != nil {
		return err
	}
	counts, err := v.site.applicants(v.ctx(), list)
	if err != nil {
		return err
	}
	for _, t := range list {
		row := view(t, v.now)
		row.Applicants = counts[t.ID]
		body.Tasks = append(body.Tasks, row)
	}
	if next != "" {
		q.Set("cursor", next)
		q.Del("done")
		body.Next = "/?" + q.Encode()
	}
	return v.show("tasks", v.say("tasks.title"), body, nil)
}

// filter reads the conditions of the address; one that cannot be read counts as
// not given.
func (v *visit) filter(q url.Values) data.TaskFilter {
	f := data.TaskFilter{
		Public: true, Statuses: []task.Status{task.Open}, Query: q.Get("q"),
		Label: task.Label(q.Get("label")), Deliverable: task.Deliverable(q.Get("deliverable")),
		Page: data.Page{Limit: perPage, Cursor: q.Get("cursor")},
	}
	if p, ok := place.Find(q.Get("prefecture")); ok {
		f.Prefecture = p.Ja
	}
	if n, ok := yen(q.Get("min")); ok && n > 0 {
		f.MinBudget = money.Of(v.site.budgetFor(n), money.JPY)
	}
	return f
}

// yen reads a number of yen as people type it: 1500, 1,500円 or １５００.
func yen(text string) (int64, bool) {
	text = strings.NewReplacer(",", "", "円", "", "¥", "", " ", "").Replace(norm.NFKC.String(text))
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0 && n <= money.Max
}

// options are the choices of a list of words.
func options[T ~string](v *visit, prefix string, all []T) []option {
	list := make([]option, len(all))
	for i, w := range all {
		list[i] = option{string(w), v.say(prefix + string(w))}
	}
	return list
}

func (v *visit) prefectures() []option {
	list := make([]option, len(place.Prefectures))
	for i, p := range place.Prefectures {
		list[i] = option{p.Ja, p.Name(string(v.lang))}
	}
	return list
}

// taskBody is one task as the public sees it.
type taskBody struct {
	Task        taskView
	Requester   requesterView
	Application *taskView // the visitor's own, its status only
	Mine        bool      // the visitor is the one who does it
	CanApply    bool
	SignIn      bool
	Reasons     []option
}

// reportReasons are why people report a task.
var reportReasons = []string{"personal_data", "illegal", "deception", "off_platform", "other"}

func (v *visit) task() error { return v.showTask(nil) }

// showTask is the page of a task, with a form that was refused or without.
func (v *visit) showTask(f *form) error {
	t, err := v.site.board.Task(v.ctx(), v.r.PathValue("id"))
	if err != nil {
		return err
	}
	mine := v.who.Human && v.who.Known && t.HumanID == v.who.ID
	if t.SubState == task.Held && !v.who.Operator || t.Status != task.Open && !mine && !v.who.Operator {
		return fault.New(fault.NotFound, "", "There is no such task.", "")
	}
	body := taskBody{Task: view(t, v.now), Mine: mine, Reasons: options(v, "report.", reportReasons)}
	counts, err := v.site.applicants(v.ctx(), []task.Task{t})
	if err != nil {
		return err
	}
	body.Task.Applicants = counts[t.ID]
	if body.Requester, err = v.site.requester(v.ctx(), t.AgentID); err != nil {
		return err
	}
	if v.who.Human {
		if body.Application, err = v.ownApplication(t); err != nil {
			return err
		}
	}
	body.SignIn = !v.who.Known && t.Status == task.Open
	body.CanApply = v.who.Human && t.Status == task.Open && body.Application == nil && !mine
	return v.show("task", body.Task.Title, body, f)
}

func (v *visit) apply() error {
	f, err := v.form("apply")
	if err != nil {
		return err
	}
	a := data.NewApplication{TaskID: v.r.PathValue("id"), CoverLetter: f.text("cover_letter", 4000, true), Availability: f.text("availability", 500, true)}
	if text := strings.TrimSpace(f.Get("counter")); text != "" {
		t, err := v.site.board.Task(v.ctx(), a.TaskID)
		if err != nil {
			return err
		}
		n, ok := amount(text, t.Budget.Currency)
		if !ok {
			f.wrong("counter", "error.number")
		}
		a.Counter = &n
	}
	if !f.ok() {
		return v.showTask(f)
	}
	if _, err := v.site.board.Apply(v.ctx(), v.actor(), a); err != nil {
		return v.refused(err, f, v.showTask)
	}
	return v.done("/tasks/"+url.PathEscape(a.TaskID), "applied")
}

// amount reads an amount of a currency in minor units.
func amount(text string, c money.Currency) (int64, bool) {
	if c == money.JPY {
		return yen(text)
	}
	n, err := strconv.ParseFloat(strings.NewReplacer(",", "", "$", "", "ドル", "").Replace(norm.NFKC.String(strings.TrimSpace(text))), 64)
	if err != nil {
		return 0, false
	}
	a, err := money.FromMajor(n, c)
	return a.Minor, err == nil && a.Minor >= 0
}

func (v *visit) report() error {
	f, err := v.form("report")
	if err != nil {
		return err
	}
	id := v.r.PathValue("id")
	reason, text := f.choice("reason", reportReasons), f.text("text", 2000, false)
	if !f.ok() {
		return v.showTask(f)
	}
	if _, err := v.site.board.FileReport(v.ctx(), data.Report{By: v.actor(), TaskID: id, Class: reason, Text: text}); err != nil {
		return v.refused(err, f, v.showTask)
	}
	return v.done("/tasks/"+url.PathEscape(id), "reported")
}

// aboutBody is how the board works.
type aboutBody struct {
	Steps, Fair, Safe  []string
	FeePercent         string
	FloorJPY, FloorUSD int64
}

func (v *visit) about() error {
	terms := v.site.board.Terms()
	return v.show("about", v.say("about.title"), aboutBody{
		Steps:      []string{"about.step1", "about.step2", "about.step3", "about.step4", "about.step5"},
		Fair:       []string{"about.fair1", "about.fair2", "about.fair3", "about.fair4"},
		Safe:       []string{"about.safe1", "about.safe2", "about.safe3"},
		FeePercent: strconv.FormatFloat(float64(terms.FeeBPS)/100, 'f', -1, 64),
		FloorJPY:   terms.Floors[money.JPY], FloorUSD: terms.Floors[money.USD],
	}, nil)
}
