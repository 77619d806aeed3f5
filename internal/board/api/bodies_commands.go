package api

import "time"

// TaskPath names the task of a route, and the language of texts in the answer.
type TaskPath struct {
	ID   string `path:"id" doc:"the task"`
	Lang string `query:"lang" enum:"en,ja" doc:"language of display texts"`
}

// Bare is a body that needs nothing but credentials.
type Bare struct {
	Credentials
}

// Versioned is what a command may have beside credentials: the version of the task
// that the caller decided on.
type Versioned struct {
	Credentials
	ExpectedVersion int64 `json:"expected_version,omitempty" doc:"refuse with version_conflict when the task changed since"`
}

// Approval approves a delivery.
type Approval struct {
	Versioned
	Checks Checks `json:"checks,omitempty" doc:"what was looked at, kept as evidence"`
}

// Checks are what the requester says to have looked at.
type Checks struct {
	Acceptance bool   `json:"acceptance_checked,omitempty"`
	Attachment bool   `json:"attachment_checked,omitempty"`
	Final      bool   `json:"final_confirmed,omitempty"`
	Note       string `json:"review_note,omitempty" maxLength:"2000"`
}

func (c Checks) set() map[string]bool {
	return map[string]bool{"acceptance_checked": c.Acceptance, "attachment_checked": c.Attachment, "final_confirmed": c.Final}
}

// Rejection rejects a delivery.
type Rejection struct {
	Versioned
	Code   string `json:"reason_code" enum:"criteria_not_met,wrong_place,unreadable,not_allowed_action,suspected_fake,other"`
	Text   string `json:"reason_text" doc:"what is wrong, 20 characters or more: the person reads it, and may appeal" minLength:"20"`
	Repost bool   `json:"repost,omitempty" doc:"post the same task again, for somebody else"`
}

// Revision asks for a better delivery.
type Revision struct {
	Versioned
	Text string `json:"message" doc:"what is missing, 20 characters or more" minLength:"20"`
}

// Extension moves the deadline.
type Extension struct {
	Versioned
	Minutes         *float64   `json:"minutes,omitempty" doc:"whole minutes from now until the new deadline; or deadline_at"`
	DeadlineMinutes *float64   `json:"deadline_minutes,omitempty" doc:"another name of minutes"`
	DeadlineAt      *time.Time `json:"deadline_at,omitempty"`
}

// Cancellation takes a task back, or gives an assignment back.
type Cancellation struct {
	Versioned
	Reason string `json:"reason,omitempty" doc:"why, for the other side to read"`
}

// Statement opens a dispute, or is an appeal.
type Statement struct {
	Versioned
	ReasonCode string `json:"reason_code,omitempty"`
	Statement  string `json:"statement" doc:"what happened, for the operator who decides" minLength:"1"`
}

// Application is what a person sends who wants a task.
type Application struct {
	CoverLetter        string   `json:"cover_letter" minLength:"1" maxLength:"4000"`
	Availability       string   `json:"availability" minLength:"1" maxLength:"500"`
	CounterAmountMinor *int64   `json:"counter_amount_minor,omitempty" doc:"another budget, in the minor units of the task"`
	CounterBudgetUSD   *float64 `json:"counter_budget_usd,omitempty" doc:"the same in dollars"`
	HumanID            string   `json:"human_id,omitempty" doc:"the caller, by the older contract; nobody can apply for somebody else"`
}

// Choice chooses a person for a task: by application, or by the name under which the
// requester knows the person.
type Choice struct {
	Versioned
	ApplicationID string `json:"application_id,omitempty"`
	HumanRef      string `json:"human_ref,omitempty" doc:"the applicant, when application_id is missing"`
	HumanID       string `json:"human_id,omitempty" doc:"the same by its older name"`
	AtCounter     bool   `json:"at_counter,omitempty" doc:"pay what the application asks instead of the budget"`
}

// Submission is a delivery.
type Submission struct {
	TaskID string          `json:"task_id"`
	Type   string          `json:"type" enum:"photo,video,text"`
	Text   string          `json:"text,omitempty"`
	Items  []SubmittedItem `json:"items,omitempty" doc:"uploaded files, in order"`

	digests []string // of the files of a form, which has no uploads before
}

// SubmittedItem is one uploaded file of a delivery.
type SubmittedItem struct {
	UploadID string `json:"upload_id"`
	Label    string `json:"label,omitempty" doc:"label of the evidence that it is for"`
}

// Review rates the other side of a completed task.
type Review struct {
	Credentials
	Rating  int    `json:"rating_overall" minimum:"1" maximum:"5"`
	Comment string `json:"comment,omitempty" maxLength:"500"`
}

// NewConversation begins a conversation about a task, or with a person.
type NewConversation struct {
	Credentials
	TaskID   string `json:"task_id,omitempty"`
	HumanRef string `json:"human_ref,omitempty"`
	Message  string `json:"message" minLength:"1" maxLength:"4000"`
}

// NewMessage is one message.
type NewMessage struct {
	Credentials
	Body        string   `json:"body" maxLength:"4000"`
	Attachments []string `json:"attachments,omitempty" doc:"ids of the caller's uploads" maxItems:"10"`
}
