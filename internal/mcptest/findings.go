package mcptest

import (
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// Finding is something that the server under test does wrong, as it was seen.
type Finding struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Bytes   string `json:"bytes,omitempty" jsonschema:"what the server sent there, its beginning"`
	Times   int    `json:"times,omitempty"`
}

// The findings that answers themselves give; those of the wire have its codes.
const (
	findingSchema    = "schema_violation"
	findingUnknown   = "unknown_name_answered" // a name that no list has, and no protocol error for it
	findingOutput    = "output_schema_violation"
	findingMalformed = "malformed_item"
	findingDuplicate = "duplicate_name"
	findingPages     = "endless_pages"
	findingUnsound   = "unsound_json"
	findingMissing   = "missing_structured_content"
	findingNotListed = "not_listed"
	findingMore      = "more_findings"
)

// maxFindings is how many an answer has.
const maxFindings = 20

// mostAlike is how many findings of the parts of one result, or of one list, are
// written down.
const mostAlike = 50

// atMost adds findings to others, as long as there is room; the last one says how many
// there would be more. A server can have millions of bad parts in one result.
type atMost struct {
	list []Finding
	left int
}

// add keeps a finding, which is only made when there is room.
func (a *atMost) add(made func() Finding) {
	if len(a.list) >= mostAlike {
		a.left++
		return
	}
	a.list = append(a.list, made())
}

// all are those that were kept.
func (a *atMost) all() []Finding {
	if a.left == 0 {
		return a.list
	}
	return append(a.list, Finding{Code: findingMore, Message: fmt.Sprintf("There are %d more of this kind.", a.left)})
}

// observed are the observations of the wire as findings, each kind once.
func observed(list []wire.Observation) []Finding {
	var out []Finding
	at := map[wire.Code]int{}
	for _, o := range list {
		if i, known := at[o.Code]; known {
			out[i].Times++
			continue
		}
		if len(out) == maxFindings {
			break
		}
		at[o.Code] = len(out)
		out = append(out, Finding{Code: string(o.Code), Message: o.Detail, Bytes: line(string(o.Bytes), 300), Times: 1})
	}
	for i := range out {
		if out[i].Times == 1 {
			out[i].Times = 0
		}
	}
	return out
}

// found are the findings of exchanges.
func found(all ...*wire.Exchange) []Finding {
	var list []wire.Observation
	for _, ex := range all {
		if ex == nil {
			continue
		}
		for _, round := range ex.Rounds {
			list = append(list, round.Observations...)
		}
		list = append(list, ex.Observations...)
	}
	return observed(list)
}

// findingsText lists findings for a model.
func findingsText(all []Finding) string {
	var b strings.Builder
	for i, f := range all {
		if i == maxFindings {
			fmt.Fprintf(&b, "\n- and %d more", len(all)-i)
			break
		}
		fmt.Fprintf(&b, "\n- %s: %s", f.Code, f.Message)
		if f.Times > 1 {
			fmt.Fprintf(&b, " (%d times)", f.Times)
		}
		if f.Bytes != "" {
			b.WriteString(" " + openMark + f.Bytes + closeMark)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nFindings:" + b.String()
}
