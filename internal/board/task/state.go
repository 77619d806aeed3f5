package task

import (
	"slices"
)

// Status is the public state of a task, one of five.
type Status string

// The states.
const (
	Open          Status = "open"           // looking for a person
	Accepted      Status = "accepted"       // a person works on it
	ReviewPending Status = "review_pending" // delivered, the requester looks at it
	Completed     Status = "completed"      // approved; terminal
	Failed        Status = "failed"         // ended without approval; terminal
)

// Statuses are all of them in the order of a task's life.
func Statuses() []Status { return []Status{Open, Accepted, ReviewPending, Completed, Failed} }

// Valid reports whether s is one of the five.
func (s Status) Valid() bool { return slices.Contains(Statuses(), s) }

// Terminal reports whether a task in s never leaves it.
func (s Status) Terminal() bool { return s == Completed || s == Failed }

// SubState says more about a state; it is empty for the plain one.
type SubState string

// The sub states, each of the state in its comment.
const (
	Plain             SubState = ""
	Held              SubState = "held"               // open: an operator checks it before anybody sees it
	AwaitingConsent   SubState = "awaiting_consent"   // open: an instant offer is out
	RevisionRequested SubState = "revision_requested" // accepted: the delivery came back
	Rejected          SubState = "appeal"             // review_pending: rejected, the worker can appeal
	Disputed          SubState = "disputed"           // review_pending or accepted: an operator decides
)

// State is a state with its sub state.
type State struct {
	Status Status
	Sub    SubState
}

// States are all the states that a task can be in.
func States() []State {
	return []State{
		{Open, Plain}, {Open, Held}, {Open, AwaitingConsent},
		{Accepted, Plain}, {Accepted, RevisionRequested}, {Accepted, Disputed},
		{ReviewPending, Plain}, {ReviewPending, Rejected}, {ReviewPending, Disputed},
		{Completed, Plain}, {Failed, Plain},
	}
}

// FailureReason says why a task failed.
type FailureReason string

// The failure reasons.
const (
	NoFailure              FailureReason = ""
	NoHumanAvailable       FailureReason = "no_human_available"       // nobody applied, or consented, in time
	TimedOut               FailureReason = "timeout"                  // it was accepted, and not delivered in time
	CancelledByRequester   FailureReason = "cancelled_by_requester"   // the agent took it back
	RequesterRejected      FailureReason = "requester_rejected"       // rejected, without an appeal or after a lost one
	ContentPolicyViolation FailureReason = "content_policy_violation" // an operator took it down
)

// FailureReasons are all of them.
func FailureReasons() []FailureReason {
	return []FailureReason{NoHumanAvailable, TimedOut, CancelledByRequester, RequesterRejected, ContentPolicyViolation}
}

// ActorKind is the kind of who acts.
type ActorKind string

// The kinds of actors.
const (
	Agent    ActorKind = "agent"    // the requester, through a key or a page
	Human    ActorKind = "human"    // a worker
	Operator ActorKind = "operator" // who runs the board
	System   ActorKind = "system"   // jobs
)

// ActorKinds are all of them.
func ActorKinds() []ActorKind { return []ActorKind{Agent, Human, Operator, System} }

// Actor is who acts.
type Actor struct {
	Kind  ActorKind
	ID    string // of the agent or the human; empty for the system
	KeyID string // the key that an agent acts with, or signed in with, for its caps
}

// Jobs is the actor of timers.
var Jobs = Actor{Kind: System}

// Command is what an actor does to a task.
type Command string

// The commands.
const (
	Create            Command = "create"
	Release           Command = "release"            // a held task is fine
	TakeDown          Command = "take_down"          // a task violates the content policy
	MakeOffer         Command = "offer"              // ask one person for consent
	DeclineOffer      Command = "decline_offer"      // the person does not want to
	ExpireOffer       Command = "expire_offer"       // the person did not answer in time
	AcceptOffer       Command = "accept_offer"       // the person consents
	Apply             Command = "apply"              // a person wants to do it
	Withdraw          Command = "withdraw"           // a person no longer wants to
	RejectApplication Command = "reject_application" // the agent does not want this person
	AcceptApplication Command = "accept_application" // the agent chooses this person
	Submit            Command = "submit"             // deliver
	Decline           Command = "decline"            // the assigned person gives up
	Approve           Command = "approve"            // the delivery is fine
	RequestRevision   Command = "request_revision"   // the delivery lacks something
	Reject            Command = "reject"             // the delivery is refused
	EndAppeal         Command = "end_appeal"         // nobody appealed in time
	Dispute           Command = "dispute"            // an operator shall decide
	Resolve           Command = "resolve"            // the operator decides for a completed task
	ResolveAgainst    Command = "resolve_against"    // the operator decides for a failed task
	Cancel            Command = "cancel"             // the agent takes the task back
	Expire            Command = "expire"             // the deadline is over
	Extend            Command = "extend_deadline"    // the agent gives more time
	Rate              Command = "rate"               // one side rates the other
)

// Event is what webhooks and the event list tell of.
type Event string

// The events.
const (
	TaskCreated         Event = "task.created"
	ApplicationReceived Event = "application.received"
	OfferExpired        Event = "offer.expired"
	TaskAccepted        Event = "task.accepted"
	MessageReceived     Event = "message.received"
	SubmissionReceived  Event = "submission.received"
	RevisionRequest     Event = "revision.requested"
	TaskCompleted       Event = "task.completed"
	TaskFailed          Event = "task.failed"
	DisputeOpened       Event = "dispute.opened"
	DisputeResolved     Event = "dispute.resolved"
	PayoutSettled       Event = "payout.settled"
)

// Events are the events that agents can subscribe to.
func Events() []Event {
	return []Event{
		TaskCreated, ApplicationReceived, OfferExpired, TaskAccepted, MessageReceived, SubmissionReceived,
		RevisionRequest, TaskCompleted, TaskFailed, DisputeOpened, DisputeResolved, PayoutSettled,
	}
}

// Events that are kept in a task's history and sent to nobody's webhook.
const (
	TaskReleased         Event = "task.released"
	OfferMade            Event = "offer.made"
	OfferDeclined        Event = "offer.declined"
	ApplicationWithdrawn Event = "application.withdrawn"
	ApplicationDeclined  Event = "application.declined"
	TaskReopened         Event = "task.reopened"
	TaskRejected         Event = "task.rejected"
	DeadlineExtended     Event = "deadline.extended"
	ReviewWritten        Event = "review.written"
)
