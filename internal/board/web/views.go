package web

import "time"

// option is one choice of a list.
type option struct{ Value, Text string }

// quoteView is who gets what of a task's money, in minor units.
type quoteView struct {
	TakeHome, Fee, Total int64
	Currency             string
}

// placeView is where the work is done, as the public may know it.
type placeView struct{ Prefecture, City, Free string }

// dueView is a date with the time until then.
type dueView struct{ At, Now time.Time }

// Known reports whether there is a moment: nothing is due of what has ended.
func (d dueView) Known() bool { return !d.At.IsZero() }

// taskView is a task as pages show it.
type taskView struct {
	ID, Title, Text, Label, Deliverable string
	Criteria, NotAllowed, Exact         string
	Place                               placeView
	Quote                               quoteView
	Status, Failure                     string
	Deadline                            dueView // of the delivery
	Due                                 dueView // of whatever happens next
	DueKey, URL                         string
	Applicants                          int64
	CreatedAt                           time.Time
}

// requesterView is what a worker may know of who asks.
type requesterView struct {
	Name            string
	Decided         int // deliveries that were approved or rejected
	ApprovalPercent int
	PayTime         time.Duration // median between delivery and approval; 0 when unknown
	Since           bool
	SinceAt         time.Time
}

// photoView is a delivered photo behind short-lived links.
type photoView struct {
	URL, ThumbURL string
	CapturedAt    *time.Time
	Duplicate     bool
}

// videoView is a delivered video behind a short-lived link.
type videoView struct{ URL string }

// deliveryView is one delivery.
type deliveryView struct {
	At     time.Time
	Text   string
	Photos []photoView
	Videos []videoView
}

// messageView is one message as one side reads it.
type messageView struct {
	Mine bool
	Name string
	Body string
	At   time.Time
	// Files are addresses of what was sent along.
	Files []string
}

// reviewView is a published rating.
type reviewView struct {
	By      string // agent or human
	Rating  int
	Comment string
}

// rejectionView is why a delivery was rejected.
type rejectionView struct{ Code, Text string }

// disputeView is a dispute and how it ended.
type disputeView struct{ Reason, Outcome, Note string }
