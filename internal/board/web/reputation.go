package web

import (
	"net/url"
	"strconv"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// opinionsBody is what others say of somebody, the newest first.
type opinionsBody struct {
	Rating  string // mean, with one decimal
	Rated   int64
	Reviews []opinionView
	Next    string
	Back    string
}

// opinionView is a published review without what task it is about.
type opinionView struct {
	Stars   int
	Comment string
	At      time.Time
}

// showOpinions is one page of them.
func (v *visit) showOpinions(about string, body opinionsBody) error {
	list, next, err := v.site.board.ReviewsAbout(v.ctx(), about, data.Page{Limit: perPage, Cursor: v.r.URL.Query().Get("cursor")})
	if err != nil {
		return err
	}
	for _, r := range list {
		body.Reviews = append(body.Reviews, opinionView{r.Stars, r.Comment, r.CreatedAt})
	}
	if next != "" {
		body.Next = v.r.URL.Path + "?cursor=" + url.QueryEscape(next)
	}
	return v.show("reviews", v.say("rate.both"), body, nil)
}

func mean(rating float64) string { return strconv.FormatFloat(rating, 'f', 1, 64) }

// myReviews are those of the worker.
func (v *visit) myReviews() error {
	stats, err := v.site.board.PersonStats(v.ctx(), v.who.ID)
	if err != nil {
		return err
	}
	return v.showOpinions(v.who.ID, opinionsBody{Rating: mean(stats.Rating), Rated: stats.Ratings, Back: "/me"})
}

// requesterReviews are those of who posted a task that everybody may see.
func (v *visit) requesterReviews() error {
	t, err := v.site.board.Task(v.ctx(), v.r.PathValue("id"))
	if err != nil {
		return err
	}
	if t.SubState == task.Held && !v.who.Operator || t.Status != task.Open && !v.who.Operator && (!v.who.Human || t.HumanID != v.who.ID) {
		return fault.New(fault.NotFound, "", "There is no such task.", "")
	}
	stats, err := v.site.board.AgentStats(v.ctx(), t.AgentID)
	if err != nil {
		return err
	}
	return v.showOpinions(t.AgentID, opinionsBody{Rating: mean(stats.Rating), Rated: stats.Ratings, Back: "/tasks/" + url.PathEscape(t.ID)})
}

// applicantReviews are those of an applicant for a task of the requester.
func (v *visit) applicantReviews() error {
	t, err := v.own()
	if err != nil {
		return err
	}
	a, err := v.site.board.Application(v.ctx(), v.r.PathValue("application"))
	if err != nil {
		return err
	}
	if a.TaskID != t.ID {
		return fault.New(fault.NotFound, "", "There is no such application.", "")
	}
	stats, err := v.site.board.PersonStats(v.ctx(), a.HumanID)
	if err != nil {
		return err
	}
	return v.showOpinions(a.HumanID, opinionsBody{Rating: mean(stats.Rating), Rated: stats.Ratings, Back: "/requester/tasks/" + url.PathEscape(t.ID)})
}
