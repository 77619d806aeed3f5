package notify

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/words"
)

// Settings are what a person wants to be told, and when.
type Settings struct {
	// Off are the templates that are not sent, of those in Optional.
	Off []string `json:"off,omitempty"`
	// QuietFrom and QuietTo are minutes after midnight in Japan between which nothing
	// is sent that can wait; the same number for never quiet.
	QuietFrom int `json:"quiet_from,omitempty"`
	QuietTo   int `json:"quiet_to,omitempty"`
	// Digest collects everything that can wait into one mail a day.
	Digest bool `json:"digest,omitempty"`
	// By is the way: ByLINE, ByPush, or empty for mail.
	By string `json:"by,omitempty"`
}

// The ways beside mail. Codes to sign in with stay mails, and what a way does not take
// goes by mail.
const (
	ByLINE = "line" // to the person's account at LINE
	ByPush = "push" // to their devices
)

const (
	minutesOfDay = 24 * 60
	digestAt     = 8 * 60 // minutes after midnight in Japan
)

// ParseSettings reads settings as they are kept. What cannot be read, or makes no
// sense, is as if it was never set.
func ParseSettings(text string) Settings {
	var s Settings
	if json.Unmarshal([]byte(text), &s) != nil {
		return Settings{}
	}
	s.Off = slices.DeleteFunc(s.Off, func(name string) bool { return !slices.Contains(Optional(), name) })
	if s.By != ByLINE && s.By != ByPush {
		s.By = ""
	}
	if s.QuietFrom < 0 || s.QuietFrom >= minutesOfDay || s.QuietTo < 0 || s.QuietTo >= minutesOfDay {
		s.QuietFrom, s.QuietTo = 0, 0
	}
	return s
}

// String is how settings are kept.
func (s Settings) String() string {
	text, err := json.Marshal(s)
	if err != nil {
		return "{}" // cannot happen: it is strings and numbers
	}
	return string(text)
}

// urgency says how long a mail can wait.
type urgency int

const (
	canWait urgency = iota // for the end of quiet hours, and for the digest
	soon                   // for the end of quiet hours
	atOnce                 // for nothing, and it cannot be switched off
)

// urgencies of the templates.
var urgencies = map[string]urgency{
	SignInCode: atOnce, AgentCode: atOnce, digestMail: atOnce,
	WorkerOffer: atOnce, WorkerAccepted: soon, WorkerRevision: soon, WorkerRejected: soon, WorkerCancelled: soon,
	WorkerMessage: canWait, WorkerDeclined: canWait, WorkerCompleted: canWait, WorkerTimeout: canWait, WorkerResolved: canWait,
	RequesterApplication: canWait, RequesterSubmission: soon, RequesterMessage: canWait, RequesterDispute: soon,
	RequesterCompleted: canWait, RequesterFailed: canWait, RequesterResolved: canWait,
	OperatorAlarm: atOnce,
}

// The templates: what people are told.
const (
	SignInCode = "sign_in_code"      // slots: code
	AgentCode  = "agent_verify_code" // slots: code, name

	WorkerOffer     = "worker_offer"     // an instant offer; it cannot be switched off here, since it is opted into elsewhere
	WorkerAccepted  = "worker_accepted"  // the person was chosen
	WorkerDeclined  = "worker_declined"  // somebody else was
	WorkerMessage   = "worker_message"   // a message of the requester
	WorkerRevision  = "worker_revision"  // something is missing
	WorkerRejected  = "worker_rejected"  // the delivery is refused
	WorkerCompleted = "worker_completed" // the delivery is approved
	WorkerCancelled = "worker_cancelled" // the requester or the board took the task back
	WorkerTimeout   = "worker_timeout"   // the deadline is over
	WorkerResolved  = "worker_resolved"  // a dispute is decided

	RequesterApplication = "requester_application"
	RequesterSubmission  = "requester_submission"
	RequesterMessage     = "requester_message"
	RequesterDispute     = "requester_dispute"
	RequesterCompleted   = "requester_completed" // by itself, as nobody reviewed
	RequesterFailed      = "requester_failed"
	RequesterResolved    = "requester_resolved"

	OperatorAlarm = "operator_alarm" // slots: count, lines
)

// Optional are the templates that can be switched off, in the order of the list on
// the settings page.
func Optional() []string {
	return []string{
		WorkerAccepted, WorkerDeclined, WorkerMessage, WorkerRevision, WorkerRejected, WorkerCompleted, WorkerCancelled, WorkerTimeout, WorkerResolved,
		RequesterApplication, RequesterSubmission, RequesterMessage, RequesterDispute, RequesterCompleted, RequesterFailed, RequesterResolved,
	}
}

// plan says whether a mail is sent at all, whether it goes into the digest, and the
// time before which it is not.
func (s Settings) plan(template string, now time.Time) (send, digest bool, at time.Time) {
	u := urgencies[template]
	if u == atOnce {
		return true, false, now
	}
	if slices.Contains(s.Off, template) {
		return false, false, time.Time{}
	}
	if s.Digest && u == canWait {
		return true, true, nextAt(now, digestAt)
	}
	return true, false, s.awake(now)
}

// awake is the first time from now on that is not quiet.
func (s Settings) awake(now time.Time) time.Time {
	minute := minuteOf(now)
	quiet := s.QuietFrom <= minute && minute < s.QuietTo
	if s.QuietFrom > s.QuietTo { // over midnight
		quiet = minute >= s.QuietFrom || minute < s.QuietTo
	}
	if !quiet {
		return now
	}
	return nextAt(now, s.QuietTo)
}

func minuteOf(t time.Time) int {
	t = t.In(words.JST)
	return t.Hour()*60 + t.Minute()
}

// nextAt is the next time after now at which it is so many minutes after midnight
// in Japan.
func nextAt(now time.Time, minute int) time.Time {
	local := now.In(words.JST)
	t := time.Date(local.Year(), local.Month(), local.Day(), 0, minute, 0, 0, words.JST)
	if !t.After(now) {
		t = t.AddDate(0, 0, 1)
	}
	return t.UTC()
}
