package web

import (
	"net/url"
	"strconv"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// requestsBody is the tasks of a requester.
type requestsBody struct {
	Filters []link
	Tasks   []taskView
	Next    string
}

func (v *visit) requests() error {
	q := v.r.URL.Query()
	f := data.TaskFilter{AgentID: v.who.ID, Page: data.Page{Limit: perPage, Cursor: q.Get("cursor")}}
	status := task.Status(q.Get("status"))
	if status.Valid() {
		f.Statuses = []task.Status{status}
	}
	list, next, err := v.site.board.Tasks(v.ctx(), f)
	if err != nil {
		return err
	}
	counts, err := v.site.applicants(v.ctx(), list)
	if err != nil {
		return err
	}
	body := requestsBody{Filters: []link{{URL: "/requester", Key: "req.all", Here: !status.Valid()}}}
	for _, s := range task.Statuses() {
		body.Filters = append(body.Filters, link{URL: "/requester?status=" + string(s), Key: "status." + string(s), Here: s == status})
	}
	for _, t := range list {
		row := view(t, v.now)
		row.URL, row.Applicants = "/requester/tasks/"+url.PathEscape(t.ID), counts[t.ID]
		body.Tasks = append(body.Tasks, row)
	}
	if next != "" {
		q.Set("cursor", next)
		body.Next = "/requester?" + q.Encode()
	}
	return v.show("requester", v.say("req.title"), body, nil)
}

// requestBody is one task of a requester.
type requestBody struct {
	Task         taskView
	Tone         string
	Timer        dueView
	TimerKey     string
	Applications []applicantView
	Further      string // applications
	Submissions  []deliveryView
	Messages     []messageView
	Dispute      *disputeView
	RejectCodes  []option
	TermsURL     string
	ChatURL      string

	Extensions []option

	CanExtend, CanDispute                                                 bool
	CanChoose, CanReview, CanRevise, CanCancel, CanRate, CanChat, HasChat bool
}

// applicantView is an applicant as the requester may know them.
type applicantView struct {
	ID, Handle, Cover, Availability, Status string
	Place                                   placeView
	Rating                                  string
	Rated, Completed                        int64
	Counter                                 int64
}

// own is the task of the address when it is the requester's.
func (v *visit) own() (task.Task, error) {
	t, err := v.site.board.Task(v.ctx(), v.r.PathValue("id"))
	if err != nil {
		return t, err
	}
	if t.AgentID != v.who.ID {
		return t, fault.New(fault.NotFound, "", "There is no such task.", "")
	}
	return t, nil
}

func (v *visit) request() error { return v.showRequest(nil) }

func (v *visit) showRequest(f *form) error {
	t, err := v.own()
	if err != nil {
		return err
	}
	row := view(t, v.now)
	can := allowed(t, task.Agent)
	body := requestBody{
		Task: row, Tone: tone(row.Status), Timer: row.Due, TimerKey: row.DueKey, RejectCodes: options(v, "reject.", task.RejectCodes()),
		CanChoose: can[task.AcceptApplication], CanReview: can[task.Approve], CanRevise: can[task.RequestRevision] && t.Revisions == 0,
		CanCancel: can[task.Cancel], CanExtend: can[task.Extend] && !t.DeadlineAt.IsZero(), CanDispute: can[task.Dispute], Extensions: v.extensions(), ChatURL: "/requester/tasks/" + url.PathEscape(t.ID),
	}
	if body.Applications, body.Further, err = v.applicants(t); err != nil {
		return err
	}
	if t.HumanID != "" {
		body.TermsURL = "/requester/tasks/" + url.PathEscape(t.ID) + "/terms"
		side, err := v.sides(t)
		if err != nil {
			return err
		}
		body.Submissions, body.Messages, body.Dispute, body.HasChat, body.CanChat = side.deliveries, side.messages, side.dispute, true, side.chat
		body.CanRate = can[task.Rate] && !side.rated && v.now.Before(t.RateUntil)
	}
	return v.show("requestertask", row.Title, body, f)
}

// applicants are those who applied, the first first, and where there are further ones.
func (v *visit) applicants(t task.Task) ([]applicantView, string, error) {
	all, next, err := v.site.board.Applications(v.ctx(), t.ID, "", data.Page{Limit: perPage, Cursor: v.r.URL.Query().Get("applications")})
	if err != nil {
		return nil, "", err
	}
	if next != "" {
		next = "/requester/tasks/" + url.PathEscape(t.ID) + "?applications=" + url.QueryEscape(next) + "#applications"
	}
	var list []applicantView
	for _, a := range all {
		if a.Status == data.ApplicationWithdrawn {
			continue
		}
		p, err := v.site.board.PersonSeen(v.ctx(), a.HumanID)
		if err != nil {
			return nil, "", err
		}
		stats, err := v.site.board.PersonStats(v.ctx(), a.HumanID)
		if err != nil {
			return nil, "", err
		}
		list = append(list, applicantView{
			ID: a.ID, Handle: p.Handle, Cover: a.CoverLetter, Availability: a.Availability, Status: applicationKey(a.Status),
			Place: placeView{Prefecture: p.Prefecture, City: p.City}, Counter: a.Counter.Minor,
			Rating: strconv.FormatFloat(stats.Rating, 'f', 1, 64), Rated: stats.Ratings, Completed: stats.Completed,
		})
	}
	return list, next, nil
}

// decided carries out what a requester decided and goes back to the task.
func (v *visit) decided(what string, do func(taskID string) error) error {
	t, err := v.own()
	if err != nil {
		return err
	}
	if err := do(t.ID); err != nil {
		return v.refused(err, filled("decide", url.Values{}), v.showRequest)
	}
	return v.done("/requester/tasks/"+url.PathEscape(t.ID), what)
}

func (v *visit) choose() error {
	f, err := v.form("choose")
	if err != nil {
		return err
	}
	return v.decided("chosen", func(id string) error {
		_, err := v.site.board.AcceptApplication(v.ctx(), v.actor(), data.Acceptance{TaskID: id, ApplicationID: f.Get("application"), AtCounter: true})
		return err
	})
}

func (v *visit) approve() error {
	return v.decided("approved", func(id string) error {
		_, err := v.site.board.Approve(v.ctx(), v.actor(), data.Approval{TaskID: id})
		return err
	})
}

func (v *visit) cancel() error {
	return v.decided("cancelled", func(id string) error {
		_, err := v.site.board.Cancel(v.ctx(), v.actor(), data.Cancellation{TaskID: id})
		return err
	})
}

func (v *visit) revise() error {
	f, err := v.form("revise")
	if err != nil {
		return err
	}
	text := reasoned(f, "text")
	if !f.ok() {
		return v.showRequest(f)
	}
	return v.decided("revised", func(id string) error {
		_, err := v.site.board.RequestRevision(v.ctx(), v.actor(), data.Revision{TaskID: id, Text: text})
		return err
	})
}

func (v *visit) reject() error {
	f, err := v.form("reject")
	if err != nil {
		return err
	}
	codes := make([]string, 0, len(task.RejectCodes()))
	for _, c := range task.RejectCodes() {
		codes = append(codes, string(c))
	}
	code := f.choice("code", codes)
	text := f.text("text", 4000, true)
	if text != "" && len([]rune(text)) < least {
		f.wrong("text", "error.too_short")
	}
	if !f.ok() {
		return v.showRequest(f)
	}
	return v.decided("rejected", func(id string) error {
		_, err := v.site.board.Reject(v.ctx(), v.actor(), data.Rejection{TaskID: id, Code: task.RejectCode(code), Text: text})
		return err
	})
}
