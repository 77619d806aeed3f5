package data

import (
	"time"

	"github.com/legwork-mcp/legwork/internal/board/money"
)

// AgentAccount is a requester.
type AgentAccount struct {
	ID            string
	Name          string
	Email         string // normalised
	EmailVerified time.Time
	Disabled      bool
	OwnerHumanID  string // the person who proved to have the address, on the pages
	Caps          Caps   // of a day; unset currencies have those of the terms
	CreatedAt     time.Time
}

// Caps are amounts in minor units; a missing currency is not limited.
type Caps map[money.Currency]int64

// Key is a key of an agent or a human, without its secret.
type Key struct {
	ID         string
	AgentID    string // or
	HumanID    string
	Name       string
	Prefix     string // what is shown to tell keys apart
	Scopes     []string
	Caps       Caps // what tasks posted with it may cost in a day (UTC)
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero for never
	RevokedAt  time.Time
	LastUsedAt time.Time
	// MadeBy is the id of the key that makes this one, for NewKey: what the new one spends
	// counts against the caps of that one too.
	MadeBy string
}

// The scopes of agent keys.
const (
	ScopeRead  = "read"  // tasks, applications, conversations, events
	ScopePost  = "post"  // create tasks and everything about them, conversations
	ScopeAdmin = "admin" // keys and webhooks
)

// The scopes of human keys.
const (
	ScopeMessagesRead     = "messages:read"
	ScopeMessagesWrite    = "messages:write" // and reports to the operator
	ScopeSubmissionsWrite = "submissions:write"
	ScopePaymentsRead     = "payments:read"
	ScopeProfileRead      = "profile:read" // and what is on record of the person's tasks
)

// Person is a human with an account: a worker, a requester who looks at pages, or an
// operator.
type Person struct {
	ID          string
	Email       string // normalised; empty for one who signed in by another provider only
	Handle      string // public name
	Lang        string // ja or en
	Country     string // ISO 3166-1 alpha-2
	Prefecture  string
	City        string
	Areas       []string // where they work: a prefecture, or prefecture/city
	Skills      []string
	Languages   []string
	Headline    string
	Bio         string
	Instant     Instant
	Notify      string // JSON of notification settings, kept for internal/board/notify
	PayoutReady bool
	Operator    bool
	Suspended   bool
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Instant says which instant offers a person consents to receive.
type Instant struct {
	On        bool
	Floors    Caps // least take-home; a missing currency has none
	QuietFrom int  // minutes after midnight in Japan; the same as QuietTo for never quiet
	QuietTo   int
	Cap       int // tasks at once
	// Hours are when the person works, at most one entry for a day of the week; none
	// at all for always.
	Hours []Hours
}

// Hours are when somebody works on one day of the week, in minutes after midnight in
// Japan. Those that end before they begin go on into the next day.
type Hours struct {
	Day      time.Weekday
	From, To int
}

// Candidate is a person as agents find them: no name, no address, no exact place.
type Candidate struct {
	Ref       string // opaque, and another one for every agent
	Handle    string
	Area      string // prefecture/city, coarser where few people live
	Skills    []string
	Languages []string
	Rating    float64 // mean of published ratings; 0 without any
	Ratings   int64
	Completed int64
	Floors    Caps // of instant offers
}

// Connected is an account with a key that is shown once, or the id of a code that
// was sent to its address.
type Connected struct {
	Agent   AgentAccount
	Key     Key
	Secret  string // empty when a code was sent
	Created bool
	CodeID  string
}

// Identity is a person at a sign-in provider.
type Identity struct {
	Provider string // its issuer, such as https://accounts.google.com
	Subject  string
	Email    string // verified by the provider, or empty
	Lang     string
}

// AgentStats is how a requester treats people.
type AgentStats struct {
	Posted       int64
	Completed    int64
	Rejected     int64         // final, without those under dispute
	Cancelled    int64         // after somebody had started
	MedianReview time.Duration // from delivery to approval
	Rating       float64
	Ratings      int64
}

// PersonStats is how a person works.
type PersonStats struct {
	Completed int64
	TimedOut  int64
	Declined  int64
	Rating    float64
	Ratings   int64
}
