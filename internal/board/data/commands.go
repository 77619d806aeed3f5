package data

import (
	"time"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// NewTask is what CreateTask needs.
type NewTask struct {
	Draft task.Draft
	Hold  *Hold // what the content policy wants an operator to look at; nil for nothing
}

// Hold is why a task waits for an operator.
type Hold struct {
	Class   string
	Excerpt string
}

// NewApplication is what Apply needs.
type NewApplication struct {
	TaskID       string
	CoverLetter  string // 1 to 4000 characters
	Availability string // 1 to 500
	Counter      *int64 // in minor units of the budget's currency: what the requester would pay
}

// Acceptance chooses an applicant, by the application or by the person.
type Acceptance struct {
	TaskID        string
	ApplicationID string
	HumanID       string
	AtCounter     bool  // pay what the application asks instead of the budget
	Version       int64 // of the task that the caller saw; 0 for any
}

// Delivery is what Submit needs.
type Delivery struct {
	TaskID string
	Type   task.Deliverable
	Text   string
	Items  []Item
}

// Approval is what Approve needs.
type Approval struct {
	TaskID  string
	Checks  map[string]bool // kept as evidence
	Note    string
	Version int64
}

// Revision asks for more.
type Revision struct {
	TaskID  string
	Text    string // what is missing, at least 20 characters
	Version int64
}

// Rejection refuses a delivery.
type Rejection struct {
	TaskID  string
	Code    task.RejectCode
	Text    string // at least 20 characters
	Version int64
}

// NewDispute asks for a decision of the operator.
type NewDispute struct {
	TaskID string
	Text   string // at least 20 characters
}

// Resolution decides a dispute.
type Resolution struct {
	TaskID    string
	Completed bool  // the task counts as completed
	Worker    int64 // minor units of the escrow for the worker's side, before the fee
	Note      string
}

// Cancellation takes a task back.
type Cancellation struct {
	TaskID  string
	Reason  string
	Version int64
}

// Extension gives more time.
type Extension struct {
	TaskID     string
	DeadlineAt time.Time
	Version    int64
}

// Rating is what Rate needs.
type Rating struct {
	TaskID  string
	Stars   int // 1 to 5
	Comment string
}

// TaskFilter chooses tasks. Zero values choose all.
type TaskFilter struct {
	AgentID      string
	HumanID      string // the assigned person
	Public       bool   // only what everybody may see: open and not held
	Statuses     []task.Status
	Held         bool // only tasks that wait for an operator
	Disputed     bool
	Label        task.Label
	Deliverable  task.Deliverable
	Prefecture   string
	City         string
	ClientRef    string
	Query        string // words that all occur in the texts
	UpdatedSince time.Time
	MinBudget    money.Amount
	Page
}

// PeopleFilter chooses people for an agent.
type PeopleFilter struct {
	Prefecture string
	City       string
	Skills     []string     // all of these, 50 at most
	Languages  []string     // any of these, 50 at most
	Max        money.Amount // their floor is at most the take-home of this budget
	MinRating  float64
	Page
}

// NewConversation opens a thread: with a person, or with the one who is assigned
// to a task.
type NewConversation struct {
	HumanID string
	TaskID  string
	Body    string // 1 to 4000 characters
	Uploads []string
}

// NewMessage adds to a thread.
type NewMessage struct {
	ConversationID string
	Body           string // up to 4000 characters; empty with uploads only
	Uploads        []string
}
