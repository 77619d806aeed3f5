package scout

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

var probePage = tool.New(tool.Spec{
	Name: "federalscout_probe_page", Title: "Probe the page",
	Description: "Find conditions, exclusive options and dependent lists of the shown page by trying answers in a second browser context. Presses no button of the page.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopeDiscover, Rate: rateHeavy, Cost: 10, Timeout: 6 * time.Minute,
	Outline:  []string{"page_metadata", "remarks", "message"},
	Examples: []tool.Example{{Name: "probe", Args: ProbeIn{SessionID: exampleSession}}},
}, (*Server).probe)

// ProbeIn names the page.
type ProbeIn struct {
	SessionID  string `json:"session_id"`
	PageNumber int    `json:"page_number,omitempty" minimum:"1" jsonschema:"default: the next one"`
	Save       bool   `json:"save,omitempty" jsonschema:"keep what was found"`
}

// probeTime bounds the trying; what was found by then is told.
const probeTime = 4 * time.Minute

func (s *Server) probe(ctx context.Context, in ProbeIn) (DraftOut, error) {
	return live(ctx, s, in.SessionID, func(x *session) (DraftOut, error) {
		if err := x.look(ctx); err != nil {
			return DraftOut{}, err
		}
		number := x.numberFor(in.PageNumber)
		p, remarks, err := s.tryOut(ctx, x, number)
		if err != nil {
			return DraftOut{}, err
		}
		out := DraftOut{Where: x.where(), Remarks: remarks}
		if err := out.put(p, waysNow(x.inv)); err != nil {
			return DraftOut{}, err
		}
		if in.Save {
			x.upsert(p)
			x.spots[number] = spot(x.place)
			out.Saved = true
			if err := s.keep(x); err != nil {
				return DraftOut{}, err
			}
		}
		out.TotalPages, out.PartialFile = len(x.pages), x.partial
		out.Reply = s.reply("Page %d was tried out in a second context: %s, %d of them with a condition. The session's own page is as it was.", number, plural(len(p.Fields), "field"), conditional(p))
		return out, nil
	})
}

func conditional(p wizard.Page) int {
	n := 0
	for _, f := range p.Fields {
		if f.VisibleWhen != nil {
			n++
		}
	}
	return n
}

// tryOut goes to the session's page in a scratch context and has the explorer
// probe it there.
func (s *Server) tryOut(ctx context.Context, x *session, number int) (wizard.Page, []string, error) {
	tab, p, err := s.scratchTab(ctx, x)
	if err != nil {
		return wizard.Page{}, nil, err
	}
	defer func() {
		if err := closeTab(ctx, tab); err != nil {
			s.log.Warn("closing a scratch context", "session", x.id, "error", err)
		}
	}()
	if _, err := p.Goto(ctx, x.start); err != nil {
		return wizard.Page{}, nil, err
	}
	r := s.newReplay(p, x)
	if err := r.run(ctx, x.trail); err != nil {
		return wizard.Page{}, nil, err
	}
	e := newExplorer(Request{URL: x.start}, nil, s.log)
	taken, order := x.taken(number)
	for id := range taken {
		e.graph.taken[id] = true
	}
	w := &walker{Explorer: e, tab: tab, page: p, pass: &pass{overrides: map[string]any{}, answers: map[string]any{}}}
	if err := w.look(ctx); err != nil {
		return wizard.Page{}, nil, err
	}
	if r.stopped != "" || spot(w.place) != spot(x.place) {
		return wizard.Page{}, nil, errNotReached(orElse(r.stopped, "the same steps led to another page"))
	}
	n, _ := e.graph.at(w.place, w.inv)
	w.pass.path = append(w.pass.path, n)
	limited, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if err := w.probeStep(limited, n); err != nil {
		if ctx.Err() != nil || limited.Err() == nil {
			return wizard.Page{}, nil, err
		}
		e.remark("probing ended after %v; not every answer was tried", probeTime)
	}
	asks := len(n.controls) > 0
	if b, ok := onward(x.inv.Buttons, asks); ok {
		n.button, n.final = b, final(b, x.inv, x.place)
	}
	return e.pageOf(n, number, order), e.remarks, nil
}
