package page

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Bounds of reading late options.
const (
	choicesLimit   = 5000
	choicesTime    = 90 * time.Second
	openPatience   = 900 * time.Millisecond
	firstPatience  = 1200 * time.Millisecond
	leastPatience  = 150 * time.Millisecond
	choicesSettled = 60 // ms without a change
)

// Choices opens a control whose options come late, reads them all, closes it
// and leaves its value as it was. It scrolls lists that draw only the rows in
// view, and types letters where suggestions come only for what is typed.
func (p *Page) Choices(ctx context.Context, c Control, limit int) (Opened, error) {
	if limit <= 0 || limit > choicesLimit {
		limit = choicesLimit
	}
	frame, err := p.frameSoon(ctx, c.Frame)
	if err != nil {
		return Opened{}, err
	}
	bounded, cancel := context.WithTimeout(ctx, choicesTime)
	defer cancel()
	s := &seeker{page: p, frame: frame, control: c, limit: limit, baseline: p.tab.Doc().InFlight, patience: firstPatience, asked: map[string]bool{}}
	list, complete, err := s.run(bounded)
	if ctx.Err() == nil && bounded.Err() != nil {
		list, complete = s.seen(), false // what was read in the time there was
		err = s.close(ctx)
	}
	return Opened{Options: list, Complete: complete, Typed: s.typedIn, Multiple: s.several}, err
}

// OpensDays presses an empty box that cannot be typed into. If that opens a calendar
// or a choice of times, it closes it again and says what the box takes, as far as it
// shows: "date", "datetime-local", "interval" or "time"; "" if nothing opens.
func (p *Page) OpensDays(ctx context.Context, c Control) (takes string, err error) {
	frame, err := p.frameSoon(ctx, c.Frame)
	if err != nil {
		return "", err
	}
	err = p.invoke(ctx, frame, call{"opensDays", Target{Selector: c.Selector}}, &takes)
	return takes, err
}

// OpenSections opens the closed sections of a form that have questions in them, each
// once, and tells how many there were.
func (p *Page) OpenSections(ctx context.Context) (n int, err error) {
	err = p.invoke(ctx, p.tab.Main(), call{"openSections", nil}, &n)
	return n, err
}

// Opened is what a choice showed when it was opened.
type Opened struct {
	Options []ControlOption
	// Complete: the list is known to be whole.
	Complete bool
	// Typed: letters typed into the open control narrow its list down.
	Typed bool
	// Multiple: the list takes several answers.
	Multiple bool
}

// Learn adds what a choice showed when it was opened, other than its options:
// whether it is typed into and how many answers it takes.
func (c *Control) Learn(o Opened) {
	if c.Kind == KindSelect && o.Typed {
		c.Kind = KindTypeahead
	}
	c.Multiple = c.Multiple || o.Multiple
}

// seeker reads the options of one control.
type seeker struct {
	page     *Page
	frame    browser.FrameID
	control  Control
	limit    int
	baseline int
	last     sought
	keys     bool          // only real keys bring suggestions
	slowest  time.Duration // answer yet
	patience time.Duration // how long suggestions may take
	counts   []int         // suggestions of each text that brought some
	asked    map[string]bool
	pairwise bool // two letters are the least
	inside   bool // texts are found inside words too
	typedIn  bool // the open control takes letters
	several  bool // and its list several answers
}

// sought is what the page-side step found.
type sought struct {
	State   string          `json:"state"`
	Items   []ControlOption `json:"items"`
	Open    int             `json:"open"`
	Most    int             `json:"most"` // at once, since the last text
	Size    int             `json:"size"`
	Quiet   float64         `json:"quiet"`
	Since   float64         `json:"since"`
	Changed bool            `json:"changed"`
	More    bool            `json:"more"`
	Textual bool            `json:"textual"`
	Several bool            `json:"several"`
	Prefix  bool            `json:"prefix"`
	Was     string          `json:"was"`
	Point   bool            `json:"point"`
	X       float64         `json:"x"`
	Y       float64         `json:"y"`
}

func (s *seeker) target() Target {
	t := Target{Selector: s.control.Selector, Type: "css"}
	for _, w := range s.control.Ways {
		if w.Selector != t.Selector {
			t.Alternatives = append(t.Alternatives, w.Selector)
		}
	}
	return t
}

// step runs one step in the page and keeps what it found.
func (s *seeker) step(ctx context.Context, arg map[string]any) error {
	arg["limit"] = s.limit
	had := s.last.Items
	s.last = sought{}
	if err := s.page.invoke(ctx, s.frame, call{"seek", arg}, &s.last); err != nil {
		s.last.Items = had
		return err
	}
	if len(s.last.Items) == 0 {
		s.last.Items = had
	}
	s.typedIn, s.several = s.typedIn || s.last.Textual, s.several || s.last.Several
	return nil
}

func (s *seeker) seen() []ControlOption {
	return s.last.Items[:min(len(s.last.Items), s.limit)]
}

func (s *seeker) run(ctx context.Context) ([]ControlOption, bool, error) {
	s.page.tab.Acted()
	if err := s.step(ctx, map[string]any{"step": "open", "target": s.target(), "kind": s.control.Kind}); err != nil {
		return nil, false, err
	}
	switch s.last.State {
	case "whole":
		return s.seen(), len(s.last.Items) <= s.limit, nil
	case "partial":
		return s.seen(), false, nil
	case "open":
	default:
		return nil, false, fault.New(fault.NotFound, "element_not_found", "The control whose options were asked for is not on the page.",
			"Look at the page again: it may have changed.")
	}
	whole, err := s.opened(ctx)
	if err != nil {
		return nil, false, err
	}
	list := s.seen()
	if err := s.close(ctx); err != nil {
		return nil, false, err
	}
	return list, whole && len(list) < s.limit, nil
}

// opened reads what is offered once the control is open.
func (s *seeker) opened(ctx context.Context) (bool, error) {
	point, x, y := s.last.Point, s.last.X, s.last.Y
	if err := s.await(ctx, openPatience); err != nil {
		return false, err
	}
	if s.last.Open == 0 && point {
		if err := s.page.tab.Click(ctx, s.frame, x, y); err != nil {
			return false, err
		}
		if err := s.await(ctx, openPatience); err != nil {
			return false, err
		}
	}
	if !s.last.Textual {
		return s.last.Open > 0 && s.last.Size <= len(s.last.Items), nil
	}
	return s.typed(ctx)
}

// await looks until something is offered and nothing more comes.
func (s *seeker) await(ctx context.Context, patience time.Duration) error {
	for waited := stopwatch(); ; {
		if err := s.step(ctx, map[string]any{"step": "look"}); err != nil {
			return err
		}
		settled := s.last.Quiet >= choicesSettled && !s.page.busy(s.baseline) && !s.last.More
		if settled && (s.last.Open > 0 || waited() > patience) || len(s.last.Items) >= s.limit || waited() > 20*patience {
			return nil
		}
		if _, err := s.page.rest(ctx, s.frame); err != nil {
			return err
		}
	}
}

// close leaves the control as it was found.
func (s *seeker) close(ctx context.Context) error {
	items := s.last.Items
	defer func() { s.last.Items = items }()
	if err := s.step(ctx, map[string]any{"step": "close"}); err != nil {
		return err
	}
	if s.last.State != "lost" {
		return nil
	}
	if s.last.Was != "" {
		kept := s.page.last
		in := Input{ID: "restore", Target: s.target(), Kind: KindTypeahead}
		in.Target.Frame = s.control.Frame
		_, err := s.page.Set(ctx, []Answer{{Input: in, Value: s.last.Was}})
		s.page.last = kept
		if err != nil {
			return err
		}
	}
	return s.step(ctx, map[string]any{"step": "restore"})
}
