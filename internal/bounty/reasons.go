package bounty

import "github.com/legwork-mcp/legwork/internal/fault"

// The codes of errors (section 5 of the specification, and four of the same kind).
const (
	codeInvalid         = "INVALID_ARGUMENT"
	codePrecondition    = "FAILED_PRECONDITION"
	codeExhausted       = "RESOURCE_EXHAUSTED"
	codeDeadline        = "DEADLINE_EXCEEDED"
	codeNotFound        = "NOT_FOUND"
	codeConflict        = "CONFLICT"
	codePermission      = "PERMISSION_DENIED"
	codeInternal        = "INTERNAL"
	codeUnauthenticated = "UNAUTHENTICATED"
	codeUnavailable     = "UNAVAILABLE"
)

// kinds are the kinds of the codes.
var kinds = map[string]fault.Kind{
	codeInvalid: fault.Invalid, codePrecondition: fault.Conflict, codeExhausted: fault.Limited, codeDeadline: fault.Timeout,
	codeNotFound: fault.NotFound, codeConflict: fault.Conflict, codePermission: fault.Denied, codeUnauthenticated: fault.Denied,
	codeUnavailable: fault.Unavailable, codeInternal: fault.Failed,
}

// meaning is what a reason of a board comes to.
type meaning struct {
	code  string
	retry bool // the same call can work later without a change
	says  string
	next  string
}

// Known reports whether a reason has a meaning of its own, so that a test can hold a
// board's list against it.
func Known(reason string) bool {
	_, ok := reasons[reason]
	return ok
}

const (
	nextArguments = "Correct the arguments and call again."
	nextStatus    = "Look at the task with get_bounty: its status says what can be done now."
	nextWait      = "Wait, then call again with the same idempotency_key."
	nextConnect   = "Call connect_agent_account, or give ai_account_id and ai_api_key."
	nextPeople    = "Post it with create_bounty and let people apply, or ask for less at once."
	nextAgain     = "Call again in a moment, with the same idempotency_key if there is one."
)

// reasons are the words of boards: the nine of the specification first, then those of
// the product that it describes, then those of this program's own board.
var reasons = map[string]meaning{
	"invalid_request":        {codeInvalid, false, "The board cannot use the request.", nextArguments},
	"below_min_budget":       {codePrecondition, false, "The budget is below the least that the board takes.", "Raise the budget: at least 5 US dollars or 750 yen, unless the board asks for more."},
	"missing_origin_country": {codeInvalid, false, "The country of the requester is missing.", "Give origin_country, two letters such as JP or US."},
	"no_human_available":     {codeExhausted, true, "Nobody is available for this task now.", nextPeople},
	"timeout":                {codeDeadline, false, "The deadline of the task has passed.", "Nothing more can be done on this task. Post a new one with more time."},
	"not_found":              {codeNotFound, false, "There is no such thing, or it is not yours.", "Check the id with list_bounties, and that the account is the one that posted the task."},
	"already_assigned":       {codeConflict, false, "The task has somebody already.", nextStatus},
	"not_assigned":           {codePermission, false, "Only the person who has the task may do this.", nextStatus},
	"unknown":                {codeInternal, false, "The board failed for a reason that it does not name.", "Look with get_bounty or list_bounties whether it happened before you call again."},

	"wrong_deliverable":        {codeInvalid, false, "What was submitted is of another kind than the task asks for.", nextArguments},
	"missing_text":             {codeInvalid, false, "The text is missing.", nextArguments},
	"missing_file":             {codeInvalid, false, "The file is missing.", nextArguments},
	"missing_human":            {codeInvalid, false, "It does not say which person.", nextArguments},
	"invalid_file_type":        {codeInvalid, false, "The file is of a kind that the board does not take.", nextArguments},
	"file_too_large":           {codeInvalid, false, "The file is too large.", nextArguments},
	"body_too_large":           {codeInvalid, false, "The request is too large.", "Shorten the texts and call again."},
	"unsupported_media_type":   {codeInvalid, false, "The board does not take this kind of request.", "Check that BASE_URL is a bounty board."},
	"idempotency_key_missing":  {codeInvalid, false, "The board wants an idempotency key.", "Give idempotency_key."},
	"idempotency_key_too_long": {codeInvalid, false, "The idempotency key is too long.", "Give a shorter idempotency_key: at most 200 characters."},
	"invalid_email_domain":     {codeInvalid, false, "The board does not take mail addresses of this domain.", "Use an address that can receive mail."},
	"invalid_code":             {codeInvalid, false, "The code is not the one that was sent.", "Use the code of the newest mail."},
	"invalid_token":            {codeInvalid, false, "The proof is not the one that was sent.", "Ask for a new one with connect_agent_account."},
	"expired_token":            {codePrecondition, false, "The proof has expired.", "Ask for a new one with connect_agent_account."},
	"token_already_used":       {codePrecondition, false, "The proof was used already.", "Ask for a new one with connect_agent_account."},
	"not_open":                 {codePrecondition, false, "The task is not open.", nextStatus},
	"not_review_pending":       {codePrecondition, false, "Nothing waits for your review.", nextStatus},
	"missing_submission":       {codePrecondition, false, "Nothing was submitted yet.", "Wait for it with wait_for_bounty."},
	"contact_not_open":         {codePrecondition, false, "The conversation takes no messages.", nextStatus},
	"contact_not_ready":        {codePrecondition, false, "There is nobody to talk to yet.", nextStatus},
	"email_not_verified":       {codePrecondition, false, "The board wants the mail address of the account to be confirmed first.", "Ask the person who owns the account to open the link in the board's mail."},
	"billing_not_ready":        {codePrecondition, false, "The account cannot pay yet.", "Ask the person who owns the account to set up the payment on the board."},
	"review_window_closed":     {codePrecondition, false, "The time for rating is over.", "Nothing needs to be done."},
	"not_reviewable":           {codePrecondition, false, "Only completed tasks are rated.", nextStatus},
	"not_applied":              {codePrecondition, false, "There is no such application that waits.", "Read list_applications again."},
	"content_policy_violation": {codePrecondition, false, "The board does not publish this task: it asks for something that is not allowed there.", "Do not reword it to get past the check. Ask for something lawful that harms nobody, or give up."},
	"payment_failed":           {codePrecondition, true, "The payment was refused.", "Ask the person who owns the account to look at its payment."},
	"invalid_task_status":      {codePrecondition, false, "The status of the task does not allow this.", nextStatus},
	"already_completed":        {codePrecondition, false, "The task is over.", nextStatus},
	"human_not_available":      {codePrecondition, false, "This person is not available any more.", "Choose another application."},
	"counterparty_missing":     {codePrecondition, false, "There is nobody to rate.", nextStatus},
	"ai_not_found":             {codeNotFound, false, "The board does not know the account.", nextConnect},
	"account_not_found":        {codeNotFound, false, "The board does not know the account.", nextConnect},
	"rate_limited":             {codeExhausted, true, "The board takes no more calls for a while.", nextWait},
	"minute_limit_exceeded":    {codeExhausted, true, "The calls of this minute are used up.", nextWait},
	"monthly_limit_exceeded":   {codeExhausted, false, "The calls of this month are used up.", "Wait for the next month, or ask whoever runs the board for more."},
	"spend_cap_exceeded":       {codeExhausted, false, "The account may not spend more today.", "Ask the person who owns the account, or wait until tomorrow."},
	"already_applied":          {codeConflict, false, "This person applied already.", nextStatus},
	"already_reviewed":         {codeConflict, false, "The rating was given already.", "Nothing needs to be done."},
	"review_already_published": {codeConflict, false, "The rating is published and cannot be changed.", "Nothing needs to be done."},
	"idempotency_key_conflict": {codeConflict, false, "The idempotency key was used for another request.", "Use a new idempotency_key for a new task; the old one only for the same call."},
	"request_in_progress":      {codeConflict, true, "The first call with this idempotency key is still running.", nextWait},
	"idempotency_error":        {codeInternal, true, "The board could not look the idempotency key up.", nextWait},
	"version_conflict":         {codeConflict, false, "The task has changed since you looked.", "Read it again with get_bounty and decide anew."},
	"order_conflict":           {codeConflict, false, "The payment of this task belongs to somebody else.", "Cancel the task and post it again."},
	"forbidden":                {codePermission, false, "The account may not do this.", nextStatus},
	"forbidden_scope":          {codePermission, false, "The key may not do this.", "Use a key with more rights: whoever made it can tell."},
	"api_access_disabled":      {codePermission, false, "The account may not use the API.", "Ask whoever runs the board."},
	"account_disabled":         {codePermission, false, "The account is closed.", "Ask whoever runs the board."},
	"cross_origin":             {codePermission, false, "The board took the call for one of a web page.", "Check that BASE_URL is the board's own address."},
	"invalid_credentials":      {codeUnauthenticated, false, "The board does not know the account or its key.", nextConnect},
	"unauthorized":             {codeUnauthenticated, false, "The account is not the one that may do this.", "Use the account that posted the task."},
	"missing_credentials":      {codeUnauthenticated, false, "An account is needed.", nextConnect},
	"already_connected":        {codePrecondition, false, "An account with this mail address exists, and its key is shown only once.", "Give ai_account_id and ai_api_key of that account, or use another address."},
	"method_not_allowed":       {codePrecondition, false, "The board does not offer this.", "Check that BASE_URL is a bounty board of this version."},
	"database_unavailable":     {codeUnavailable, true, "The board cannot work at the moment.", nextAgain},
	"too_many_uploads":         {codeExhausted, true, "Too many uploads are under way.", nextAgain},
	"too_many_webhooks":        {codeExhausted, false, "The account has as many webhooks as it can have.", "Delete one first."},
	"storage_full":             {codeUnavailable, true, "The board has no room for files at the moment.", nextAgain},
	"upload_conflict":          {codeConflict, true, "The upload is at another place than the caller thinks.", "Ask where it is, and go on from there."},
	"limits_unavailable":       {codeUnavailable, true, "The board cannot take calls at the moment.", nextAgain},
	"unavailable":              {codeUnavailable, true, "The board cannot work at the moment.", nextAgain},
	"stripe_error":             {codeUnavailable, true, "The payment service of the board does not answer.", nextAgain},
	"appeal_window_closed":     {codePrecondition, false, "The time for an appeal is over.", nextStatus},
	"not_disputable":           {codePrecondition, false, "There is nothing to dispute on this task.", nextStatus},
	"reject_quota_exceeded":    {codeExhausted, false, "The account rejects too much.", "Approve, ask for a revision, or open a dispute."},

	"application_not_pending": {codePrecondition, false, "The application does not wait for an answer any more.", "Read list_applications again."},
	"applications_closed":     {codePrecondition, false, "The task takes no more applications.", nextStatus},
	"already_ended":           {codePrecondition, false, "The task is over.", nextStatus},
	"revision_limit":          {codePrecondition, false, "A revision was asked for already.", "Approve it, or reject it with a reason."},
	"contact_limit":           {codePrecondition, false, "The person has to answer first.", "Wait for an answer with get_conversation."},
	"offer_not_pending":       {codePrecondition, false, "The offer does not wait for an answer any more.", nextStatus},
	"worker_busy":             {codePrecondition, true, "The person has as much work as he takes.", "Choose another application, or try again later."},
	"client_ref_conflict":     {codeConflict, false, "Another task of yours has this client_ref.", "Find it with list_bounties and client_ref; it may be the one that you want to post."},
	"verification_required":   {codePrecondition, false, "The mail address has to be proved first.", "Call connect_agent_account: the board mails a code."},
	"key_limit":               {codeExhausted, false, "The account has as many keys as it can have.", "Have the person who owns the account revoke one."},

	// a board that wants a review to be recorded before an approval
	"review_guard_missing":            {codePrecondition, false, "The board wants to know what was checked before it approves.", "Call again with checks: acceptance_checked, attachment_checked and final_confirmed."},
	"attachment_not_checked":          {codePrecondition, false, "The board wants the attachment to be checked.", "Look at it, then call again with checks.attachment_checked."},
	"acceptance_not_checked":          {codePrecondition, false, "The board wants the acceptance criteria to be checked.", "Compare them, then call again with checks.acceptance_checked."},
	"final_confirmation_missing":      {codePrecondition, false, "The board wants the approval to be confirmed.", "Call again with checks.final_confirmed."},
	"missing_required_attachment":     {codePrecondition, false, "The submission lacks the attachment that the task asks for.", "Ask for it with request_revision."},
	"missing_submission_evidence":     {codePrecondition, false, "The submission has no evidence.", "Ask for it with request_revision."},
	"missing_human_submission_signal": {codePrecondition, false, "Nothing was delivered yet.", "Wait for it with wait_for_bounty."},
	"unsupported_payee_country":       {codePrecondition, false, "The board cannot pay a person in that country.", "Ask whoever runs the board."},
	"create_order_failed":             {codePrecondition, true, "The payment could not be prepared.", nextAgain},
	"payment_authorization_failed":    {codePrecondition, true, "The payment was refused.", "Ask the person who owns the account to look at its payment."},
	"payment_capture_failed":          {codePrecondition, true, "The payment was refused.", "Ask the person who owns the account to look at its payment."},
}
