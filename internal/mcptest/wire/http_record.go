package wire

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// headerLines are the headers of a request and of its answer for the transcript, a line
// each: what was sent after ">", what came after "<".
func headerLines(sent, got http.Header) []byte {
	var b strings.Builder
	for _, side := range []struct {
		mark string
		h    http.Header
	}{{">", sent}, {"<", got}} {
		for _, name := range slices.Sorted(maps.Keys(side.h)) {
			for _, value := range side.h[name] {
				fmt.Fprintf(&b, "%s %s: %s\n", side.mark, name, value)
			}
		}
	}
	return []byte(b.String())
}

// recordEvent puts into the transcript what an event of a stream has beside the message
// in it. Most have nothing.
func (c *Conn) recordEvent(ev StreamEvent) {
	var has []string
	if ev.ID != "" {
		has = append(has, fmt.Sprintf("id %q", ev.ID))
	}
	if ev.Retry >= 0 {
		has = append(has, "retry "+ev.Retry.String())
	}
	if ev.Type != "message" {
		has = append(has, fmt.Sprintf("type %q", ev.Type))
	}
	if len(ev.Data) == 0 {
		has = append(has, "no data")
	}
	if len(has) > 0 {
		c.rec.add(Entry{Direction: Received, Note: "event with " + strings.Join(has, ", ")}, nil)
	}
}
