package scout

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Request is a form to be explored without a model.
type Request struct {
	URL string
	// ID and Name of the wizard; made from the page's title when empty.
	ID, Name string
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
	plan  Request
	open  func(ctx context.Context) (*browser.Tab, error)
	log   *slog.Logger
	clock func() time.Time

	graph      graph
	passes     []*pass
	entry      []entryStep
	entered    bool
	startTaken bool
	otherWays  []string
	choices    map[string]choice
	remarks    []string
	pictures   bool // take pictures of every step
	width      int  // of the window, CSS pixels
}

// entryStep is a click before the first step of the form.
type entryStep struct {
	press    page.Press
	optional bool
}

// choice is what a control offers once it is opened.
type choice struct {
	list     []page.ControlOption
	complete bool
}

// newExplorer returns an explorer that has seen nothing.
func newExplorer(plan Request, open func(ctx context.Context) (*browser.Tab, error), log *slog.Logger) *Explorer {
	if plan.MaxPasses <= 0 {
		plan.MaxPasses = defaultPasses
	}
	return &Explorer{plan: plan, open: open, log: log, clock: time.Now, graph: graph{taken: map[string]bool{}}, choices: map[string]choice{}}
}

func (x *Explorer) now() time.Time { return x.clock() }

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

// explore goes through the form until nothing new is to be expected.
func (x *Explorer) explore(ctx context.Context) error {
	first, err := x.go1(ctx, map[string]any{}, nil)
	if err != nil {
		return err
	}
	if first.end == endHuman && len(x.graph.nodes) == 0 {
		return humanFault(first)
	}
	if len(x.graph.nodes) == 0 {
		return fault.New(fault.Failed, "no_form", "There is no form on the page: nothing to fill in and no button that leads to one.",
			"Give the address of the form's first page, or the button that leads to it with --start.")
	}
	for {
		if err := x.probeSteps(ctx); err != nil {
			return err
		}
		f, ok := x.nextFlip()
		if !ok {
			break
		}
		if len(x.passes) >= x.plan.MaxPasses {
			x.remark("the exploration ended after %d passes; not every answer was tried on its own", len(x.passes))
			break
		}
		if err := x.try(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// try takes a pass with one answer changed. When a number leads elsewhere than
// the value before it, the border between the two is looked for.
func (x *Explorer) try(ctx context.Context, f flip) error {
	p, err := x.go1(ctx, f.overrides(), nil)
	if err != nil || !f.number {
		return err
	}
	base := x.passWith(f.known.context)
	if base == nil || !p.complete() || !base.complete() || slices.Equal(p.path, base.path) {
		return nil
	}
	near, ok := scaleOf(spelling(plainAnswer(base.answers[f.known.id])))
	far, ok2 := scaleOf(f.value.(string))
	if !ok || !ok2 {
		return nil
	}
	dated := f.known.control.Kind == page.KindDate
	if dated && abs(far-near) > 1 { // whole years: forms decide by them
		far = math.Floor(far)
		near = math.Floor(near)
	}
	for abs(far-near) > 1 && len(x.passes) < x.plan.MaxPasses {
		mid := math.Floor((near + far) / 2)
		g := f
		g.value = written(mid, dated)
		q, err := x.go1(ctx, g.overrides(), nil)
		if err != nil {
			return err
		}
		if !q.complete() {
			return nil
		}
		if slices.Equal(q.path, base.path) {
			near = mid
		} else {
			far = mid
		}
	}
	x.report("%s: the form goes another way from %v on", labelOf(f.known.control), far)
	return nil
}

// scaleOf reads a number, or the year of a date.
func scaleOf(s string) (float64, bool) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return float64(t.Year()), true
	}
	return number(s)
}

func written(n float64, dated bool) string {
	s := strconv.FormatFloat(n, 'f', -1, 64)
	if dated {
		return s + "-01-01"
	}
	return s
}

func abs(n float64) float64 { return max(n, -n) }

// passWith is the first pass with these settled answers.
func (x *Explorer) passWith(overrides map[string]any) *pass {
	for _, p := range x.passes {
		if p.end != endProbe && maps.EqualFunc(p.overrides, overrides, func(a, b any) bool { return spelling(a) == spelling(b) }) {
			return p
		}
	}
	return nil
}

// flip is one answer to be changed, against the context of its question.
type flip struct {
	known  *known
	value  any
	number bool
}

func (f flip) overrides() map[string]any {
	out := copyOf(f.known.context)
	out[f.known.id] = f.value
	return out
}

func humanFault(p *pass) error {
	kind, action := "human_required", "Let a person do this step, or explore a page behind it."
	if p.last.Verdict.Kind == page.VerdictBlocked {
		kind, action = "blocked", "The site does not serve programs here. Ask its owner, or try --headed on your own machine."
	}
	return fault.New(fault.Denied, kind, "The form cannot be explored: "+p.why+".", action)
}

// go1 takes one pass and keeps it.
func (x *Explorer) go1(ctx context.Context, overrides map[string]any, probe *node) (*pass, error) {
	p, err := x.walk(ctx, overrides, probe)
	if err != nil {
		if ctx.Err() != nil || len(x.passes) == 0 {
			return p, err
		}
		// One branch that breaks does not spoil what the others showed.
		x.remark("a pass ended early: %v", fault.From(err).Message)
		p.end, p.why = endStuck, fault.From(err).Message
	}
	x.passes = append(x.passes, p)
	if p.end == endStuck || p.end == endHuman {
		x.report("pass %d ended at %q: %s", len(x.passes), p.last.Heading, p.why)
	}
	return p, nil
}

// probeSteps probes every step that was not yet, each in a pass of its own, so
// that trying answers leaves no trace in the passes that count.
func (x *Explorer) probeSteps(ctx context.Context) error {
	for {
		i := slices.IndexFunc(x.graph.nodes, func(n *node) bool { return !n.probed })
		if i < 0 {
			return nil
		}
		n := x.graph.nodes[i]
		if len(n.controls) == 0 {
			n.probed = true
			continue
		}
		x.report("probing %q: %d questions", titleOf(n), len(n.controls))
		if _, err := x.go1(ctx, copyOf(n.context), n); err != nil {
			return err
		}
		n.probed = true
	}
}

// Bounds of the answers of one question that get a pass of their own.
const (
	maxFlips     = 12
	sampledFlips = 2
)

// nextFlip is the next answer that no pass has gone through with: every option
// may lead to other steps.
func (x *Explorer) nextFlip() (flip, bool) {
	for _, n := range x.graph.nodes {
		if n.final && !x.plan.AllowSubmit {
			continue // nothing behind it will be seen; probing has shown what is on it
		}
		for _, k := range n.controls {
			for _, v := range flips(k) {
				if k.tried[spelling(v)] {
					continue
				}
				k.tried[spelling(v)] = true
				return flip{known: k, value: v}, true
			}
		}
	}
	for _, n := range x.graph.nodes {
		for _, k := range n.controls {
			if n.final || k.extremes > 1 || !counts(k.control) {
				continue
			}
			k.extremes++
			if v := extreme(k.control, k.extremes == 2, x.now()); v != "" && !k.tried[v] {
				k.tried[v] = true
				return flip{known: k, value: v, number: true}, true
			}
		}
	}
	return flip{}, false
}

// flips are the answers of a question that may change where the form leads.
func flips(k *known) []any {
	switch k.control.Kind {
	case page.KindCheckbox:
		return []any{true}
	case page.KindRadio, page.KindSelect:
		list := candidates(k.control, time.Time{})
		if len(list) > maxFlips || k.dependent {
			return list[:min(sampledFlips, len(list))]
		}
		return list
	}
	return nil
}

// deciding are the words of numbers on which forms decide where to go.
var deciding = regexp.MustCompile(`(?i)birth|born|\byear|\bage\b|how many|number of|\bsize\b|household|children|dependents`)

// counts reports whether a field holds a number that may decide something.
func counts(c page.Control) bool {
	switch c.Kind {
	case page.KindDate:
		return c.Format != "month" && c.Format != "time" && born.MatchString(c.Label+" "+c.Group+" "+c.Name+" "+c.Autocomplete)
	case page.KindNumber, page.KindRange, page.KindText:
		return len(c.Options) == 0 && deciding.MatchString(c.Label+" "+c.Name) && (c.Kind != page.KindText || c.Format == "integer" || c.InputMode == "numeric" || yearly.MatchString(c.Label+" "+c.Name))
	}
	return false
}

var yearly = regexp.MustCompile(`(?i)\byear\b`)

// extreme is a low or a high value of such a number.
func extreme(c page.Control, high bool, now time.Time) string {
	low, top := 1.0, 9.0
	if c.Kind == page.KindDate {
		year := now.Year() - 85
		if high {
			year = now.Year() - 14
		}
		return written(float64(year), true)
	}
	if yearly.MatchString(c.Label + " " + c.Name) {
		low, top = float64(now.Year()-85), float64(now.Year()-12)
	}
	if n, ok := number(c.Min); ok && n > low {
		low = n
	}
	if n, ok := number(c.Max); ok && n < top {
		top = n
	}
	if low > top {
		return ""
	}
	if high {
		low = top
	}
	return strconv.FormatFloat(low, 'f', -1, 64)
}

// Discovery is what an exploration found.
type Discovery struct {
	Wizard   *wizard.Wizard
	Contract *wizard.Contract
	Coverage Coverage
	// Remarks are what a person should check.
	Remarks []string
	// Proofs are the replays of the draft; Proven is true when all of them held.
	Proofs []Proof
	Proven bool
	// Sights are pictures of every step, for the review page.
	Sights []Sight
}

// Sight is a picture of a step with the places of its fields.
type Sight struct {
	Page   int
	Tiles  []page.Image
	Width  float64             // of the page, in CSS pixels
	Places map[string]page.Box // by field id, in pixels of the page
}

// Coverage says how much of the form was seen.
type Coverage struct {
	Passes    int      `json:"passes"`
	PageLoads int      `json:"page_loads"`
	Complete  int      `json:"complete_passes"`
	Paths     []string `json:"paths"`  // sequences of steps that were gone through
	Unseen    []string `json:"unseen"` // what was not, and why
}
