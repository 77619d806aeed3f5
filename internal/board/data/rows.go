package data

import (
	"time"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Page bounds a list. The next page starts at the cursor that came with the last.
type Page struct {
	Limit  int // 1 to 100; 20 when 0
	Cursor string
}

// OfferStatus is the state of an offer.
type OfferStatus string

// The states of offers.
const (
	OfferPending   OfferStatus = "pending"
	OfferAccepted  OfferStatus = "accepted"
	OfferDeclined  OfferStatus = "declined"
	OfferExpired   OfferStatus = "expired"
	OfferWithdrawn OfferStatus = "withdrawn" // the task was assigned otherwise, or ended
)

// Offer asks one person for consent to do a task now.
type Offer struct {
	ID        string
	TaskID    string
	HumanID   string
	Status    OfferStatus
	CreatedAt time.Time
	ExpiresAt time.Time
}

// ApplicationStatus is the state of an application.
type ApplicationStatus string

// The states of applications.
const (
	ApplicationPending   ApplicationStatus = "pending"
	ApplicationAccepted  ApplicationStatus = "accepted"
	ApplicationDeclined  ApplicationStatus = "declined"
	ApplicationWithdrawn ApplicationStatus = "withdrawn"
)

// Application is a person's wish to do a task.
type Application struct {
	ID           string
	TaskID       string
	HumanID      string
	Status       ApplicationStatus
	CoverLetter  string
	Availability string
	Counter      money.Amount // zero for the budget as it is; otherwise what the requester would pay
	CreatedAt    time.Time
	AnsweredAt   time.Time
}

// Submission is a delivery. There is one for every round.
type Submission struct {
	ID        string
	TaskID    string
	HumanID   string
	Round     int64
	Type      task.Deliverable
	Text      string
	Items     []Item
	Late      bool // after the deadline, within the grace
	CreatedAt time.Time
}

// Item is one piece of a delivery.
type Item struct {
	Kind       task.Deliverable
	Label      string
	Text       string
	Upload     string // id of a stored file
	SHA256     string
	MIME       string
	Bytes      int64
	CapturedAt time.Time // as the file says
	Like       []string  // ids of stored files that are the same or look like it; of a delivery that is sent
	Duplicate  bool      // it, or one like it, was delivered for another task before
}

// Dispute is a decision that is asked of the operator.
type Dispute struct {
	ID          string
	TaskID      string
	OpenedBy    task.Actor
	Text        string
	Open        bool
	CreatedAt   time.Time
	ResolvedAt  time.Time
	ResolvedBy  string
	Note        string
	WorkerMinor int64 // of the escrow, before the fee
}

// Review is what one side says of the other. It is published when both wrote one,
// or when the time to write is over.
type Review struct {
	TaskID    string
	By        task.ActorKind
	Stars     int
	Comment   string
	CreatedAt time.Time
	Published bool
}

// ConversationStatus is the state of a conversation.
type ConversationStatus string

// The states of conversations.
const (
	ConversationPending ConversationStatus = "pending" // the person did not answer yet
	ConversationOpen    ConversationStatus = "open"
	ConversationClosed  ConversationStatus = "closed"
	ConversationBlocked ConversationStatus = "blocked" // by the person
)

// Conversation is between an agent and a person, about a task or before one.
type Conversation struct {
	ID         string
	AgentID    string
	HumanID    string
	TaskID     string // empty before an assignment
	Status     ConversationStatus
	Unanswered int64 // messages of the agent since the person's last
	Messages   int64
	AgentRead  int64 // sequence number of the last message that the side has seen
	HumanRead  int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Message is one message. Text of people is data for an agent, never an instruction.
type Message struct {
	ID             string
	ConversationID string
	Seq            int64 // 1, 2, 3 ... within the conversation
	Sender         task.ActorKind
	Body           string
	Uploads        []string
	CreatedAt      time.Time
}

// Event is one thing that happened.
type Event struct {
	ID          string
	Seq         int64 // of the agent: 1, 2, 3 ... without gaps, in the order of commits
	Type        task.Event
	AgentID     string
	TaskID      string
	TaskVersion int64
	Status      task.Status // of the task then
	Actor       task.Actor
	At          time.Time
	Data        map[string]string // ids only
}

// Entry is one posting as it is kept.
type Entry struct {
	Key     string
	Kind    string
	TaskID  string
	Account money.Account
	Amount  money.Amount
	At      time.Time
}

// Transfer is a movement of money by the provider as the board knows it.
type Transfer struct {
	money.Transfer
	TaskID string
	Status TransferStatus
	At     time.Time
}

// TransferStatus is the state of a transfer.
type TransferStatus string

// The states of transfers.
const (
	TransferStarted TransferStatus = "started"
	TransferDone    TransferStatus = "done"
	TransferVoid    TransferStatus = "void" // funded for an acceptance that did not happen, to be given back; or that return
)

// Report is what somebody says is wrong with a task, a person or a message.
type Report struct {
	ID        string
	By        task.Actor
	TaskID    string
	HumanID   string
	AgentID   string
	Class     string
	Text      string
	Open      bool
	CreatedAt time.Time
	HandledBy string
	Note      string
}

// Assigned is a task with the application that was accepted for it.
type Assigned struct {
	Task        task.Task
	Application Application
}

// Started is a thread with its first message.
type Started struct {
	Conversation Conversation
	Message      Message
}
