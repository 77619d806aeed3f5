package scout

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

var draftPage = tool.New(tool.Spec{
	Name: "federalscout_draft_page", Title: "Draft the page",
	Description: "Draft page_metadata and contract of the shown page. save keeps it; proceed fills in examples and goes on, never by a button that submits.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopeDiscover, Rate: rateExplore, Timeout: 5 * time.Minute,
	Outline:  []string{"page_metadata", "remarks", "end", "current_url", "message"},
	Examples: []tool.Example{{Name: "draft", Args: DraftIn{SessionID: exampleSession}}},
}, (*Server).draft)

// DraftIn says what to do with the draft.
type DraftIn struct {
	SessionID  string `json:"session_id"`
	PageNumber int    `json:"page_number,omitempty" minimum:"1" jsonschema:"default: the next one"`
	Save       bool   `json:"save,omitempty"`
	Proceed    bool   `json:"proceed,omitempty"`
}

// DraftOut is the draft of one page.
type DraftOut struct {
	Reply
	Where
	PageMetadata json.RawMessage `json:"page_metadata,omitempty" type:"object" jsonschema:"for federalscout_save_page_metadata"`
	Properties   json.RawMessage `json:"contract_properties,omitempty" type:"object"`
	Selectors    []ScoredWay     `json:"selectors,omitempty"`
	Remarks      []string        `json:"remarks,omitempty" jsonschema:"what a person should check"`
	Saved        bool            `json:"saved"`
	TotalPages   int             `json:"total_pages_discovered"`
	PartialFile  string          `json:"partial_file,omitempty"`
	Proceeded    bool            `json:"proceeded" jsonschema:"the next page is shown now"`
	End          string          `json:"end,omitempty" jsonschema:"why it did not go on: final (the button may submit), results, stuck, human"`
	Cut          string          `json:"cut,omitempty"`

	summary string
}

// ScoredWay is the selector of one field and how likely it lasts.
type ScoredWay struct {
	FieldID  string `json:"field_id"`
	Selector string `json:"selector"`
	Basis    string `json:"basis,omitempty"`
	Score    int    `json:"score"`
}

// Text is the answer for a client that reads nothing else.
func (o DraftOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "status: success. %s\nsession_id: %s\ncurrent_url: %s", o.Message, o.SessionID, o.CurrentURL)
	b.WriteString("\n" + untrusted + "\n" + openMark)
	o.Where.write(&b)
	b.WriteString(o.summary)
	for _, r := range o.Remarks {
		b.WriteString("\ncheck: " + quiet(clip(r, 300)))
	}
	if n := len(o.PageMetadata); n > 0 && n < draftRoom && !o.Saved {
		b.WriteString("\npage_metadata: " + quiet(string(o.PageMetadata)))
	}
	b.WriteString("\n" + closeMark)
	if o.Cut != "" {
		b.WriteString("\nCut: " + o.Cut + ".")
	}
	b.WriteString("\nAs of " + o.Timestamp)
	return b.String()
}

// drafted is a page that was written down.
type drafted struct {
	page    wizard.Page
	remarks []string
	end     string // why the form was not gone on with
	why     string
	moved   bool
	asks    bool // there was something to write down
}

func (s *Server) draft(ctx context.Context, in DraftIn) (DraftOut, error) {
	return live(ctx, s, in.SessionID, func(x *session) (DraftOut, error) {
		if err := x.look(ctx); err != nil {
			return DraftOut{}, err
		}
		number := x.numberFor(in.PageNumber)
		at := spot(x.place)
		ways := waysNow(x.inv)
		d, err := s.write(ctx, x, number, in.Proceed)
		if err != nil {
			return DraftOut{}, err
		}
		out := DraftOut{Remarks: d.remarks, End: d.end, Proceeded: d.moved}
		if d.asks {
			if err := out.put(d.page, ways); err != nil {
				return DraftOut{}, err
			}
		}
		if in.Save && d.asks {
			x.upsert(d.page)
			x.spots[number] = at
			out.Saved = true
			if err := s.keep(x); err != nil {
				return DraftOut{}, err
			}
		} else if d.moved {
			s.note(x)
		}
		_, x.known = sights(x.inv)
		out.Where, out.TotalPages, out.PartialFile = x.where(), len(x.pages), x.partial
		out.Reply = s.reply("%s%s", draftWords(d, out), out.human())
		return out, nil
	})
}

// numberFor is the number of the page that is shown: as asked, as saved before,
// or the next one.
func (x *session) numberFor(asked int) int {
	if asked > 0 {
		return asked
	}
	at := spot(x.place)
	for _, n := range sortedNumbers(x.spots) {
		p := x.saved(n)
		if x.spots[n] == at && p != nil && x.shows(p) {
			return n
		}
	}
	last := 0
	for _, p := range x.pages {
		last = max(last, p.PageNumber)
	}
	return last + 1
}

func sortedNumbers(m map[int]string) []int {
	var out []int
	for n := range m {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// saved is the saved page of that number, or nil.
func (x *session) saved(number int) *wizard.Page {
	for i := range x.pages {
		if x.pages[i].PageNumber == number {
			return &x.pages[i]
		}
	}
	return nil
}

// shows tells whether the page as last seen has a field of the saved one.
func (x *session) shows(p *wizard.Page) bool {
	if len(p.Fields) == 0 {
		return true
	}
	ways := waysNow(x.inv)
	return slices.ContainsFunc(p.Fields, func(f wizard.Field) bool { _, ok := ways[f.Selector]; return ok })
}

// waysNow are the selectors of everything that the page asks.
func waysNow(inv page.Inventory) map[string]page.Way {
	out := map[string]page.Way{}
	for _, c := range inv.Controls {
		for _, w := range c.Ways {
			out[w.Selector] = w
		}
	}
	return out
}

// upsert keeps a page, in the place of one with the same number.
func (x *session) upsert(p wizard.Page) (replaced bool) {
	if old := x.saved(p.PageNumber); old != nil {
		*old = p
		return true
	}
	x.pages = append(x.pages, p)
	return false
}

// taken are the field ids of the other pages, order all of those before a page.
func (x *session) taken(number int) (taken map[string]bool, order []string) {
	taken = map[string]bool{}
	for _, p := range x.wizard().Pages {
		for _, f := range p.Fields {
			if p.PageNumber != number {
				taken[f.FieldID] = true
			}
			if p.PageNumber < number {
				order = append(order, f.FieldID)
			}
		}
	}
	return taken, order
}

// write drafts the page that is shown, and goes on from it if it shall.
func (s *Server) write(ctx context.Context, x *session, number int, proceed bool) (drafted, error) {
	if proceed {
		return s.proceed(ctx, x, number)
	}
	d := drafted{asks: slices.ContainsFunc(x.inv.Controls, asked)}
	if _, ok := onward(x.inv.Buttons, d.asks); !d.asks && !ok {
		d.end, d.why = endResults, "the page asks nothing and has no button that leads on"
		return d, nil
	}
	d.asks = true // a page that only informs is one of the form's too
	w := x.walker(s)
	w.late(ctx)
	taken, _ := x.taken(number)
	d.page, d.remarks = draftOf(x.place, w.inv, number, taken)
	x.inv = w.inv
	return d, nil
}

// walker works on the session's page with what the drafts have learnt so far.
func (x *session) walker(s *Server) *walker {
	if x.explorer == nil {
		x.explorer = newExplorer(Request{URL: x.start}, nil, s.log)
		x.answers = map[string]any{}
	}
	return &walker{
		Explorer: x.explorer, tab: x.tab, page: x.page, inv: x.inv, place: x.place,
		pass: &pass{overrides: map[string]any{}, answers: x.answers},
	}
}

// proceed fills the page in with examples until the form lets go. What it insists
// on meanwhile is what is required.
func (s *Server) proceed(ctx context.Context, x *session, number int) (drafted, error) {
	w := x.walker(s)
	taken, order := x.taken(number)
	for id := range taken {
		w.graph.taken[id] = true
	}
	at := spot(x.place)
	x.explorer.remarks = nil
	if _, err := w.step(ctx); err != nil {
		return drafted{}, err
	}
	d := drafted{end: w.pass.end, why: w.pass.why, moved: w.pass.end == ""}
	if len(w.pass.path) > 0 {
		n := w.pass.path[0]
		d.asks = true
		d.page = w.pageOf(n, number, order)
		if d.moved {
			x.did(leaving(n, number, w.pass.answers, at))
		}
	}
	d.remarks = x.explorer.remarks
	if conditional(d.page) > 0 {
		d.remarks = append(d.remarks, "conditions were seen in one pass only and may have another cause: federalscout_probe_page tests them, before you proceed")
	}
	return d, x.look(ctx)
}

// leaving is the step of a page that was filled in and left.
func leaving(n *node, number int, answers map[string]any, at string) step {
	t := step{Action: stepProceed, Page: number, Selector: n.button.Selector, Frame: n.button.Frame, Text: n.button.Text, At: at, Moved: true, answers: []page.Answer{}}
	for _, k := range n.controls {
		if v, ok := answers[k.id]; ok && !(v == false) {
			t.answers = append(t.answers, page.Answer{Input: input(k.control, k.id), Value: plainAnswer(v)})
		}
	}
	return t
}

// put writes the draft into the answer.
func (o *DraftOut) put(p wizard.Page, ways map[string]page.Way) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write the draft of page %d: %w", p.PageNumber, err)
	}
	o.PageMetadata = raw
	c, err := wizard.NewContract(&wizard.Wizard{WizardID: "draft", Name: "Draft", URL: "https://example.com/", TotalPages: 1, Pages: []wizard.Page{alone(p)}})
	if err == nil {
		var schema struct {
			Properties json.RawMessage `json:"properties"`
		}
		if json.Unmarshal(c.Schema, &schema) == nil {
			o.Properties = schema.Properties
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\ndraft of page %d %q, button %q (%s)", p.PageNumber, clip(p.PageTitle, 100), p.ContinueButton.Text, p.ContinueButton.Selector)
	for i := range p.Fields {
		f := &p.Fields[i]
		o.Selectors = append(o.Selectors, scored(f, ways))
		fmt.Fprintf(&b, "\n- %s: %s %q%s, %s", f.FieldID, f.FieldType, clip(f.Label, 80), map[bool]string{true: " required"}[f.Required], f.Selector)
		if n := len(f.Options); n > 0 {
			fmt.Fprintf(&b, ", %s", plural(n, "option"))
		}
		if f.VisibleWhen != nil {
			fmt.Fprintf(&b, ", shown when %s", clip(f.VisibleWhen.String(), 200))
		}
	}
	o.summary = quietLines(b.String())
	o.fit()
	return nil
}

// draftRoom is the most bytes of one part of a draft in an answer.
const draftRoom = 20 << 10

// fit leaves out what would make the answer too large; saving keeps all of it.
func (o *DraftOut) fit() {
	if len(o.summary) > draftRoom {
		o.summary = strings.ToValidUTF8(o.summary[:draftRoom], "") + "…"
	}
	var gone []string
	if len(o.PageMetadata) > draftRoom {
		o.PageMetadata = nil
		gone = append(gone, "page_metadata")
	}
	if len(o.Properties) > draftRoom {
		o.Properties = nil
		gone = append(gone, "contract_properties")
	}
	if size(o.Selectors) > draftRoom {
		o.Selectors = nil
		gone = append(gone, "selectors")
	}
	if len(gone) > 0 {
		o.Cut = list(gone, len(gone)) + " left out to keep the answer small: call with save to keep the draft whole"
	}
}

// alone is a page whose conditions on other pages are left out.
func alone(p wizard.Page) wizard.Page {
	p.Fields = slices.Clone(p.Fields)
	p.VisibleWhen = nil
	return p
}

func scored(f *wizard.Field, ways map[string]page.Way) ScoredWay {
	w := ways[f.Selector]
	return ScoredWay{FieldID: f.FieldID, Selector: f.Selector, Basis: w.Basis, Score: w.Score}
}

// quietLines keeps the line breaks that are ours.
func quietLines(s string) string { return strings.ReplaceAll(s, "page_elements>", "page_elements >") }

// draftWords say what became of the page and what to do next.
func draftWords(d drafted, o DraftOut) string {
	var b strings.Builder
	switch {
	case !d.asks:
		b.WriteString("There is nothing to draft here: " + orElse(d.why, "the form has come to its end") + ".")
	case o.Saved:
		fmt.Fprintf(&b, "Page %d is saved with %s.", d.page.PageNumber, plural(len(d.page.Fields), "field"))
	default:
		fmt.Fprintf(&b, "Page %d is drafted with %s; it is not saved.", d.page.PageNumber, plural(len(d.page.Fields), "field"))
	}
	switch d.end {
	case endFinal:
		b.WriteString(" Its button may really submit and was not pressed: this is the last page. Next: federalscout_complete_discovery.")
	case endStuck:
		b.WriteString(" The form did not go on: " + quoteIf(clip(d.why, 300)) + ". Answer what it asks with federalscout_execute_actions and press its button.")
	case endHuman:
		b.WriteString(" A person has to go on here: " + quoteIf(clip(d.why, 200)) + ".")
	case endResults:
		b.WriteString(" Next: federalscout_complete_discovery.")
	default:
		if d.moved {
			b.WriteString(" The next page is shown: draft it too.")
		}
	}
	return b.String()
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// errNotReached is why a page cannot be tried out on a scratch context.
func errNotReached(why string) error {
	return fault.New(fault.Failed, "page_not_reached", "The page could not be reached a second time: "+why+".",
		"Draft it without probing, and note conditions as visible_when by hand.")
}
