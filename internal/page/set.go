package page

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// setArg is the argument of the page-side set.
type setArg struct {
	Run     int      `json:"run"`
	Answers []Answer `json:"answers"`
	From    int      `json:"from"`
	// Step says how far answer From has got: empty, wait, or what real input
	// was given since.
	Step string `json:"step"`
	// Only stops after answer From.
	Only bool `json:"only"`
	// Idle: no more requests in flight than before the first answer.
	Idle    bool  `json:"idle"`
	Timeout int64 `json:"timeout"`
	Quiet   int64 `json:"quiet"`
	Fresh   bool  `json:"fresh"`
	// Once leaves out the second look.
	Once bool `json:"once"`
}

type setReply struct {
	Outcomes []Outcome `json:"outcomes"`
	At       int       `json:"at"`
	Need     *need     `json:"need"`
	// Late are answers that the page changed again after they were read back.
	Late []int `json:"late"`
}

// Set brings the fields into the state of the answers, in order, and reads
// every one back. Fields that an earlier answer brings up are waited for as
// long as the page is active.
func (p *Page) Set(ctx context.Context, answers []Answer) ([]Outcome, error) {
	return p.set(ctx, answers, false)
}

// Enter is Set for a caller who calls Verify before the page is left, and Set
// when that finds another value. It leaves out the second look at what the page
// did to the values two frames later.
func (p *Page) Enter(ctx context.Context, answers []Answer) ([]Outcome, error) {
	return p.set(ctx, answers, true)
}

func (p *Page) set(ctx context.Context, answers []Answer, once bool) ([]Outcome, error) {
	out := make([]Outcome, 0, len(answers))
	for from := 0; from < len(answers); {
		to := from + 1
		for to < len(answers) && pathKey(answers[to].Target.Frame) == pathKey(answers[from].Target.Frame) {
			to++
		}
		got, err := p.setHere(ctx, answers[from:to], once)
		out = append(out, got...)
		p.remember(answers[from:to], got)
		if err != nil {
			return out, err
		}
		from = to
	}
	return out, nil
}

// remember keeps what was set, in memory only, so that Advance can see whether
// the page lost it again.
func (p *Page) remember(answers []Answer, got []Outcome) {
	for i, o := range got {
		if !o.State.OK() {
			continue
		}
		id := answers[i].ID
		at := slices.IndexFunc(p.last, func(a Answer) bool { return a.ID == id })
		if at < 0 {
			p.last = append(p.last, answers[i])
		} else {
			p.last[at] = answers[i]
		}
	}
}

// reloaded tells whether a frame with answers has loaded another document since
// they were set.
func (p *Page) reloaded() bool {
	now := p.docs()
	return slices.ContainsFunc(p.last, func(a Answer) bool {
		key := pathKey(a.Target.Frame)
		then := p.filled[key]
		return then.frame != "" && now[then.frame] != then.docs
	})
}

// docs counts the documents of every frame.
func (p *Page) docs() map[browser.FrameID]int {
	out := map[browser.FrameID]int{}
	for _, f := range p.tab.Frames() {
		out[f.ID] = f.Docs
	}
	return out
}

// filledDoc is the document in which answers were set last.
type filledDoc struct {
	frame browser.FrameID
	docs  int
}

// fills records which document the next answers go into.
func (p *Page) fills(path []string, frame browser.FrameID) {
	p.filled[pathKey(path)] = filledDoc{frame, p.docs()[frame]}
}

// restore sets the answers again that the page has lost. It reports whether
// there were any.
func (p *Page) restore(ctx context.Context) (bool, error) {
	last := slices.Clone(p.last)
	got, err := p.Verify(ctx, last)
	if err != nil {
		return false, err
	}
	var lost []Answer
	for i, o := range got {
		// A frame that is loading itself again has lost what was in it too.
		if o.State == StateValueMismatch || o.State == StateNotFound && len(last[i].Target.Frame) > 0 {
			lost = append(lost, last[i])
		}
	}
	if len(lost) == 0 {
		return false, nil
	}
	_, err = p.Set(ctx, lost)
	return true, err
}

// setHere sets answers that share one frame.
func (p *Page) setHere(ctx context.Context, answers []Answer, once bool) ([]Outcome, error) {
	path := answers[0].Target.Frame
	frame, err := p.frameSoon(ctx, path)
	if errors.Is(err, errNoFrame) {
		return withoutFrame(answers), nil
	}
	if err != nil {
		return nil, err
	}
	p.runs++
	p.fills(path, frame)
	f := &filling{page: p, path: path, frame: frame, baseline: p.tab.Doc().InFlight, out: make([]Outcome, len(answers))}
	f.arg = setArg{Run: p.runs, Answers: answers, Timeout: p.ElementTimeout.Milliseconds(), Quiet: quietTime.Milliseconds(), Once: once}
	late, err := f.run(ctx)
	if err != nil {
		return f.out[:f.arg.From], err
	}
	for _, i := range late {
		p.runs++
		f.arg.Run, f.arg.From, f.arg.Step, f.arg.Only = p.runs, i, "keys", true
		if _, err := f.run(ctx); err != nil {
			return f.out, err
		}
	}
	return f.out, nil
}

func withoutFrame(answers []Answer) []Outcome {
	out := make([]Outcome, len(answers))
	for i, a := range answers {
		out[i] = Outcome{ID: a.ID, State: StateNotFound, Message: "its frame is not on the page"}
	}
	return out
}

// filling is one series of answers on its way into one frame.
type filling struct {
	page     *Page
	path     []string
	frame    browser.FrameID
	baseline int
	arg      setArg
	out      []Outcome
	lost     int // documents that went away under it
}

// lostLimit bounds how often a form may load itself anew while it is filled.
const lostLimit = 20

// run lets the script work and does what it asks for, until all is done.
func (f *filling) run(ctx context.Context) (late []int, err error) {
	for {
		f.arg.Idle = !f.page.busy(f.baseline)
		var r setReply
		err := f.page.invoke(ctx, f.frame, call{"set", f.arg}, &r)
		if errors.Is(err, browser.ErrNavigated) && ctx.Err() == nil && f.lost < lostLimit {
			if err := f.again(ctx); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		copy(f.out[f.arg.From:], r.Outcomes)
		f.arg.From = r.At
		if r.Need == nil {
			return r.Late, nil
		}
		if err := f.meet(ctx, r.Need); err != nil {
			return nil, err
		}
		f.arg.Step = r.Need.Step
	}
}

// again finds the frame's new document. Setting states anew in it is harmless;
// only an Enter that led there is not pressed twice.
func (f *filling) again(ctx context.Context) error {
	f.lost++
	if f.arg.Step == "entered" {
		a := f.arg.Answers[f.arg.From]
		f.out[f.arg.From] = Outcome{ID: a.ID, State: StateSet, Via: ViaKeys, Used: a.Target.Selector}
		f.arg.From++
	}
	f.arg.Step = ""
	if err := f.page.loaded(ctx); err != nil {
		return err
	}
	frame, err := f.page.frameSoon(ctx, f.path)
	if err != nil {
		return err
	}
	f.page.runs++
	f.page.fills(f.path, frame)
	f.frame, f.arg.Run = frame, f.page.runs
	return nil
}

// need is what the script cannot do itself.
type need struct {
	What string `json:"what"` // wait, click, type, enter, press
	Step string `json:"step"` // how to go on after it
	// Point tells whether X and Y are a place to press first.
	Point bool    `json:"point"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Text  string  `json:"text"`
	// Keep adds to what is there instead of replacing it.
	Keep bool     `json:"keep"`
	Keys []string `json:"keys"`
	// Missing: nothing matched, so that hidden roots are worth a look.
	Missing bool `json:"missing"`
}

// pasteAbove is the length from which text is inserted at once.
const pasteAbove = 300

// meet gives the page the real input that the script asked for.
func (f *filling) meet(ctx context.Context, n *need) error {
	tab := f.page.tab
	if n.What == "wait" {
		if n.Missing {
			_, err := f.page.pierce(ctx, f.frame)
			return err
		}
		return ctx.Err()
	}
	if n.Point {
		if err := tab.Click(ctx, f.frame, n.X, n.Y); err != nil {
			return err
		}
	}
	switch n.What {
	case "type":
		if !n.Keep {
			if err := tab.Press(ctx, f.frame, "Control+A", "Backspace"); err != nil {
				return err
			}
		}
		// A line break or a tab as a key would press a button or leave the field.
		if len(n.Text) > pasteAbove || strings.ContainsFunc(n.Text, unicode.IsControl) {
			return tab.InsertText(ctx, f.frame, n.Text)
		}
		return tab.Type(ctx, f.frame, n.Text)
	case "enter":
		return tab.Press(ctx, f.frame, "Enter")
	case "press":
		return tab.Press(ctx, f.frame, n.Keys...)
	}
	return nil
}

// Verify reads every answer back and changes nothing. The state is set where
// the page holds the value, value_mismatch where it holds another one.
func (p *Page) Verify(ctx context.Context, answers []Answer) ([]Outcome, error) {
	began := time.Now()
	out := withoutFrame(answers)
	for _, g := range byFrame(len(answers), func(i int) []string { return answers[i].Target.Frame }) {
		frame, err := p.frame(ctx, g.path)
		if errors.Is(err, errNoFrame) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list := make([]Answer, len(g.indexes))
		for n, i := range g.indexes {
			list[n] = answers[i]
		}
		var got []Outcome
		if err := p.read(ctx, frame, call{"verify", map[string]any{"answers": list}}, &got); err != nil {
			return nil, err
		}
		for n, o := range got {
			o.Ms = int(time.Since(began).Milliseconds())
			out[g.indexes[n]] = o
		}
	}
	return out, nil
}
