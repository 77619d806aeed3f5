package check

import "github.com/legwork-mcp/legwork/internal/mcptest/wire"

// Asked is a call of a tool, a resource that was read or a prompt that was got: what a
// person wants to see who did not make the check.
type Asked struct {
	// Subject is what was asked, such as "tool add".
	Subject string `json:"subject"`
	// Sent and Got are the messages, or why none came back: bounded, without secrets,
	// control characters escaped.
	Sent   string `json:"sent"`
	Got    string `json:"got"`
	Failed bool   `json:"failed,omitempty"` // no result came
	Millis int64  `json:"duration_ms"`
}

// Bounds of what a report keeps of what was asked.
const (
	mostAsked = 40   // of each kind of thing
	mostSent  = 500  // bytes of a request
	mostGot   = 1000 // bytes of an answer
)

// asked notes what was asked of an item, and what came back.
func (r *run) asked(i item, ex *wire.Exchange, err error) {
	if r.kept == nil {
		r.kept = map[string]int{}
	}
	if r.kept[i.kind]++; r.kept[i.kind] > mostAsked {
		return
	}
	a := Asked{Subject: r.safe(i.subject(), 200), Sent: r.first(ex.Request, mostSent), Failed: err != nil, Millis: ex.Duration().Milliseconds()}
	if len(ex.Response) > 0 {
		a.Got = r.first(ex.Response, mostGot)
	} else if err != nil {
		a.Got = r.first([]byte(r.plain(err)), mostGot)
	}
	r.report.Asked = append(r.report.Asked, a)
}
