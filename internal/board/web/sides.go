package web

import (
	"context"
	"errors"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// sides is what the two sides of an assignment share.
type sides struct {
	request    string // for a revision
	rejection  *rejectionView
	dispute    *disputeView
	deliveries []deliveryView
	messages   []messageView
	reviews    []reviewView
	chat       bool // a message can be written
	rated      bool // by the visitor
}

func (v *visit) sides(t task.Task) (sides, error) {
	var s sides
	for _, load := range []func(task.Task, *sides) error{v.loadDeliveries, v.loadDispute, v.loadDecisions, v.loadMessages, v.loadReviews} {
		if err := load(t, &s); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (v *visit) loadDeliveries(t task.Task, s *sides) error {
	all, err := v.site.board.Submissions(v.ctx(), t.ID)
	if err != nil {
		return err
	}
	for _, sub := range all {
		if v.who.Human && !v.who.Operator && sub.HumanID != v.who.ID {
			continue // of somebody who had the task before
		}
		d := deliveryView{At: sub.CreatedAt, Text: sub.Text}
		for _, item := range sub.Items {
			v.addItem(&d, item)
		}
		s.deliveries = append(s.deliveries, d)
	}
	return nil
}

func (v *visit) addItem(d *deliveryView, i data.Item) {
	if i.Kind == task.Text {
		d.Text += "\n" + i.Text
		return
	}
	if i.Kind == task.Video {
		d.Videos = append(d.Videos, videoView{v.fileLink(i.Upload, media.Full)})
		return
	}
	p := photoView{URL: v.fileLink(i.Upload, media.Full), ThumbURL: v.fileLink(i.Upload, media.Thumb), Duplicate: i.Duplicate}
	if !i.CapturedAt.IsZero() {
		at := i.CapturedAt
		p.CapturedAt = &at
	}
	d.Photos = append(d.Photos, p)
}

func (v *visit) loadDispute(t task.Task, s *sides) error {
	all, err := v.site.board.Disputes(v.ctx(), t.ID)
	if err != nil || len(all) == 0 {
		return err
	}
	d := all[0]
	s.dispute = &disputeView{Reason: d.Text}
	if !d.Open {
		s.dispute.Note, s.dispute.Outcome = d.Note, outcome(d, t)
	}
	return nil
}

// outcome says in a word who was paid.
func outcome(d data.Dispute, t task.Task) string {
	switch d.WorkerMinor {
	case 0:
		return "requester"
	case t.Budget.Minor:
		return "worker"
	default:
		return "split"
	}
}

func (v *visit) loadMessages(t task.Task, s *sides) error {
	c, err := v.site.board.ConversationOf(v.ctx(), t.ID)
	if missing(err) {
		s.chat = !t.Status.Terminal()
		return nil
	}
	if err != nil {
		return err
	}
	s.chat = writable(c)
	s.messages, err = v.messagesOf(c)
	return err
}

// missing reports whether an error says that there is no such thing.
func missing(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Kind == fault.NotFound
}

// sendMessage adds to the thread of a task, or begins it.
func (v *visit) sendMessage(taskID, text string) error {
	if err := v.site.screen(text); err != nil {
		return err
	}
	c, err := v.site.board.ConversationOf(v.ctx(), taskID)
	if missing(err) {
		_, err = v.site.board.StartConversation(v.ctx(), v.actor(), data.NewConversation{TaskID: taskID, Body: text})
		return err
	}
	if err != nil {
		return err
	}
	_, err = v.site.board.SendMessage(v.ctx(), v.actor(), data.NewMessage{ConversationID: c.ID, Body: text})
	return err
}

func (s *Site) screen(text string) error {
	if s.options.Screen == nil {
		return nil
	}
	return s.options.Screen(text)
}

func (v *visit) loadReviews(t task.Task, s *sides) error {
	all, err := v.site.board.Reviews(v.ctx(), t.ID)
	if err != nil {
		return err
	}
	for _, r := range all {
		s.rated = s.rated || r.By == v.actor().Kind
		if r.Published {
			s.reviews = append(s.reviews, reviewView{By: string(r.By), Rating: r.Stars, Comment: r.Comment})
		}
	}
	return nil
}

// requester is what a worker may know of who asks.
func (s *Site) requester(ctx context.Context, agentID string) (requesterView, error) {
	a, err := s.board.Agent(ctx, agentID)
	if err != nil {
		return requesterView{}, err
	}
	stats, err := s.board.AgentStats(ctx, agentID)
	if err != nil {
		return requesterView{}, err
	}
	r := requesterView{Name: a.Name, Decided: int(stats.Completed + stats.Rejected), PayTime: stats.MedianReview, Since: !a.CreatedAt.IsZero(), SinceAt: a.CreatedAt}
	if r.Decided > 0 {
		r.ApprovalPercent = int(stats.Completed * 100 / int64(r.Decided))
	}
	return r, nil
}

// applicants counts the applications of tasks.
func (s *Site) applicants(ctx context.Context, list []task.Task) (map[string]int64, error) {
	ids := make([]string, len(list))
	for i, t := range list {
		ids[i] = t.ID
	}
	return s.board.CountsOfApplications(ctx, ids)
}

// budgetFor is the least budget whose take-home is at least some amount.
func (s *Site) budgetFor(takeHome int64) int64 {
	bps := s.board.Terms().FeeBPS
	budget := takeHome
	for budget-money.Fee(budget, bps) < takeHome && budget < money.Max {
		budget += max(1, (takeHome-(budget-money.Fee(budget, bps)))/2)
	}
	return budget
}

// ownApplication is the visitor's application for a task, its state only.
func (v *visit) ownApplication(t task.Task) (*taskView, error) {
	a, err := v.site.board.ApplicationBy(v.ctx(), t.ID, v.who.ID)
	if missing(err) || task.ReasonOf(err) == task.NotApplied {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &taskView{Status: applicationKey(a.Status)}, nil
}
