package task

import "slices"

// Guard names the condition that a rule has beside state and actor. Whoever
// carries a command out checks it, in the same transaction.
type Guard string

// The guards.
const (
	NoGuard         Guard = ""
	GuardFunds      Guard = "within the spend cap, not blocked by the content policy"
	GuardCandidate  Guard = "somebody opted in whose floor, area and hours fit and who is not busy"
	GuardOwnOffer   Guard = "the offer is pending and theirs"
	GuardFunded     Guard = "the application is pending and the budget is funded"
	GuardNew        Guard = "no application of theirs yet"
	GuardOwn        Guard = "the application is pending and theirs"
	GuardDelivery   Guard = "the assigned person, a delivery that fits, before the deadline and its grace"
	GuardAssigned   Guard = "the assigned person"
	GuardSubmission Guard = "there is a submission"
	GuardTimer      Guard = "its time is over"
	GuardOneRound   Guard = "no revision was requested before"
	GuardReasoned   Guard = "a reason code, a text, and the reject quota"
	GuardWindow     Guard = "within its window"
	GuardShares     Guard = "the shares sum to the escrow"
	GuardLater      Guard = "the new deadline is later than the old one"
)

// Job is a kind of work that a transition leaves to later.
type Job string

// The jobs of transitions.
const (
	JobEvent    Job = "event"        // webhooks and notifications of one event
	JobDeadline Job = "deadline"     // Expire at DeadlineAt
	JobOffer    Job = "offer_expiry" // ExpireOffer at its end
	JobReview   Job = "auto_approve" // Approve at ReviewDeadlineAt
	JobAppeal   Job = "appeal_end"   // EndAppeal at AppealDeadlineAt
	JobPayout   Job = "payout"       // pay the worker what the ledger owes
	JobRefund   Job = "refund"       // give back what the requester does not owe
	JobMail     Job = "mail"         // a mail that belongs to no event
	JobWebhook  Job = "webhook"      // one delivery
)

// Rule is one arrow of the state table.
type Rule struct {
	From    Status // empty for Create
	Subs    []SubState
	Command Command
	Actor   ActorKind
	Guard   Guard
	To      Status
	ToSub   SubState
	Stay    bool          // the state and sub state remain what they were; To and ToSub are not set
	Failure FailureReason // of To Failed
	Event   Event
	Jobs    []Job
}

var (
	anyOpen     = []SubState{Plain, AwaitingConsent}
	anyReview   = []SubState{Plain, Rejected, Disputed}
	anyAccepted = []SubState{Plain, RevisionRequested, Disputed}
	working     = []SubState{Plain, RevisionRequested}
	plain       = []SubState{Plain}
)

// Rules is the state table. Nothing leaves Completed and Failed.
var Rules = []Rule{
	{Command: Create, Actor: Agent, Guard: GuardFunds, To: Open, Event: TaskCreated, Jobs: []Job{JobEvent, JobDeadline}},

	{From: Open, Subs: []SubState{Held}, Command: Release, Actor: Operator, To: Open, Event: TaskReleased, Jobs: []Job{JobEvent}},
	{From: Open, Subs: []SubState{Plain, Held, AwaitingConsent}, Command: TakeDown, Actor: Operator, To: Failed, Failure: ContentPolicyViolation, Event: TaskFailed, Jobs: []Job{JobEvent}},
	{From: Accepted, Subs: anyAccepted, Command: TakeDown, Actor: Operator, Guard: GuardShares, To: Failed, Failure: ContentPolicyViolation, Event: TaskFailed, Jobs: []Job{JobEvent, JobRefund, JobPayout}},

	{From: Open, Subs: anyOpen, Command: MakeOffer, Actor: System, Guard: GuardCandidate, To: Open, ToSub: AwaitingConsent, Event: OfferMade, Jobs: []Job{JobEvent, JobOffer}},
	{From: Open, Subs: []SubState{AwaitingConsent}, Command: DeclineOffer, Actor: Human, Guard: GuardOwnOffer, To: Open, Event: OfferDeclined, Jobs: []Job{JobEvent}},
	{From: Open, Subs: []SubState{AwaitingConsent}, Command: ExpireOffer, Actor: System, Guard: GuardTimer, To: Open, Event: OfferExpired, Jobs: []Job{JobEvent}},
	{From: Open, Subs: []SubState{AwaitingConsent}, Command: AcceptOffer, Actor: Human, Guard: GuardOwnOffer, To: Accepted, Event: TaskAccepted, Jobs: []Job{JobEvent, JobDeadline}},

	{From: Open, Subs: anyOpen, Command: Apply, Actor: Human, Guard: GuardNew, Stay: true, Event: ApplicationReceived, Jobs: []Job{JobEvent}},
	{From: Open, Subs: anyOpen, Command: Withdraw, Actor: Human, Guard: GuardOwn, Stay: true, Event: ApplicationWithdrawn},
	{From: Open, Subs: anyOpen, Command: RejectApplication, Actor: Agent, Stay: true, Event: ApplicationDeclined, Jobs: []Job{JobEvent}},
	{From: Open, Subs: anyOpen, Command: AcceptApplication, Actor: Agent, Guard: GuardFunded, To: Accepted, Event: TaskAccepted, Jobs: []Job{JobEvent, JobDeadline}},

	{From: Open, Subs: []SubState{Plain, Held, AwaitingConsent}, Command: Cancel, Actor: Agent, To: Failed, Failure: CancelledByRequester, Event: TaskFailed, Jobs: []Job{JobEvent}},
	// Whoever has a delivery and asked for changes cannot take the task back: it would be had for the compensation.
	{From: Accepted, Subs: plain, Command: Cancel, Actor: Agent, To: Failed, Failure: CancelledByRequester, Event: TaskFailed, Jobs: []Job{JobEvent, JobRefund, JobPayout}},
	{From: Open, Subs: []SubState{Plain, Held, AwaitingConsent}, Command: Expire, Actor: System, Guard: GuardTimer, To: Failed, Failure: NoHumanAvailable, Event: TaskFailed, Jobs: []Job{JobEvent}},
	{From: Accepted, Subs: working, Command: Expire, Actor: System, Guard: GuardTimer, To: Failed, Failure: TimedOut, Event: TaskFailed, Jobs: []Job{JobEvent, JobRefund}},
	{From: Open, Subs: []SubState{Plain, Held, AwaitingConsent}, Command: Extend, Actor: Agent, Guard: GuardLater, Stay: true, Event: DeadlineExtended, Jobs: []Job{JobEvent, JobDeadline}},
	{From: Accepted, Subs: working, Command: Extend, Actor: Agent, Guard: GuardLater, Stay: true, Event: DeadlineExtended, Jobs: []Job{JobEvent, JobDeadline}},

	{From: Accepted, Subs: working, Command: Submit, Actor: Human, Guard: GuardDelivery, To: ReviewPending, Event: SubmissionReceived, Jobs: []Job{JobEvent, JobReview}},
	{From: Accepted, Subs: working, Command: Decline, Actor: Human, Guard: GuardAssigned, To: Open, Event: TaskReopened, Jobs: []Job{JobEvent, JobRefund}},
	{From: Accepted, Subs: []SubState{RevisionRequested}, Command: Dispute, Actor: Human, Guard: GuardAssigned, To: Accepted, ToSub: Disputed, Event: DisputeOpened, Jobs: []Job{JobEvent}},

	{From: ReviewPending, Subs: []SubState{Plain, Rejected}, Command: Approve, Actor: Agent, Guard: GuardSubmission, To: Completed, Event: TaskCompleted, Jobs: []Job{JobEvent, JobPayout}},
	{From: ReviewPending, Subs: plain, Command: Approve, Actor: System, Guard: GuardTimer, To: Completed, Event: TaskCompleted, Jobs: []Job{JobEvent, JobPayout}},
	{From: ReviewPending, Subs: plain, Command: RequestRevision, Actor: Agent, Guard: GuardOneRound, To: Accepted, ToSub: RevisionRequested, Event: RevisionRequest, Jobs: []Job{JobEvent, JobDeadline}},
	{From: ReviewPending, Subs: plain, Command: Reject, Actor: Agent, Guard: GuardReasoned, To: ReviewPending, ToSub: Rejected, Event: TaskRejected, Jobs: []Job{JobEvent, JobAppeal}},
	{From: ReviewPending, Subs: []SubState{Rejected}, Command: EndAppeal, Actor: System, Guard: GuardTimer, To: Failed, Failure: RequesterRejected, Event: TaskFailed, Jobs: []Job{JobEvent, JobRefund}},
	{From: ReviewPending, Subs: []SubState{Rejected}, Command: Dispute, Actor: Human, Guard: GuardWindow, To: ReviewPending, ToSub: Disputed, Event: DisputeOpened, Jobs: []Job{JobEvent}},
	{From: ReviewPending, Subs: plain, Command: Dispute, Actor: Agent, Guard: GuardWindow, To: ReviewPending, ToSub: Disputed, Event: DisputeOpened, Jobs: []Job{JobEvent}},

	{From: ReviewPending, Subs: []SubState{Disputed}, Command: Resolve, Actor: Operator, Guard: GuardShares, To: Completed, Event: DisputeResolved, Jobs: []Job{JobEvent, JobPayout, JobRefund}},
	{From: Accepted, Subs: []SubState{Disputed}, Command: Resolve, Actor: Operator, Guard: GuardShares, To: Completed, Event: DisputeResolved, Jobs: []Job{JobEvent, JobPayout, JobRefund}},
	{From: ReviewPending, Subs: []SubState{Disputed}, Command: ResolveAgainst, Actor: Operator, Guard: GuardShares, To: Failed, Failure: RequesterRejected, Event: DisputeResolved, Jobs: []Job{JobEvent, JobPayout, JobRefund}},
	{From: Accepted, Subs: []SubState{Disputed}, Command: ResolveAgainst, Actor: Operator, Guard: GuardShares, To: Failed, Failure: RequesterRejected, Event: DisputeResolved, Jobs: []Job{JobEvent, JobPayout, JobRefund}},

	{From: ReviewPending, Subs: anyReview, Command: TakeDown, Actor: Operator, Guard: GuardShares, To: Failed, Failure: ContentPolicyViolation, Event: TaskFailed, Jobs: []Job{JobEvent, JobRefund, JobPayout}},

	{From: Completed, Subs: plain, Command: Rate, Actor: Agent, Guard: GuardWindow, Stay: true, Event: ReviewWritten},
	{From: Completed, Subs: plain, Command: Rate, Actor: Human, Guard: GuardWindow, Stay: true, Event: ReviewWritten},
}

// Find is the rule for a command of an actor in a state, or the refusal that says
// why there is none. A terminal task that failed by timeout refuses with timeout.
func Find(from State, c Command, by ActorKind) (Rule, error) {
	allowed := false
	for _, r := range Rules {
		if r.Command != c || r.Actor != by {
			continue
		}
		allowed = true
		if r.From == from.Status && (r.From == "" || slices.Contains(r.Subs, from.Sub)) {
			return r, nil
		}
	}
	if !allowed {
		return Rule{}, Refuse(Forbidden)
	}
	return Rule{}, Refuse(wrongState(from, c))
}

// After is the state that the rule leads to from a state.
func (r Rule) After(from State) State {
	if r.Stay {
		return from
	}
	return State{r.To, r.ToSub}
}

// wrongState is the reason that tells most about a state which has no rule.
func wrongState(from State, c Command) Reason {
	switch c {
	case Approve, RequestRevision, Reject, EndAppeal, Resolve, ResolveAgainst:
		return NotReviewPending
	case Dispute:
		return NotDisputable
	case Submit, Decline:
		return NotAssigned
	case Rate:
		return NotReviewable
	case DeclineOffer, ExpireOffer:
		return OfferNotPending
	case Withdraw, RejectApplication:
		return ApplicationNotPending
	case Apply, AcceptApplication, AcceptOffer, MakeOffer:
		if from.Status == Accepted || from.Status == ReviewPending {
			return AlreadyAssigned
		}
		if c == AcceptOffer && from.Status == Open {
			return OfferNotPending
		}
		return NotOpen
	case Cancel, Extend, TakeDown, Expire, Release:
		if from.Status.Terminal() {
			return AlreadyEnded
		}
		return InvalidTaskStatus
	default:
		return NotOpen
	}
}
