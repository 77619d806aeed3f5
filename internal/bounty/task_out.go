package bounty

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
)

// Task is a task as the specification's section 4.4 has it, and what was added.
type Task struct {
	ID               string   `json:"id"`
	Status           string   `json:"status" jsonschema:"open, accepted, review_pending, completed or failed"`
	FailureReason    any      `json:"failure_reason" jsonschema:"null unless it has failed"`
	Submission       any      `json:"submission" jsonschema:"null, or id, type, content_url, text and more; shown to its owner"`
	SubState         string   `json:"sub_state,omitempty"`
	StatusText       string   `json:"status_text,omitempty"`
	Task             string   `json:"task,omitempty"`
	TaskLabel        string   `json:"task_label,omitempty"`
	Deliverable      string   `json:"deliverable,omitempty"`
	Criteria         string   `json:"acceptance_criteria,omitempty"`
	Budget           string   `json:"budget,omitempty"`
	CreatedAt        string   `json:"created_at,omitempty"`
	DeadlineAt       string   `json:"deadline_at,omitempty"`
	ReviewDeadlineAt string   `json:"review_deadline_at,omitempty" jsonschema:"when it approves itself"`
	Applications     int      `json:"application_count,omitempty"`
	ClientRef        string   `json:"client_ref,omitempty"`
	Version          int64    `json:"version,omitempty"`
	NextActions      []string `json:"next_actions,omitempty"`
	Untrusted        string   `json:"untrusted,omitempty" jsonschema:"set for a task of somebody else"`
}

// Submission is what a person delivered; content_url and text are null when there is
// none.
type Submission struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	ContentURL any    `json:"content_url"`
	Text       any    `json:"text"`
	ExpiresAt  string `json:"content_url_expires_at,omitempty"`
	SHA256     string `json:"sha256,omitempty"`
	MIME       string `json:"mime,omitempty"`
	Bytes      int64  `json:"bytes,omitempty"`
	CreatedAt  string `json:"created_at,omitempty"`
	Items      []Item `json:"items,omitempty"`
	Untrusted  string `json:"untrusted"`
}

// Item is one of several things in a submission.
type Item struct {
	ID         string `json:"id,omitempty"`
	Type       string `json:"type,omitempty"`
	ContentURL string `json:"content_url,omitempty"`
	Text       string `json:"text,omitempty"`
	SHA256     string `json:"sha256,omitempty"`
	MIME       string `json:"mime,omitempty"`
	Bytes      int64  `json:"bytes,omitempty"`
}

// maxAddress is the most bytes of the address of a file.
const maxAddress = 2000

// The public states of a task (section 4.4).
const (
	stateOpen      = "open"
	stateAccepted  = "accepted"
	stateReview    = "review_pending"
	stateCompleted = "completed"
	stateFailed    = "failed"
)

// orNull is null for an empty text.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// view is a task of the board for an answer to who.
func view(t rest.Task, lang string, who rest.Credentials) Task {
	status := clean(t.Status, 40)
	out := Task{
		ID: clean(t.ID, 200), Status: status, FailureReason: orNull(clean(t.FailureReason, 100)), SubState: clean(t.SubState, 40),
		StatusText: clean(firstOf(t.StatusText, statusText(status, t.FailureReason, lang)), 200), Task: prose(firstOf(t.Display, t.Task), maxTask),
		TaskLabel: clean(t.TaskLabel, 40), Deliverable: deliverable(t.Deliverable), Criteria: prose(t.AcceptanceCriteria, 4000),
		Budget: budgetText(t), CreatedAt: clean(t.CreatedAt, 40), DeadlineAt: clean(t.DeadlineAt, 40),
		ReviewDeadlineAt: clean(firstOf(t.ReviewPendingUntil, t.ReviewDeadlineAt), 40), Applications: t.ApplicationCount,
		ClientRef: clean(t.ClientRef, maxLine), Version: t.Version, NextActions: nextActions(t), Untrusted: foreign(t, who),
	}
	if t.Submission != nil {
		out.Submission = submissionOf(t.Submission)
	}
	return out
}

func submissionOf(s *rest.Submission) Submission {
	const longest = 60_000
	out := Submission{
		ID: clean(s.ID, 200), Type: clean(s.Type, 40), ContentURL: orNull(clean(s.ContentURL, maxAddress)), Text: orNull(prose(s.Text, longest)),
		ExpiresAt: clean(s.ExpiresAt, 40), SHA256: clean(s.SHA256, 64), MIME: clean(s.MIME, 100), Bytes: s.Bytes,
		CreatedAt: clean(s.CreatedAt, 40), Untrusted: untrusted,
	}
	const most = 50
	for _, f := range s.Items[:min(len(s.Items), most)] {
		out.Items = append(out.Items, Item{
			clean(f.ID, 200), clean(f.Type, 40), clean(f.ContentURL, maxAddress), prose(f.Text, longest/10), clean(f.SHA256, 64), clean(f.MIME, 100), f.Bytes,
		})
	}
	return out
}

// deliverable is a word, or whatever a board describes a deliverable with.
func deliverable(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return clean(text, 40)
	}
	var kind struct {
		Type string `json:"type"`
		Kind string `json:"kind"`
	}
	_ = json.Unmarshal(raw, &kind) // what has no kind is left out
	return clean(firstOf(kind.Type, kind.Kind), 40)
}

// budgetText is the budget with its currency.
func budgetText(t rest.Task) string {
	minor, currency := firstOf(t.AmountMinor.String(), t.QuoteMinor.String()), strings.ToUpper(firstOf(t.Currency, t.QuoteCurrency))
	if n, err := json.Number(minor).Int64(); err == nil && currency != "" {
		return clean(budget{n, currency}.String(), 40)
	}
	if t.BudgetUSD != "" {
		return clean(t.BudgetUSD.String(), 30) + " USD"
	}
	return ""
}

// nextActions are the tools that can be called now: those for the commands that the
// board allows, or those that the status allows.
func nextActions(t rest.Task) []string {
	if len(t.NextActions) == 0 {
		return actions[t.Status]
	}
	var out []string
	if t.Status == stateOpen || t.Status == stateAccepted {
		out = append(out, "wait_for_bounty")
	}
	for _, c := range t.NextActions {
		if name := commands[c]; name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// commands are the tools for the commands of a board.
var commands = map[string]string{
	"accept_application": "accept_application", "approve": "approve_bounty_completion", "request_revision": "request_revision",
	"reject": "reject_bounty_completion", "dispute": "open_dispute", "cancel": "cancel_bounty", "extend_deadline": "extend_deadline", "rate": "rate_human",
}

// actions are the tools for a task by its status.
var actions = map[string][]string{
	stateOpen:      {"wait_for_bounty", "list_applications", "accept_application", "extend_deadline", "cancel_bounty"},
	stateAccepted:  {"wait_for_bounty", "start_conversation", "extend_deadline", "cancel_bounty"},
	stateReview:    {"approve_bounty_completion", "request_revision", "reject_bounty_completion"},
	stateCompleted: {"rate_human"},
	stateFailed:    {"create_bounty"},
}

// statusTexts say a status to people.
var statusTexts = map[string]map[string]string{
	"en": {
		stateOpen: "Open: nobody has it yet.", stateAccepted: "A person is working on it.", stateReview: "The submission waits for your review.",
		stateCompleted: "Completed and paid.", stateFailed: "Ended without a result.",
	},
	"ja": {
		stateOpen: "募集中です。まだ担当者は決まっていません。", stateAccepted: "担当者が作業中です。", stateReview: "提出物があなたの確認を待っています。",
		stateCompleted: "完了し、支払い済みです。", stateFailed: "成果なしで終了しました。",
	},
}

// endTexts say why a task failed, for boards that do not: a time that ran out is nobody's
// refusal.
var endTexts = map[string]map[string]string{
	"en": {
		"timeout": "Ended without a result: nothing was delivered in time.", "requester_rejected": "Ended without a result: the requester rejected what was delivered.",
		"no_human_available": "Ended without a result: nobody took it.", "cancelled_by_requester": "Ended without a result: the requester cancelled it.",
	},
	"ja": {
		"timeout": "成果なしで終了しました。期限までに提出がありませんでした。", "requester_rejected": "成果なしで終了しました。依頼者が提出物を却下しました。",
		"no_human_available": "成果なしで終了しました。引き受ける人がいませんでした。", "cancelled_by_requester": "成果なしで終了しました。依頼者が取り消しました。",
	},
}

func statusText(status, reason, lang string) string {
	lang = firstOf(lang, "en")
	if status == stateFailed && endTexts[lang][reason] != "" {
		return endTexts[lang][reason]
	}
	return statusTexts[lang][status]
}

// text is a task for those who see nothing but a text.
func (t Task) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Task %s: %s", t.ID, t.Status)
	if t.SubState != "" {
		fmt.Fprintf(&b, " (%s)", t.SubState)
	}
	if r, ok := t.FailureReason.(string); ok {
		fmt.Fprintf(&b, ", failure_reason %s", r)
	}
	b.WriteString(". " + t.StatusText)
	for _, x := range [][2]string{{"budget", t.Budget}, {"deliverable", t.Deliverable}, {"deadline_at", t.DeadlineAt}, {"review until", t.ReviewDeadlineAt}, {"client_ref", t.ClientRef}} {
		if x[1] != "" {
			fmt.Fprintf(&b, "\n%s: %s", x[0], x[1])
		}
	}
	if t.Applications > 0 {
		fmt.Fprintf(&b, "\napplications: %d", t.Applications)
	}
	if t.Untrusted != "" {
		b.WriteString("\n" + t.Untrusted)
	}
	for _, x := range [][2]string{{"task", t.Task}, {"acceptance_criteria", t.Criteria}} {
		switch said := clip(x[1], 2000); {
		case said == "":
		case t.Untrusted != "":
			b.WriteString("\n" + x[0] + ":\n" + marked(said))
		default:
			b.WriteString("\n" + x[0] + ": " + said)
		}
	}
	if s, ok := t.Submission.(Submission); ok {
		b.WriteString("\n" + s.text())
	}
	if len(t.NextActions) > 0 {
		b.WriteString("\nNext: " + strings.Join(t.NextActions, ", "))
	}
	return b.String()
}

// text is a submission for those who see nothing but a text.
func (s Submission) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "submission %s, %s", s.ID, s.Type)
	if s.CreatedAt != "" {
		b.WriteString(", of " + s.CreatedAt)
	}
	if u, ok := s.ContentURL.(string); ok {
		b.WriteString("\ncontent_url: " + u)
	}
	for _, i := range s.Items {
		if i.ContentURL != "" {
			fmt.Fprintf(&b, "\nitem %s: %s", i.Type, i.ContentURL)
		}
	}
	var said []string
	if text, ok := s.Text.(string); ok {
		said = append(said, text)
	}
	for _, i := range s.Items {
		if i.Text != "" {
			said = append(said, i.Text)
		}
	}
	if len(said) > 0 {
		b.WriteString("\n" + untrusted + "\n" + marked(strings.Join(said, "\n")))
	}
	return b.String()
}
