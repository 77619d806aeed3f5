package scout

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/tool"
)

var listSessions = tool.New(tool.Spec{
	Name: "federalscout_list_sessions", Title: "List sessions",
	Description: "List your open sessions and those that can be resumed.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeDiscover, Rate: rateExplore,
	Outline:  []string{"sessions", "resumable", "count"},
	Examples: []tool.Example{{Name: "all", Args: ListIn{}}},
}, (*Server).listSessions)

// ListIn takes nothing.
type ListIn struct{}

// ListOut are the caller's own sessions.
type ListOut struct {
	Reply
	Sessions  []SessionItem `json:"sessions"`
	Count     int           `json:"count"`
	Resumable []SessionItem `json:"resumable" jsonschema:"ended, with saved work"`
}

// SessionItem is one session.
type SessionItem struct {
	SessionID   string `json:"session_id"`
	URL         string `json:"url"`
	CurrentURL  string `json:"current_url,omitempty"`
	PageTitle   string `json:"page_title,omitempty"`
	Pages       int    `json:"total_pages_discovered"`
	State       string `json:"state" jsonschema:"open, busy, browser_ended, resumable"`
	IdleSeconds int    `json:"idle_seconds,omitempty"`
	PartialFile string `json:"partial_file,omitempty"`
}

// Text is the answer for a client that reads nothing else.
func (o ListOut) Text() string {
	var b strings.Builder
	b.WriteString("status: success. " + o.Message)
	for _, i := range append(slices.Clone(o.Sessions), o.Resumable...) {
		fmt.Fprintf(&b, "\n- %s %s, %s, %s saved", i.SessionID, i.State, i.URL, plural(i.Pages, "page"))
		if i.IdleSeconds > 0 {
			fmt.Fprintf(&b, ", idle for %d s", i.IdleSeconds)
		}
	}
	b.WriteString("\nAs of " + o.Timestamp)
	return b.String()
}

// maxResumable bounds the list of what can be resumed.
const maxResumable = 20

func (s *Server) listSessions(ctx context.Context, _ ListIn) (ListOut, error) {
	owner := tool.Caller(ctx).ID()
	open, cards := s.sessions.of(owner)
	out := ListOut{Sessions: []SessionItem{}, Resumable: []SessionItem{}}
	known := map[string]bool{}
	for i, x := range open {
		c := cards[i]
		state := "open"
		switch {
		case len(x.turn) > 0:
			state = "busy"
		case !c.live:
			state = "browser_ended"
		}
		known[x.id] = true
		out.Sessions = append(out.Sessions, SessionItem{
			SessionID: x.id, URL: x.start, CurrentURL: c.place, PageTitle: clip(c.title, longestText), Pages: c.pages, State: state,
			IdleSeconds: int(s.clock().Sub(c.used).Seconds()), PartialFile: c.partial,
		})
	}
	for _, id := range s.partials.of(owner) {
		if known[id] || len(out.Resumable) == maxResumable {
			continue
		}
		if p, err := s.partials.read(id); err == nil {
			out.Resumable = append(out.Resumable, SessionItem{SessionID: id, URL: p.wizard.URL, Pages: len(p.wizard.Pages), State: "resumable", PartialFile: nameFor(id)})
		}
	}
	out.Count = len(out.Sessions)
	out.Reply = s.reply("%s open, %d to resume.", plural(out.Count, "session"), len(out.Resumable))
	return out, nil
}
