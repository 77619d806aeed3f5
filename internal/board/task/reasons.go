package task

import (
	"maps"
	"slices"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Reason is the machine word of a refusal, as the public API writes it.
type Reason string

// The reasons.
const (
	InvalidRequest         Reason = "invalid_request"
	MissingOriginCountry   Reason = "missing_origin_country"
	BelowMinBudget         Reason = "below_min_budget"
	NoSupply               Reason = "no_human_available"
	Timeout                Reason = "timeout"
	NotFound               Reason = "not_found"
	AlreadyAssigned        Reason = "already_assigned"
	NotAssigned            Reason = "not_assigned"
	Unknown                Reason = "unknown"
	NotOpen                Reason = "not_open"
	AlreadyApplied         Reason = "already_applied"
	NotApplied             Reason = "not_applied"
	ApplicationNotPending  Reason = "application_not_pending"
	ApplicationsClosed     Reason = "applications_closed"
	NotReviewPending       Reason = "not_review_pending"
	MissingSubmission      Reason = "missing_submission"
	WrongDeliverable       Reason = "wrong_deliverable"
	MissingText            Reason = "missing_text"
	MissingFile            Reason = "missing_file"
	InvalidFileType        Reason = "invalid_file_type"
	FileTooLarge           Reason = "file_too_large"
	InvalidTaskStatus      Reason = "invalid_task_status"
	AlreadyEnded           Reason = "already_ended"
	NotDisputable          Reason = "not_disputable"
	RevisionLimit          Reason = "revision_limit"
	RejectQuota            Reason = "reject_quota_exceeded"
	AppealClosed           Reason = "appeal_window_closed"
	NotReviewable          Reason = "not_reviewable"
	ReviewWindowClosed     Reason = "review_window_closed"
	ReviewPublished        Reason = "review_already_published"
	ContactNotOpen         Reason = "contact_not_open"
	ContactLimit           Reason = "contact_limit"
	OfferNotPending        Reason = "offer_not_pending"
	WorkerBusy             Reason = "worker_busy"
	SpendCap               Reason = "spend_cap_exceeded"
	PaymentFailed          Reason = "payment_authorization_failed"
	ContentPolicy          Reason = "content_policy_violation"
	VersionConflict        Reason = "version_conflict"
	IdempotencyKeyConflict Reason = "idempotency_key_conflict"
	IdempotencyKeyTooLong  Reason = "idempotency_key_too_long"
	RequestInProgress      Reason = "request_in_progress"
	ClientRefConflict      Reason = "client_ref_conflict"
	Forbidden              Reason = "forbidden"
	ForbiddenScope         Reason = "forbidden_scope"
	APIAccessDisabled      Reason = "api_access_disabled"
	InvalidCredentials     Reason = "invalid_credentials"
	Unauthorized           Reason = "unauthorized"
	MissingCredentials     Reason = "missing_credentials"
	VerificationRequired   Reason = "verification_required"
	InvalidCode            Reason = "invalid_code"
	KeyLimit               Reason = "key_limit"
	RateLimited            Reason = "rate_limited"
)

// face is how a refusal looks.
type face struct {
	kind            fault.Kind
	status          int // HTTP, where the kind's own status would say too little
	message, action string
}

var faces = map[Reason]face{
	InvalidRequest:         {fault.Invalid, 400, "The request is not valid.", "Correct the fields that are named and send it again."},
	MissingOriginCountry:   {fault.Invalid, 400, "The country of the requester is missing.", "Send origin_country as a two-letter code such as US or JP."},
	BelowMinBudget:         {fault.Invalid, 400, "The budget is below the least that a task may pay.", "Raise the budget."},
	NoSupply:               {fault.Unavailable, 409, "Nobody is available for this task now.", "Raise the budget, widen the area or extend the deadline, or leave the task open for applications."},
	Timeout:                {fault.Conflict, 409, "The deadline of the task is over.", "Create a new task if the work is still wanted."},
	NotFound:               {fault.NotFound, 404, "There is no such thing, or it is not yours.", "Check the id."},
	AlreadyAssigned:        {fault.Conflict, 409, "The task is already assigned to a person.", "Read the task to see its state."},
	NotAssigned:            {fault.Denied, 403, "The task is not assigned to you, or no longer.", "Read the task to see its state."},
	Unknown:                {fault.Internal, 500, "Something went wrong that has no name.", "Try again."},
	NotOpen:                {fault.Conflict, 409, "The task is not open.", "Read the task to see its state."},
	AlreadyApplied:         {fault.Conflict, 409, "You applied for this task already.", "Wait for the answer, or withdraw the application."},
	NotApplied:             {fault.Conflict, 409, "This person has no application for the task.", "List the applications of the task."},
	ApplicationNotPending:  {fault.Conflict, 409, "The application was already answered or withdrawn.", "List the applications of the task."},
	ApplicationsClosed:     {fault.Conflict, 409, "The task has as many applications as it takes.", "Look for another task."},
	NotReviewPending:       {fault.Conflict, 409, "The task does not wait for a review.", "Read the task to see its state."},
	MissingSubmission:      {fault.Conflict, 409, "The task has no submission.", "Wait until the person delivers."},
	WrongDeliverable:       {fault.Invalid, 400, "The delivery is not of the kind that the task asks for.", "Deliver what the task names: photo, video or text."},
	MissingText:            {fault.Invalid, 400, "The text of the delivery is missing.", "Write the text that the task asks for."},
	MissingFile:            {fault.Invalid, 400, "The file of the delivery is missing.", "Upload the file first and name it in the delivery."},
	InvalidFileType:        {fault.Invalid, 400, "The file is not of a kind that is taken.", "Send a JPEG, PNG or WebP photo, or an MP4, MOV or WebM video."},
	FileTooLarge:           {fault.Invalid, 413, "The file is too large.", "Send a smaller file."},
	InvalidTaskStatus:      {fault.Conflict, 409, "The state of the task does not allow this.", "Read the task to see its state."},
	AlreadyEnded:           {fault.Conflict, 409, "The task has ended.", "Read the task to see how."},
	NotDisputable:          {fault.Conflict, 409, "There is nothing to dispute in this state of the task.", "Read the task to see its state."},
	RevisionLimit:          {fault.Conflict, 409, "A revision was requested before; one round is the most.", "Approve, reject, or open a dispute."},
	RejectQuota:            {fault.Limited, 429, "Too many deliveries were rejected lately.", "Request a revision, or open a dispute so that an operator decides."},
	AppealClosed:           {fault.Conflict, 409, "The time to appeal is over.", "Write to the operator of the board."},
	NotReviewable:          {fault.Conflict, 409, "Only completed tasks are rated.", "Wait until the task is completed."},
	ReviewWindowClosed:     {fault.Conflict, 409, "The time to rate is over.", "Nothing is left to do."},
	ReviewPublished:        {fault.Conflict, 409, "The ratings are published and no longer change.", "Nothing is left to do."},
	ContactNotOpen:         {fault.Conflict, 409, "The conversation is not open.", "Start one, or wait until the person answers."},
	ContactLimit:           {fault.Limited, 429, "Too many messages have no answer yet.", "Wait until the person answers."},
	OfferNotPending:        {fault.Conflict, 409, "The offer was answered already, or its time is over.", "Look for open tasks."},
	WorkerBusy:             {fault.Conflict, 409, "The person has as many tasks at once as they take.", "Choose another person, or wait."},
	SpendCap:               {fault.Limited, 429, "The spend cap of the day does not allow this budget.", "Wait until tomorrow (UTC), or have the cap of the key raised."},
	PaymentFailed:          {fault.Conflict, 409, "The budget could not be funded.", "Check the payment method and try again; the task stays as it was."},
	ContentPolicy:          {fault.Denied, 422, "The task is not allowed by the content policy.", "Take out what the class names; see the content policy."},
	VersionConflict:        {fault.Conflict, 409, "The task changed since it was read.", "Read it again and decide anew."},
	IdempotencyKeyConflict: {fault.Conflict, 409, "The idempotency key was used for another request.", "Use a new key for a new request."},
	IdempotencyKeyTooLong:  {fault.Invalid, 400, "The idempotency key is not 1 to 200 visible ASCII characters.", "Send a shorter key, such as a UUID."},
	RequestInProgress:      {fault.Conflict, 409, "A request with this key is still under way.", "Try again in a moment with the same key."},
	ClientRefConflict:      {fault.Conflict, 409, "Another task has this client_ref.", "Use another one, or read that task."},
	Forbidden:              {fault.Denied, 403, "You may not do this.", "Use an account that may."},
	ForbiddenScope:         {fault.Denied, 403, "The key does not have the scope for this.", "Use a key that has it."},
	APIAccessDisabled:      {fault.Denied, 403, "The account is disabled.", "Write to the operator of the board."},
	InvalidCredentials:     {fault.Denied, 401, "The credentials are not valid.", "Check account id and key; a key that is lost is replaced by the verification code."},
	Unauthorized:           {fault.Denied, 401, "Signing in is needed for this.", "Sign in and try again."},
	MissingCredentials:     {fault.Denied, 401, "Credentials are missing.", "Send the key as Authorization: Bearer, with the account id."},
	VerificationRequired:   {fault.Conflict, 409, "The account exists; a code was sent to its e-mail address.", "Confirm with the code to get a key."},
	InvalidCode:            {fault.Denied, 403, "The code is wrong, was used, or its time is over.", "Ask for a new code."},
	KeyLimit:               {fault.Conflict, 409, "The account has as many keys as it may have.", "Revoke a key that is not used."},
	RateLimited:            {fault.Limited, 429, "Too many requests.", "Wait for the time that Retry-After names."},
}

// Refuse is the fault for a reason; its Type is the reason.
func Refuse(r Reason) *fault.Error {
	f, known := faces[r]
	if !known {
		f = faces[Unknown]
	}
	return fault.New(f.kind, string(r), f.message, f.action)
}

// Because is Refuse with a message that says more.
func Because(r Reason, message string) *fault.Error {
	f := Refuse(r)
	f.Message = message
	return f
}

// Reasons are all the reasons, sorted.
func Reasons() []Reason { return slices.Sorted(maps.Keys(faces)) }

// Status is the HTTP status of a refusal with this reason; 500 for one that is not known.
func (r Reason) Status() int {
	if f, known := faces[r]; known {
		return f.status
	}
	return faces[Unknown].status
}

// Message says in English what the reason means.
func (r Reason) Message() string { return faces[r].message }

// ReasonOf is the reason of an error: the type of a refusal, and unknown for
// every other error. An error of nil has none.
func ReasonOf(err error) Reason {
	if err == nil {
		return ""
	}
	r := Reason(fault.From(err).Type)
	if _, known := faces[r]; known {
		return r
	}
	return Unknown
}
