package data

import (
	"context"
	"errors"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// errPending is what the methods in this file return until they move to their own.
var errPending = errors.New("the board cannot do this yet")

// Connect makes the account of a new address with its first key, shown once; for a
// known address it sends a code and returns the id to confirm it with instead.
func (b *Board) Connect(ctx context.Context, name, email string) (Connected, error) {
	return Connected{}, errPending
}

// StartAgentCode sends a code to the address of an account.
func (b *Board) StartAgentCode(ctx context.Context, agentID string) (codeID string, err error) {
	return "", errPending
}

// ConfirmAgent takes the code and returns the account with a new key.
func (b *Board) ConfirmAgent(ctx context.Context, codeID, code string) (Connected, error) {
	return Connected{}, errPending
}

// Agent is an account.
func (b *Board) Agent(ctx context.Context, agentID string) (AgentAccount, error) {
	return AgentAccount{}, errPending
}

// AgentsOf are the accounts that a person owns.
func (b *Board) AgentsOf(ctx context.Context, humanID string) ([]AgentAccount, error) {
	return nil, errPending
}

// DisableAgent stops an account, or lets it go on.
func (b *Board) DisableAgent(ctx context.Context, agentID string, disabled bool) error {
	return errPending
}

// ListAgents are all accounts, for operators.
func (b *Board) ListAgents(ctx context.Context, p Page) ([]AgentAccount, string, error) {
	return nil, "", errPending
}

// NewKey makes a key for an agent or a human and returns its secret, shown once.
func (b *Board) NewKey(ctx context.Context, k Key) (Key, string, error) { return Key{}, "", errPending }

// RotateKey makes a successor with the same rights; the old one works for overlap.
func (b *Board) RotateKey(ctx context.Context, owner task.Actor, keyID string, overlap time.Duration) (Key, string, error) {
	return Key{}, "", errPending
}

// RevokeKey ends a key at once.
func (b *Board) RevokeKey(ctx context.Context, owner task.Actor, keyID string) error {
	return errPending
}

// Keys are the keys of an agent or a human, the newest first.
func (b *Board) Keys(ctx context.Context, owner task.Actor) ([]Key, error) { return nil, errPending }

// Authenticate finds the live key of a secret. It writes nothing.
func (b *Board) Authenticate(ctx context.Context, secret string) (Key, error) {
	return Key{}, errPending
}

// TouchKey notes that a key was used, at most once an hour.
func (b *Board) TouchKey(ctx context.Context, k Key) error { return errPending }

// StartSignIn sends a code to an address and returns the id to confirm it with. It
// does the same for addresses that are known and those that are not.
func (b *Board) StartSignIn(ctx context.Context, email, lang string) (codeID string, err error) {
	return "", errPending
}

// ConfirmSignIn takes the code and returns the person, made when there was none,
// with the secret of a new session.
func (b *Board) ConfirmSignIn(ctx context.Context, codeID, code string) (Person, string, error) {
	return Person{}, "", errPending
}

// SignInIdentity is for a person whom another provider named; email may be empty
// and must be verified by it.
func (b *Board) SignInIdentity(ctx context.Context, id Identity) (Person, string, error) {
	return Person{}, "", errPending
}

// Session is the person of a session's secret.
func (b *Board) Session(ctx context.Context, secret string) (Person, error) {
	return Person{}, errPending
}

// EndSession signs out; EndSessions does so everywhere.
func (b *Board) EndSession(ctx context.Context, secret string) error { return errPending }

// EndSessions ends every session of a person.
func (b *Board) EndSessions(ctx context.Context, humanID string) error { return errPending }

// Person is somebody by id.
func (b *Board) Person(ctx context.Context, humanID string) (Person, error) {
	return Person{}, errPending
}

// SavePerson changes the profile: all but id, address, operator and suspension.
func (b *Board) SavePerson(ctx context.Context, p Person) (Person, error) {
	return Person{}, errPending
}

// SetOperator makes a person an operator, or no longer.
func (b *Board) SetOperator(ctx context.Context, humanID string, on bool) error { return errPending }

// Suspend keeps a person from acting, or no longer.
func (b *Board) Suspend(ctx context.Context, humanID string, on bool) error { return errPending }

// ListPeople are all people, for operators.
func (b *Board) ListPeople(ctx context.Context, p Page) ([]Person, string, error) {
	return nil, "", errPending
}

// DeletePerson takes everything out of a profile that says who it was.
func (b *Board) DeletePerson(ctx context.Context, humanID string) error { return errPending }

// CreateTask checks the draft and posts the task.
func (b *Board) CreateTask(ctx context.Context, by task.Actor, n NewTask) (task.Task, error) {
	return task.Task{}, errPending
}

// ReleaseHold lets people see a held task.
func (b *Board) ReleaseHold(ctx context.Context, by task.Actor, taskID string) (task.Task, error) {
	return task.Task{}, errPending
}

// TakeDown ends a task that violates the content policy.
func (b *Board) TakeDown(ctx context.Context, by task.Actor, taskID, note string) (task.Task, error) {
	return task.Task{}, errPending
}

// Task is a task by id.
func (b *Board) Task(ctx context.Context, id string) (task.Task, error) {
	return task.Task{}, errPending
}

// Tasks are the tasks that a filter chooses, the newest first, with the cursor of
// the next page; it is empty on the last.
func (b *Board) Tasks(ctx context.Context, f TaskFilter) ([]task.Task, string, error) {
	return nil, "", errPending
}

// History is what happened to a task, the oldest first.
func (b *Board) History(ctx context.Context, taskID string) ([]Event, error) { return nil, errPending }

// OfferTask asks the next person who consents to instant offers: fairly, whoever
// was asked longest ago. Without anybody it refuses with no_human_available and
// the task stays open.
func (b *Board) OfferTask(ctx context.Context, taskID string, wait time.Duration) (Offer, error) {
	return Offer{}, errPending
}

// AcceptOffer assigns the task to the person who was asked.
func (b *Board) AcceptOffer(ctx context.Context, by task.Actor, offerID string) (task.Task, error) {
	return task.Task{}, errPending
}

// DeclineOffer says no.
func (b *Board) DeclineOffer(ctx context.Context, by task.Actor, offerID string) (task.Task, error) {
	return task.Task{}, errPending
}

// ExpireOffer ends an offer whose time is over.
func (b *Board) ExpireOffer(ctx context.Context, offerID string) error { return errPending }

// Offer is an offer by id.
func (b *Board) Offer(ctx context.Context, offerID string) (Offer, error) { return Offer{}, errPending }

// OffersTo are the pending offers to a person.
func (b *Board) OffersTo(ctx context.Context, humanID string) ([]Offer, error) {
	return nil, errPending
}

// Apply applies for a task.
func (b *Board) Apply(ctx context.Context, by task.Actor, n NewApplication) (Application, error) {
	return Application{}, errPending
}

// WithdrawApplication takes an application back.
func (b *Board) WithdrawApplication(ctx context.Context, by task.Actor, applicationID string) (Application, error) {
	return Application{}, errPending
}

// RejectApplication declines one applicant.
func (b *Board) RejectApplication(ctx context.Context, by task.Actor, applicationID string) (Application, error) {
	return Application{}, errPending
}

// AcceptApplication funds the task and assigns it to an applicant; the others are
// declined.
func (b *Board) AcceptApplication(ctx context.Context, by task.Actor, a Acceptance) (Assigned, error) {
	return Assigned{}, errPending
}

// Application is an application by id.
func (b *Board) Application(ctx context.Context, id string) (Application, error) {
	return Application{}, errPending
}

// Applications are those for a task, the oldest first; status may be empty.
func (b *Board) Applications(ctx context.Context, taskID string, status ApplicationStatus, p Page) ([]Application, string, error) {
	return nil, "", errPending
}

// ApplicationsOf are those of a person, the newest first.
func (b *Board) ApplicationsOf(ctx context.Context, humanID string, p Page) ([]Application, string, error) {
	return nil, "", errPending
}

// CountApplications counts those for a task.
func (b *Board) CountApplications(ctx context.Context, taskID string) (int64, error) {
	return 0, errPending
}

// Submit delivers.
func (b *Board) Submit(ctx context.Context, by task.Actor, d Delivery) (Submission, error) {
	return Submission{}, errPending
}

// Submissions are the deliveries of a task, the newest first.
func (b *Board) Submissions(ctx context.Context, taskID string) ([]Submission, error) {
	return nil, errPending
}

// Decline gives an assigned task back.
func (b *Board) Decline(ctx context.Context, by task.Actor, taskID, reason string) (task.Task, error) {
	return task.Task{}, errPending
}

// Cancel takes a task back; the person who works on it is compensated.
func (b *Board) Cancel(ctx context.Context, by task.Actor, c Cancellation) (task.Task, error) {
	return task.Task{}, errPending
}

// ExtendDeadline gives more time.
func (b *Board) ExtendDeadline(ctx context.Context, by task.Actor, e Extension) (task.Task, error) {
	return task.Task{}, errPending
}

// ExpireTask ends a task whose deadline is over.
func (b *Board) ExpireTask(ctx context.Context, taskID string) (task.Task, error) {
	return task.Task{}, errPending
}

// Approve accepts the delivery and owes the worker their part, once: for a task
// that is completed already it returns it.
func (b *Board) Approve(ctx context.Context, by task.Actor, a Approval) (task.Task, error) {
	return task.Task{}, errPending
}

// AutoApprove approves a delivery that nobody reviewed in time.
func (b *Board) AutoApprove(ctx context.Context, taskID string) (task.Task, error) {
	return task.Task{}, errPending
}

// RequestRevision sends the delivery back, once.
func (b *Board) RequestRevision(ctx context.Context, by task.Actor, r Revision) (task.Task, error) {
	return task.Task{}, errPending
}

// Reject refuses the delivery; the worker can appeal.
func (b *Board) Reject(ctx context.Context, by task.Actor, r Rejection) (task.Task, error) {
	return task.Task{}, errPending
}

// EndAppeal makes a rejection final that nobody appealed.
func (b *Board) EndAppeal(ctx context.Context, taskID string) (task.Task, error) {
	return task.Task{}, errPending
}

// OpenDispute asks the operator: an appeal by a worker, or a doubt of an agent.
func (b *Board) OpenDispute(ctx context.Context, by task.Actor, d NewDispute) (Dispute, error) {
	return Dispute{}, errPending
}

// Resolve decides a dispute.
func (b *Board) Resolve(ctx context.Context, by task.Actor, r Resolution) (task.Task, error) {
	return task.Task{}, errPending
}

// Disputes are those of a task, the newest first.
func (b *Board) Disputes(ctx context.Context, taskID string) ([]Dispute, error) {
	return nil, errPending
}

// Rate rates the other side of a completed task.
func (b *Board) Rate(ctx context.Context, by task.Actor, r Rating) (Review, error) {
	return Review{}, errPending
}

// Reviews are both reviews of a task; unpublished ones are for their authors only.
func (b *Board) Reviews(ctx context.Context, taskID string) ([]Review, error) { return nil, errPending }

// AgentStats is how a requester treats people.
func (b *Board) AgentStats(ctx context.Context, agentID string) (AgentStats, error) {
	return AgentStats{}, errPending
}

// PersonStats is how a person works.
func (b *Board) PersonStats(ctx context.Context, humanID string) (PersonStats, error) {
	return PersonStats{}, errPending
}

// StartConversation opens the thread of an agent and a person with its first message.
func (b *Board) StartConversation(ctx context.Context, by task.Actor, n NewConversation) (Started, error) {
	return Started{}, errPending
}

// SendMessage adds a message; the first one of the person opens the thread.
func (b *Board) SendMessage(ctx context.Context, by task.Actor, n NewMessage) (Message, error) {
	return Message{}, errPending
}

// Conversation is a thread by id.
func (b *Board) Conversation(ctx context.Context, id string) (Conversation, error) {
	return Conversation{}, errPending
}

// ConversationOf is the thread of a task with the assigned person.
func (b *Board) ConversationOf(ctx context.Context, taskID string) (Conversation, error) {
	return Conversation{}, errPending
}

// Conversations are those of an agent or a human, the latest first.
func (b *Board) Conversations(ctx context.Context, of task.Actor, p Page) ([]Conversation, string, error) {
	return nil, "", errPending
}

// Messages are those after a sequence number, the oldest first.
func (b *Board) Messages(ctx context.Context, conversationID string, after int64, limit int) ([]Message, error) {
	return nil, errPending
}

// MarkRead notes how far a side has read.
func (b *Board) MarkRead(ctx context.Context, by task.Actor, conversationID string, seq int64) error {
	return errPending
}

// CloseConversation ends a thread; a person can block the agent with it.
func (b *Board) CloseConversation(ctx context.Context, by task.Actor, conversationID string, block bool) error {
	return errPending
}

// SearchPeople finds people for an agent. Nothing in it says who they are.
func (b *Board) SearchPeople(ctx context.Context, agentID string, f PeopleFilter) ([]Candidate, string, error) {
	return nil, "", errPending
}

// Ref hides a person's id from an agent.
func (b *Board) Ref(agentID, humanID string) string { return "" }

// Deref is the id behind a reference that an agent holds.
func (b *Board) Deref(ctx context.Context, agentID, ref string) (string, error) {
	return "", errPending
}

// Events are those of an agent after a sequence number, the oldest first.
func (b *Board) Events(ctx context.Context, agentID string, after int64, limit int) ([]Event, error) {
	return nil, errPending
}

// Event is an event by id.
func (b *Board) Event(ctx context.Context, id string) (Event, error) { return Event{}, errPending }

// Settle carries a transfer out: a payout or a refund. It may be called again.
func (b *Board) Settle(ctx context.Context, transferKey string) error { return errPending }

// Transfers are those of a status, the oldest first; unsettled ones for a sweep.
func (b *Board) Transfers(ctx context.Context, status TransferStatus, before time.Time) ([]Transfer, error) {
	return nil, errPending
}

// VoidStale gives back what was funded for acceptances that did not happen.
func (b *Board) VoidStale(ctx context.Context, before time.Time) (int, error) { return 0, errPending }

// Balance is what is on an account.
func (b *Board) Balance(ctx context.Context, a money.Account) (map[money.Currency]int64, error) {
	return nil, errPending
}

// Entries are the postings of an account, the newest first.
func (b *Board) Entries(ctx context.Context, a money.Account, p Page) ([]Entry, string, error) {
	return nil, "", errPending
}

// Audit checks the ledger against itself and against the tasks, and says what is wrong.
func (b *Board) Audit(ctx context.Context) ([]string, error) { return nil, errPending }

// Due are the tasks and offers whose time is over and whose job may be lost.
func (b *Board) Due(ctx context.Context) ([]Job, error) { return nil, errPending }

// ForgetKeys removes idempotency keys, codes and sessions whose time is over.
func (b *Board) ForgetKeys(ctx context.Context) (int64, error) { return 0, errPending }

// FileReport keeps what somebody says is wrong.
func (b *Board) FileReport(ctx context.Context, r Report) (Report, error) {
	return Report{}, errPending
}

// Reports are the open ones, or the closed ones, the oldest first.
func (b *Board) Reports(ctx context.Context, open bool, p Page) ([]Report, string, error) {
	return nil, "", errPending
}

// CloseReport notes what was done.
func (b *Board) CloseReport(ctx context.Context, by task.Actor, reportID, note string) error {
	return errPending
}
