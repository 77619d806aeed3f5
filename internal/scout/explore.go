package scout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
)

// Request is a form to be explored without a model.
type Request struct {
	URL string
	// ID and Name of the wizard; made from the page's title when empty.
	ID, Name string
	// Foreign tells whether an id that is made from a title belongs to a wizard of
	// another form; nil: none does.
	Foreign func(id string) bool
	// Start is the text or selector of the button that leads in, for start pages
	// that have several.
	Start string
	// AllowSubmit lets the exploration press the button that submits. Without it
	// nothing after that button is seen.
	AllowSubmit bool
	// MaxPasses bounds how often the form is gone through.
	MaxPasses int
	// Progress is told what is found, in words; it must not block.
	Progress func(string)
}

// defaultPasses is the bound of passes when a request names none.
const defaultPasses = 150

// Explorer goes through one form, several times, and puts together what it saw.
type Explorer struct {
	// turn is held by the pass that is at work, when several go at the same time.
	// It is nil when there is only one.
	turn  *sync.Mutex
	plan  Request
	open  func(ctx context.Context) (*browser.Tab, error)
	log   *slog.Logger
	clock func() time.Time

	graph      graph
	passes     []*pass
	bases      []*base
	entry      []entryStep
	entered    bool
	sentItself bool // the form, when it was answered
	startTaken bool
	otherWays  []string
	choices    map[string]page.Opened          // what choices showed when they were opened
	picks      map[string]string               // types of values that boxes with a calendar take, "" without one
	offers     map[string][]page.ControlOption // some of open-ended lists
	off        map[string][]*node              // steps to which changed answers did not lead
	seen       map[string]bool                 // addresses whose steps were given time once
	remarks    []string
	unseen     []string // parts of the page that did not come
	prompted   bool     // a message box asked for a text
	whole      budget
	left       budget // of it
	blind      bool   // passes fill in everything
	pictures   bool   // take pictures of every step
	width      int    // of the window, CSS pixels
}

// entryStep is a click before the first step of the form.
type entryStep struct {
	press    page.Press
	optional bool
}

// newExplorer returns an explorer that has seen nothing.
func newExplorer(plan Request, open func(ctx context.Context) (*browser.Tab, error), log *slog.Logger) *Explorer {
	if plan.MaxPasses <= 0 {
		plan.MaxPasses = defaultPasses
	}
	x := &Explorer{plan: plan, open: open, log: log, clock: time.Now, graph: graph{taken: map[string]bool{}}, choices: map[string]page.Opened{}, picks: map[string]string{}, offers: map[string][]page.ControlOption{}, off: map[string][]*node{}, seen: map[string]bool{}}
	return x.allow(wholeBudget)
}

// away lets other passes work while this one waits for the browser.
func (x *Explorer) away(wait func()) {
	if x.turn != nil {
		x.turn.Unlock()
		defer x.turn.Lock()
	}
	wait()
}

func (x *Explorer) now() time.Time { return x.clock() }

// candidates are values for a question: what it was seen to offer goes before what
// its words suggest.
func (x *Explorer) candidates(k *known, c page.Control) []any {
	c.Hint += k.told
	list := candidates(c, x.now())
	if c.Kind != page.KindTypeahead || len(c.Options) > 0 {
		return list
	}
	var seen []any
	for _, o := range x.offers[k.ident] {
		if len(seen) < manySeen {
			seen = append(seen, optionValue(o))
		}
	}
	return append(seen, list...)
}

// manySeen is how many suggestions of an open-ended list are tried.
const manySeen = 5

func (x *Explorer) report(format string, args ...any) {
	if x.plan.Progress != nil {
		x.plan.Progress(fmt.Sprintf(format, args...))
	}
}

// remark keeps something that a person should know about the result.
func (x *Explorer) remark(format string, args ...any) {
	r := fmt.Sprintf(format, args...)
	if !slices.Contains(x.remarks, r) {
		x.remarks = append(x.remarks, r)
	}
}

// exploreInTime is explore within a part of the time that there is. What was seen
// by then, or until somebody ended it, is kept.
func (x *Explorer) exploreInTime(ctx context.Context) error {
	part, cancel := exploring(ctx, x.now())
	defer cancel()
	err := x.explore(part)
	if err == nil || part.Err() == nil || len(x.graph.nodes) == 0 {
		return err
	}
	why := "its time is over"
	if errors.Is(context.Cause(ctx), context.Canceled) {
		why = "it was ended"
	}
	x.remark("the exploration was cut short: %s; not every answer was tried", why)
	return nil
}

// explore goes through the form until nothing new is to be expected.
func (x *Explorer) explore(ctx context.Context) error {
	first, err := x.take(ctx, route{})
	if err != nil {
		return err
	}
	for range relearn {
		if first.complete() || !first.learned || x.spent(ctx) {
			break
		}
		if first, err = x.take(ctx, route{}); err != nil {
			return err
		}
	}
	if !first.complete() && len(x.graph.nodes) > 0 && first.end != endHuman && !x.spent(ctx) {
		whole, err := x.take(ctx, route{blind: true})
		if err != nil {
			return err
		}
		if whole.complete() {
			first, x.blind = whole, true
			x.remark("the form does not say step by step what it needs: what is required is a guess")
		}
	}
	if first.end == endHuman && len(x.graph.nodes) == 0 {
		return humanFault(first)
	}
	if len(x.graph.nodes) == 0 {
		why := "There is no form on the page: nothing to fill in and no button that leads to one."
		if len(x.unseen) > 0 {
			why += " Parts of it did not come: " + strings.Join(x.unseen, "; ") + "."
		}
		return fault.New(fault.Failed, "no_form", why, "Give the address of the form's first page, or the button that leads to it with --start.")
	}
	if err := x.probeSteps(ctx); err != nil {
		return err
	}
	if first.broken {
		return nil // whatever is answered, it ends there
	}
	if len(first.path) > 1 || x.plan.AllowSubmit { // else nothing comes after the only step that may be seen
		if err := x.tasteAll(ctx); err != nil {
			return err
		}
		if err := x.giveOptional(ctx); err != nil {
			return err
		}
	}
	if err := x.flipAll(ctx); err != nil {
		return err
	}
	if err := x.leaveOut(ctx); err != nil {
		return err
	}
	return x.spare(ctx)
}

// flipAll changes one answer at a time, on every way that led to steps of its
// own.
func (x *Explorer) flipAll(ctx context.Context) error {
	for at := 0; at < len(x.bases); at++ {
		for {
			if err := x.probeSteps(ctx); err != nil {
				return err
			}
			if x.spent(ctx) {
				return nil
			}
			work := x.nextFlips(x.bases[at])
			if len(work) == 0 {
				break
			}
			if len(x.passes) >= x.plan.MaxPasses {
				x.remark("the exploration ended after %d passes; not every answer was tried on its own", len(x.passes))
				return nil
			}
			if err := x.together(ctx, work); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextFlips are the next answers to be changed, as many as are tried at once.
func (x *Explorer) nextFlips(b *base) []func(context.Context, int) error {
	var work []func(context.Context, int) error
	for len(work) < abreast {
		f, ok := x.nextFlip(b)
		if !ok {
			break
		}
		work = append(work, func(ctx context.Context, rank int) error { return x.try(ctx, f, rank) })
	}
	return work
}

// route is what a pass is to do differently.
type route struct {
	rank  int // among those that go at the same time
	base  *base
	flip  *flip
	taste taste
	probe *node
	blind bool // fill in everything
}

// relearn is how often the first pass begins again with what it has learned.
const relearn = 3

// overrides are the answers that the pass has settled.
func (r route) overrides() map[string]any {
	out := map[string]any{}
	if r.base != nil {
		out = copyOf(r.base.answers)
	}
	if r.flip != nil {
		if !r.base.asks(r.flip.known.id) { // else its way brings the question up, and stays itself
			maps.Copy(out, r.flip.known.context)
		}
		if out[r.flip.known.id] = r.flip.value; r.flip.omit {
			delete(out, r.flip.known.id)
		}
	}
	if r.probe != nil {
		maps.Copy(out, r.probe.context)
	}
	return out
}

// base is a way through the form that led to steps of its own.
type base struct {
	answers map[string]any
	pass    *pass
	tried   map[string]bool
	// focus is the step for whose questions the way is gone again, when its steps
	// are known: only what keeps the form on them is changed.
	focus *node
}

// asks reports whether the question came up on the way.
func (b *base) asks(id string) bool { return b != nil && b.pass != nil && b.pass.asked[id] }

// maxBases bounds how many ways get all of their answers changed.
const maxBases = 8

// take goes one route and keeps what was seen.
func (x *Explorer) take(ctx context.Context, r route) (*pass, error) {
	p, err := x.walk(ctx, r)
	if err != nil {
		if ctx.Err() != nil || len(x.graph.nodes) == 0 {
			return p, err
		}
		// One branch that breaks does not spoil what was seen.
		p.end, p.why, p.broken = endStuck, fault.From(err).Message, true
	}
	p.rank = r.rank
	x.passes = append(x.passes, p)
	if p.complete() {
		for _, l := range p.let {
			l.known.need = append(l.known.need, l.moment)
		}
	}
	if r.flip != nil && p.complete() {
		x.note(r.flip, p)
	}
	if p.complete() && len(x.bases) < maxBases && (x.unbased(p) || x.unheard(p) != nil) {
		b := &base{answers: map[string]any{}, pass: p, tried: map[string]bool{}}
		if !x.unbased(p) {
			b.focus = x.unheard(p)
		}
		for id, a := range p.answers {
			b.answers[id] = plainAnswer(a)
		}
		x.bases = append(x.bases, b)
	}
	what := r.taste.String()
	if r.flip != nil && r.flip.give {
		what = fmt.Sprintf(" with %s, too", labelOf(r.flip.known.control))
	} else if r.flip != nil && r.flip.omit {
		what = fmt.Sprintf(" without %s", labelOf(r.flip.known.control))
	} else if r.flip != nil {
		what = fmt.Sprintf(" with %s = %v", labelOf(r.flip.known.control), r.flip.value)
		if r.flip.spare != nil {
			what += " and little else"
		}
	}
	switch p.end {
	case endStuck, endHuman:
		x.report("pass %d%s ended at %q: %s", len(x.passes), what, titleOfPlace(p.last), p.why)
	case endFinal, endResults:
		x.report("pass %d%s: %s", len(x.passes), what, count(len(p.path), "step"))
	}
	return p, nil
}

// unbased reports whether a pass came by a step that no base comes by.
func (x *Explorer) unbased(p *pass) bool {
	return slices.ContainsFunc(p.path, func(n *node) bool {
		return !slices.ContainsFunc(x.bases, func(b *base) bool { return slices.Contains(b.pass.path, n) })
	})
}

// try takes a pass with one answer changed. When a number leads elsewhere or to
// other questions than the value before it, the border between the two is looked
// for.
func (x *Explorer) try(ctx context.Context, f flip, rank int) error {
	r := route{base: f.base, flip: &f, rank: rank}
	p, err := x.take(ctx, r)
	if err == nil && !p.complete() && p.learned {
		p, err = x.take(ctx, r)
	}
	if p.end == endStuck && !f.omit && spelling(f.value) == "" && len(f.known.need) == 0 {
		f.known.need = append(f.known.need, moment{copyOf(p.answers), true})
	}
	if err != nil || !f.number {
		return err
	}
	was := f.base.pass
	if !p.complete() || p.like(was) {
		return nil
	}
	near, ok := scaleOf(spelling(plainAnswer(was.answers[f.known.id])))
	far, ok2 := scaleOf(f.value.(string))
	if !ok || !ok2 {
		return nil
	}
	near, far = math.Floor(near), math.Floor(far)
	for abs(far-near) > 1 && len(x.passes) < x.plan.MaxPasses && !x.spent(ctx) {
		mid := f.known.between(near, far)
		g := f
		g.value = written(mid, f.known.control)
		q, err := x.take(ctx, route{base: f.base, flip: &g, rank: rank})
		if err != nil {
			return err
		}
		if !q.complete() {
			return nil
		}
		if q.like(was) {
			near = mid
		} else {
			far = mid
		}
	}
	f.known.borders = append(f.known.borders, near, far)
	x.report("%s: the form goes another way between %v and %v", labelOf(f.known.control), min(near, far), max(near, far))
	return nil
}

// between is the next number to try when the form goes another way somewhere
// between two: one at which another way through the form went elsewhere, or the
// middle.
func (k *known) between(near, far float64) float64 {
	for _, b := range k.borders {
		if min(near, far) < b && b < max(near, far) {
			return b
		}
	}
	return math.Floor((near + far) / 2)
}

// scaleOf reads a number, or the year of a date.
func scaleOf(s string) (float64, bool) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return float64(t.Year()), true
	}
	return number(s)
}

// written is a whole number as the control takes it.
func written(n float64, c page.Control) string {
	switch {
	case c.Kind == page.KindDate:
		return fmt.Sprintf("%.0f-01-01", n)
	case c.Format == "zip":
		return fmt.Sprintf("%05.0f", n)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func abs(n float64) float64 { return max(n, -n) }

// flip is one answer to be changed on a way through the form.
type flip struct {
	base   *base
	known  *known
	value  any
	number bool
	omit   bool  // no answer of the pass's own
	give   bool  // an example, although it may be left out
	spare  *node // what this step insisted on so far is left out at first
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func humanFault(p *pass) error {
	kind, action := "human_required", "Let a person do this step, or explore a page behind it."
	if p.last.Verdict.Kind == page.VerdictBlocked {
		kind, action = "blocked", "The site does not serve programs here. Ask its owner, or try --headed on your own machine."
	}
	return fault.New(fault.Denied, kind, "The form cannot be explored: "+p.why+".", action)
}

// probeSteps probes every step that was not yet, each in a pass of its own, so
// that trying answers leaves no trace in the passes that count.
func (x *Explorer) probeSteps(ctx context.Context) error {
	for {
		var work []func(context.Context, int) error
		for _, n := range x.graph.nodes {
			if n.probed || len(work) == abreast {
				continue
			}
			n.probed = true
			if len(n.controls) == 0 {
				continue
			}
			x.report("probing %q: %d questions", titleOf(n), len(n.controls))
			work = append(work, func(ctx context.Context, rank int) error {
				_, err := x.take(ctx, route{probe: n, rank: rank})
				return err
			})
		}
		if len(work) == 0 || x.spent(ctx) {
			return nil
		}
		if err := x.together(ctx, work); err != nil {
			return err
		}
	}
}

// Bounds of the answers of one question that get a pass of their own.
const (
	maxFlips     = 12
	sampledFlips = 2
)
