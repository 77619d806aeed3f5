package jobs

import (
	"cmp"
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/webhook"
	"github.com/legwork-mcp/legwork/internal/board/words"
	"github.com/legwork-mcp/legwork/internal/store"
)

// telling is one mail that follows an event. Nobody is told what they did.
type telling struct {
	event    task.Event
	reason   task.FailureReason // of TaskFailed; empty for any other event, and for every reason
	by       task.ActorKind     // only when such an actor did it; empty for all
	template string
}

// tellings are the mails to people and requesters, by event. The template says which
// of the two it is for.
var tellings = []telling{
	{event: task.OfferMade, template: notify.WorkerOffer},
	{event: task.TaskAccepted, by: task.Agent, template: notify.WorkerAccepted},
	{event: task.TaskAccepted, template: notify.WorkerDeclined}, // to the others
	{event: task.ApplicationDeclined, template: notify.WorkerDeclined},
	{event: task.MessageReceived, by: task.Agent, template: notify.WorkerMessage},
	{event: task.RevisionRequest, template: notify.WorkerRevision},
	{event: task.TaskRejected, template: notify.WorkerRejected},
	{event: task.TaskCompleted, template: notify.WorkerCompleted},
	{event: task.TaskFailed, reason: task.CancelledByRequester, template: notify.WorkerCancelled},
	{event: task.TaskFailed, reason: task.ContentPolicyViolation, template: notify.WorkerCancelled},
	{event: task.TaskFailed, reason: task.TimedOut, template: notify.WorkerTimeout},
	{event: task.TaskFailed, template: notify.WorkerDeclined}, // to those who applied
	{event: task.DisputeResolved, template: notify.WorkerResolved},

	{event: task.ApplicationReceived, template: notify.RequesterApplication},
	{event: task.SubmissionReceived, template: notify.RequesterSubmission},
	{event: task.MessageReceived, by: task.Human, template: notify.RequesterMessage},
	{event: task.DisputeOpened, by: task.Human, template: notify.RequesterDispute},
	{event: task.TaskCompleted, by: task.System, template: notify.RequesterCompleted},
	{event: task.TaskFailed, by: task.System, template: notify.RequesterFailed},
	{event: task.TaskFailed, by: task.Operator, template: notify.RequesterFailed},
	{event: task.DisputeResolved, template: notify.RequesterResolved},
}

// tell sends an event to the webhooks and writes to the people whom it concerns.
func (j *Jobs) tell(ctx context.Context, b Board, eventID string) error {
	e, err := b.Event(ctx, eventID)
	if err != nil {
		return fmt.Errorf("read event %s: %w", eventID, err)
	}
	mails, err := j.mails(ctx, b, e)
	if err != nil {
		return err
	}
	err = j.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		if err := j.Hooks.Fan(ctx, tx, e.AgentID, thin(e)); err != nil {
			return err
		}
		for _, m := range mails {
			if err := j.Post.Keep(ctx, tx, m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("tell of event %s: %w", eventID, err)
	}
	return nil
}

// thin is an event as webhooks tell it.
func thin(e data.Event) webhook.Event {
	return webhook.Event{
		ID: e.ID, Type: string(e.Type), OccurredAt: e.At, TaskID: e.TaskID, TaskVersion: e.TaskVersion,
		TaskStatus: string(e.Status), Actor: string(e.Actor.Kind),
	}
}

// mails are those that follow an event.
func (j *Jobs) mails(ctx context.Context, b Board, e data.Event) ([]notify.Mail, error) {
	t, err := about(ctx, b, e)
	if err != nil {
		return nil, err
	}
	n := note{board: b, base: j.base, line: j.line, event: e, task: t}
	var all []notify.Mail
	for _, row := range tellings {
		if row.event != e.Type || row.by != "" && row.by != e.Actor.Kind || row.reason != "" && row.reason != t.FailureReason {
			continue
		}
		more, err := n.to(ctx, row)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// about is the task of an event. A message before there is one is about nothing but
// the two who write, and has the name of the requester for its title.
func about(ctx context.Context, b Board, e data.Event) (task.Task, error) {
	if e.TaskID != "" {
		t, err := b.Task(ctx, e.TaskID)
		if err != nil {
			return task.Task{}, fmt.Errorf("read task %s: %w", e.TaskID, err)
		}
		return t, nil
	}
	a, err := b.Agent(ctx, e.AgentID)
	if err != nil {
		return task.Task{}, fmt.Errorf("read agent %s: %w", e.AgentID, err)
	}
	return task.Task{AgentID: a.ID, Title: a.Name}, nil
}

// note is an event with what mails about it say.
type note struct {
	board Board
	base  string
	line  string
	event data.Event
	task  task.Task
}

// to is the mails of one row.
func (n note) to(ctx context.Context, row telling) ([]notify.Mail, error) {
	switch row.template {
	case notify.WorkerDeclined:
		return n.declined(ctx)
	case notify.RequesterApplication, notify.RequesterSubmission, notify.RequesterMessage, notify.RequesterDispute,
		notify.RequesterCompleted, notify.RequesterFailed, notify.RequesterResolved:
		return n.requester(ctx, row.template)
	}
	human := n.task.HumanID
	if id := n.event.Data["human_id"]; id != "" {
		human = id
	}
	if human == "" {
		return nil, nil
	}
	p, err := n.board.Person(ctx, human)
	if err != nil {
		return nil, unlessOver(err)
	}
	mails, err := n.person(ctx, p, row.template, "event/"+n.event.ID+"/"+row.template)
	if err != nil || row.template != notify.WorkerOffer || len(mails) == 0 {
		return mails, err
	}
	o, err := n.board.Offer(ctx, n.event.Data["offer_id"])
	if err != nil || o.Status != data.OfferPending {
		return nil, unlessOver(err) // it was answered before this was written
	}
	m := mails[0]
	m.Slots["url"], m.Slots["deadline"] = n.base+"/offers/"+o.ID, words.Lang(m.Lang).Moment(o.ExpiresAt)
	return mails, nil
}

// reach are the addresses by which somebody wants to be told, or the only ones that they
// have, and where it goes when that way is closed; empty for none.
func (n note) reach(ctx context.Context, p data.Person, s notify.Settings) (to, fallback string, err error) {
	line := ""
	if n.line != "" && (s.By == notify.ByLINE || p.Email == "") {
		if line, err = n.atLINE(ctx, p); err != nil {
			return "", "", err
		}
	}
	rest := cmp.Or(p.Email, line)
	switch {
	case s.By == notify.ByPush:
		return notify.PushAddress(p.ID), rest, nil
	case s.By == notify.ByLINE && line != "" && p.Email != "":
		return line, p.Email, nil
	}
	return rest, "", nil
}

// atLINE is the address of a person at LINE, or empty.
func (n note) atLINE(ctx context.Context, p data.Person) (string, error) {
	ids, err := n.board.Identities(ctx, p.ID)
	if err != nil {
		return "", fmt.Errorf("read how to reach a person: %w", err)
	}
	for _, id := range ids {
		if id.Provider == n.line {
			return notify.LINEAddress(id.Subject), nil
		}
	}
	return "", nil
}

// person is a mail to somebody, or none to one who has no address any more.
func (n note) person(ctx context.Context, p data.Person, template, reference string) ([]notify.Mail, error) {
	settings := notify.ParseSettings(p.Notify)
	to, fallback, err := n.reach(ctx, p, settings)
	if err != nil || to == "" {
		return nil, err
	}
	lang, known := words.Parse(p.Lang)
	if !known {
		lang = words.Ja
	}
	m := notify.Mail{
		Reference: reference, Template: template, To: to, Fallback: fallback, Lang: string(lang), Owner: p.ID, Settings: settings,
		Slots: n.slots(lang, "/me/tasks/"),
	}
	if template == notify.WorkerDeclined {
		m.Slots["url"] = n.base + "/"
	}
	return []notify.Mail{m}, nil
}

// declined are polite words to those whose application came to nothing, each once.
func (n note) declined(ctx context.Context) ([]notify.Mail, error) {
	var mails []notify.Mail
	for page := (data.Page{Limit: 100}); ; {
		list, next, err := n.board.Applications(ctx, n.task.ID, data.ApplicationDeclined, page)
		if err != nil {
			return nil, fmt.Errorf("list the applications of task %s: %w", n.task.ID, err)
		}
		for _, a := range list {
			p, err := n.board.Person(ctx, a.HumanID)
			if err != nil {
				if unlessOver(err) == nil {
					continue
				}
				return nil, fmt.Errorf("read an applicant: %w", err)
			}
			more, err := n.person(ctx, p, notify.WorkerDeclined, "application/"+a.ID+"/declined")
			if err != nil {
				return nil, err
			}
			mails = append(mails, more...)
		}
		if next == "" {
			return mails, nil
		}
		page.Cursor = next
	}
}

// requester is a mail to the address of the account, once that is proven, in the
// language and by the settings of the person who owns it.
func (n note) requester(ctx context.Context, template string) ([]notify.Mail, error) {
	a, err := n.board.Agent(ctx, n.task.AgentID)
	if err != nil {
		return nil, unlessOver(err)
	}
	if a.Email == "" || a.EmailVerified.IsZero() || a.Disabled {
		return nil, nil
	}
	lang, settings := words.En, notify.Settings{}
	if n.task.OriginCountry == "JP" {
		lang = words.Ja
	}
	if a.OwnerHumanID != "" {
		owner, err := n.board.Person(ctx, a.OwnerHumanID)
		if unlessOver(err) != nil {
			return nil, fmt.Errorf("read the owner of agent %s: %w", a.ID, err)
		}
		if l, known := words.Parse(owner.Lang); err == nil && known {
			lang, settings = l, notify.ParseSettings(owner.Notify)
		}
	}
	return []notify.Mail{{
		Reference: "event/" + n.event.ID + "/" + template, Template: template, To: a.Email, Lang: string(lang), Owner: a.ID, Settings: settings,
		Slots: n.slots(lang, "/requester/tasks/"),
	}}, nil
}

// titleLength is enough to know which task is meant.
const titleLength = 40

// slots are the values that mails are about: the ones that a template does not use
// are left out of it.
func (n note) slots(lang words.Lang, path string) map[string]string {
	title := n.task.Title
	if title == "" {
		title = n.task.Text
	}
	title = words.Title(title, titleLength)
	deadline := n.task.DeadlineAt
	switch n.event.Type {
	case task.SubmissionReceived:
		deadline = n.task.ReviewDeadlineAt
	case task.TaskRejected:
		deadline = n.task.AppealDeadlineAt
	}
	url := n.base + path + n.task.ID
	if n.task.ID == "" {
		url = n.base + "/"
	}
	quote := n.task.Quote()
	return map[string]string{
		"title": title, "url": url, "deadline": lang.Moment(deadline), "amount": lang.Money(quote.Takehome, string(quote.Currency)),
	}
}
