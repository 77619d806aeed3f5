package scout

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// survey goes through a form with a wizard in hand and mends the wizard as it
// goes, so that it can go on behind what has changed.
type survey struct {
	*walker
	was    *wizard.Wizard // as it is
	wizard *wizard.Wizard // as it is mended
	drift  *Drift
	strict bool // the wizard's words were the page's own

	data     wizard.Answers // of this branch
	answers  wizard.Answers // those that are asked for
	current  *wizard.Page   // nil before the first
	done     map[int]bool
	added    []addition
	inserted []insertion
	found    map[string]bool // ids that were seen in some branch
	missing  map[string]Finding
	needless int             // clicks of the way in without which the form is there
	headed   []Finding       // titles that are not the wizard's
	copied   bool            // some title is
	gone     map[int]Finding // pages that did not come
	came     map[int]bool    // pages that came in some branch
	listed   map[string]listing
	tried    map[string]bool                 // questions that a page was tried without: true while it is
	instead  map[string][2]any               // examples that the form refused, and those that it takes
	first    map[string][]page.ControlOption // what choices offered before anything was set
}

// listing is what a choice offered when it was opened.
type listing struct {
	list     []page.ControlOption
	complete bool
}

// addition is a question that the wizard does not have.
type addition struct {
	page    int
	after   string // the field before it
	control page.Control
	field   wizard.Field
}

// insertion is a page that the wizard does not have.
type insertion struct {
	after int
	node  *node
}

func newSurvey(x *Explorer, was, mended *wizard.Wizard) *survey {
	s := &survey{
		walker: &walker{Explorer: x}, was: was, wizard: mended, drift: &Drift{Findings: []Finding{}, Unreached: []string{}},
		found: map[string]bool{}, missing: map[string]Finding{}, gone: map[int]Finding{}, came: map[int]bool{}, listed: map[string]listing{},
		tried: map[string]bool{}, instead: map[string][2]any{},
	}
	_, s.strict = was.Extra[discoveryKey]
	for i := range was.Pages {
		for j := range was.Pages[i].Fields {
			x.graph.taken[was.Pages[i].Fields[j].FieldID] = true
		}
	}
	return s
}

// branch goes through the form once.
func (s *survey) branch(ctx context.Context, data wizard.Answers) error {
	tab, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if err := tab.Close(ctx); err != nil {
			s.log.Warn("closing a browser context", "error", err)
		}
	}()
	s.tab, s.page = tab, page.Open(ctx, tab)
	s.page.ElementTimeout = elementTime
	s.pass = &pass{overrides: map[string]any{}, answers: map[string]any{}}
	d := browser.DialogPolicy{Confirm: s.was.Dialogs == nil || s.was.Dialogs.Confirm != "dismiss"}
	if s.was.Dialogs != nil && s.was.Dialogs.Prompt != "" {
		d.Prompt = &s.was.Dialogs.Prompt
	}
	tab.SetDialogPolicy(d)
	s.data, s.current, s.done = data, nil, map[int]bool{}
	for id, v := range s.instead {
		if fmt.Sprint(data[id]) == fmt.Sprint(v[0]) {
			data[id] = v[1]
		}
	}
	s.settle()
	s.drift.Branches++
	if ok, err := s.goIn(ctx); err != nil || !ok {
		return err
	}
	for range 3*len(s.wizard.Pages) + maxInserted {
		if over, err := s.turn(ctx); err != nil || over {
			return err
		}
	}
	s.drift.unreached("%s: the form does not come to an end", s.behind())
	return nil
}

// discoveryKey is where a wizard says how it was discovered.
const discoveryKey = "discovery"

// maxInserted bounds how many pages a form may have that its wizard lacks.
const maxInserted = 10

// settle works out which answers the form asks for.
func (s *survey) settle() { s.answers = s.wizard.Effective(s.data) }

// turn works on what the form shows now. It reports whether the branch is over.
func (s *survey) turn(ctx context.Context) (over bool, err error) {
	if err := s.look(ctx); err != nil {
		return true, err
	}
	if v := s.place.Verdict; v.Kind != "" {
		s.drift.unreached("%s: the site asks for a person (%s: %s)", s.behind(), v.Kind, printable(clip(v.Evidence, 200)))
		return true, nil
	}
	p, err := s.recognise(ctx)
	if err != nil {
		return true, err
	}
	if p == nil {
		return s.unknown(ctx)
	}
	if s.done[p.PageNumber] {
		s.drift.unreached("%s: the form comes back to page %d", s.behind(), p.PageNumber)
		return true, nil
	}
	s.skipped(p)
	s.current = p
	s.came[p.PageNumber] = true
	if err := s.work(ctx, p); err != nil {
		return true, err
	}
	s.settle()
	if s.submits(p) {
		return true, s.last(ctx, p)
	}
	return s.leave(ctx, p)
}

// behind is where the rest begins, in words.
func (s *survey) behind() string {
	if s.current == nil {
		return "everything"
	}
	return "what comes after page " + itoa(s.current.PageNumber)
}

// submits reports whether the page's button is the real-world act.
func (s *survey) submits(p *wizard.Page) bool {
	if p.Submits {
		return true
	}
	return !slices.ContainsFunc(s.wizard.Plan(s.data), func(q wizard.PlannedPage) bool {
		return q.Page.PageNumber > p.PageNumber && !s.done[q.Page.PageNumber]
	})
}

// skipped notes the planned pages that did not come before this one.
func (s *survey) skipped(p *wizard.Page) {
	for _, q := range s.wizard.Plan(s.data) {
		n := q.Page.PageNumber
		if n >= p.PageNumber || s.done[n] || s.current != nil && n <= s.current.PageNumber {
			continue
		}
		s.gone[n] = Finding{
			Kind: FoundNoPage, Page: n, Title: q.Page.PageTitle, Was: q.Page.PageTitle, Breaks: false,
			Message: "the page " + quoted(q.Page.PageTitle) + " did not come; page " + itoa(p.PageNumber) + " came instead",
		}
	}
}

// recognise finds the page of the wizard that is shown, those that the answers
// lead to before the others.
func (s *survey) recognise(ctx context.Context) (*wizard.Page, error) {
	planned := map[int]bool{}
	for _, q := range s.wizard.Plan(s.data) {
		planned[q.Page.PageNumber] = true
	}
	var items []*item
	of := map[*wizard.Page][]*item{}
	var pages []*wizard.Page
	for _, want := range []bool{true, false} {
		for _, p := range s.wizard.OrderedPages() {
			if planned[p.PageNumber] == want && !s.done[p.PageNumber] {
				pages = append(pages, p)
				of[p] = itemsOf(p)
				items = append(items, of[p]...)
			}
		}
	}
	l, err := s.locate(ctx, items)
	if err != nil {
		return nil, err
	}
	rows, err := s.rowButtons(ctx, pages)
	if err != nil {
		return nil, err
	}
	var best *wizard.Page
	top := leastLike
	for _, p := range pages {
		score := s.resemblance(p, match(l, of[p], func(*item) bool { return true })) + rows[p]
		if planned[p.PageNumber] {
			score += 0.01
		}
		if score > top {
			best, top = p, score
		}
	}
	return best, nil
}

// rowButtons weighs the buttons that open rows: a page may ask nothing else.
func (s *survey) rowButtons(ctx context.Context, pages []*wizard.Page) (map[*wizard.Page]float64, error) {
	var targets []page.Target
	var of []*wizard.Page
	for _, p := range pages {
		for _, f := range p.Fields {
			if f.Repeatable && f.AddButtonSelector != "" {
				targets, of = append(targets, page.Target{Selector: f.AddButtonSelector, Frame: f.Frame}), append(of, p)
			}
		}
	}
	out := map[*wizard.Page]float64{}
	if len(targets) == 0 {
		return out, nil
	}
	seen, err := s.page.Survey(ctx, targets)
	for i, sight := range seen {
		if sight.Visible {
			out[of[i]] = 0.5
		}
	}
	return out, err
}

// leastLike is how much a page must look like one of the wizard.
const leastLike = 0.45

// resemblance weighs what the page shows of a page of the wizard: its questions,
// then its heading and address.
func (s *survey) resemblance(p *wizard.Page, pairs []*pair) float64 {
	expected, points := 0, 0.0
	for _, q := range pairs {
		asked := s.expects(p, q.item)
		if asked {
			expected++
		}
		switch {
		case q.how == byFirst || q.how == byOther:
			points++
		case q.how == byPage:
			points += 0.7
		case q.fails == failsHidden || q.fails == failsSeveral:
			points += 0.3
		}
	}
	score := 0.0
	if len(pairs) > 0 {
		score = min(1, points/float64(max(1, min(expected, len(pairs)))))
	}
	if s.sameHeading(p) {
		score += 0.5
	}
	if p.URLPattern != "" && pathOf(p.URLPattern) == pathOf(withoutQuery(s.place.URL)) {
		score += 0.15
		if len(pairs) == 0 {
			score += 0.2
		}
	}
	return score
}

func (s *survey) sameHeading(p *wizard.Page) bool {
	return letters(p.PageTitle) != "" && (letters(p.PageTitle) == letters(s.place.Heading) || letters(p.PageTitle) == letters(s.place.Title))
}

// expects tells whether the answers ask for an item of a page.
func (s *survey) expects(p *wizard.Page, it *item) bool {
	if !p.VisibleWhen.Holds(s.answers) || !it.field.VisibleWhen.Holds(s.answers) {
		return false
	}
	if it.traits == &it.field.Traits {
		return true
	}
	row, _ := s.answers[it.field.FieldID].(map[string]any)
	return it.traits.VisibleWhen.Holds(s.answers.InRow(row))
}

// unknown handles a page that is none of the wizard's: one that is new, or the
// end of what can be followed. It goes through a new one with examples.
func (s *survey) unknown(ctx context.Context) (over bool, err error) {
	title := quoted(titleOfPlace(s.place))
	asks := slices.ContainsFunc(s.inv.Controls, asked)
	if b, ok := onward(s.inv.Buttons, asks); !ok || !asks && roleOf(b) != roleContinue && roleOf(b) != roleStart {
		s.drift.unreached("%s: %s came, which is no page of the wizard and leads nowhere", s.behind(), title)
		return true, nil
	}
	if !s.mayPress() {
		s.drift.unreached("%s: %s came, which is no page of the wizard; it may be the one that submits, so its button was not pressed", s.behind(), title)
		return true, nil
	}
	at := 0
	if s.current != nil {
		at = s.current.PageNumber
	}
	before := len(s.pass.path)
	if _, err := s.walker.step(ctx); err != nil {
		return true, err
	}
	if len(s.pass.path) > before {
		n := s.pass.path[len(s.pass.path)-1]
		s.insert(at, n)
	}
	if s.pass.end != "" {
		s.drift.unreached("what comes after the new page %s: %s", title, map[bool]string{true: "its button may really submit, so it was not pressed", false: printable(clip(s.pass.why, 300))}[s.pass.end == endFinal])
		return true, nil
	}
	return false, nil
}

// mayPress tells whether the button of an unknown page is none that submits: the
// page could be the last one, changed beyond recognition.
func (s *survey) mayPress() bool {
	b, _ := onward(s.inv.Buttons, slices.ContainsFunc(s.inv.Controls, asked))
	left, last := 0, ""
	for _, q := range s.wizard.Plan(s.data) {
		if !s.done[q.Page.PageNumber] {
			left++
			last = q.Page.ContinueButton.Text
			if q.Page.Submits {
				break
			}
		}
	}
	return left > 1 || left == 1 && letters(b.Text) != letters(last) && !final(b, append(s.inv.Headings, s.place.Title))
}

func (s *survey) insert(after int, n *node) {
	if slices.ContainsFunc(s.inserted, func(i insertion) bool { return i.node == n }) {
		return
	}
	s.inserted = append(s.inserted, insertion{after, n})
	needs, names := false, []string{}
	for _, k := range n.controls {
		names = append(names, printable(labelOf(k.control)))
		needs = needs || k.control.Required || len(k.need) > 0
	}
	what := "it asks nothing"
	if len(names) > 0 {
		what = "it asks: " + list(names, 12)
	}
	where := "before page 1"
	if after > 0 {
		where = "after page " + itoa(after)
	}
	s.drift.add(Finding{
		Kind: FoundPage, Page: after, Title: printable(titleOf(n)), Is: printable(titleOf(n)), Required: needs, Breaks: true,
		Message: "there is a new page " + quoted(titleOf(n)) + " " + where + "; " + what,
	})
}

// goIn opens the form and takes the clicks before its first page.
func (s *survey) goIn(ctx context.Context) (bool, error) {
	s.entered = true // the wizard knows the way in
	if err := s.enter(ctx); err != nil {
		return false, err
	}
	steps := len(s.wizard.EntrySteps)
	if s.wizard.StartAction != nil {
		steps++
	}
	for i := range steps {
		if err := s.look(ctx); err != nil {
			return false, err
		}
		if ok, err := s.entryStep(ctx, i); err != nil || !ok {
			return s.needless > i, err
		}
	}
	return true, nil
}

// click is one click before the first page, however the wizard writes it.
type click struct {
	words    string
	selector *string
	kind     *string
	optional bool
}

func (s *survey) click(i int) click {
	if a := s.wizard.StartAction; a != nil {
		if i == 0 {
			if a.SelectorType == "" {
				a.SelectorType = "text"
			}
			return click{a.Description, &a.Selector, &a.SelectorType, false}
		}
		i--
	}
	e := &s.wizard.EntrySteps[i]
	return click{e.Description, &e.Selector, &e.SelectorType, e.Optional}
}

func (s *survey) entryStep(ctx context.Context, i int) (bool, error) {
	c := s.click(i)
	t := page.Target{Selector: *c.selector, Type: *c.kind}
	seen, err := s.page.Survey(ctx, []page.Target{t})
	if err != nil {
		return false, err
	}
	if !seen[0].Visible {
		if c.optional {
			return true, nil
		}
		if p, err := s.recognise(ctx); err != nil || p != nil {
			s.needless = i + 1
			s.drift.add(Finding{Kind: FoundEntry, Selector: *c.selector, Fails: failsNothing, Breaks: true, Message: "the click on " + quoted(*c.selector) + " is not needed any more: the form is there without it"})
			return false, err
		}
		b, ok := s.likePress(c.words+" "+*c.selector, starts(s.inv.Buttons))
		f := Finding{Kind: FoundEntry, Selector: *c.selector, Fails: failsNothing, Breaks: true}
		if ok {
			f.Works = &Works{Selector: b.Selector, From: fromPage, Score: b.Ways[0].Score}
			f.Is = printable(b.Text)
		}
		f.Message = "the way in, " + quoted(*c.selector) + ", " + failure(failsNothing, "") + f.Works.words()
		s.drift.add(f)
		if !ok {
			s.drift.unreached("everything: the way into the form was not found")
			return false, nil
		}
		*c.selector, *c.kind = b.Selector, "auto"
		t = page.Target{Selector: b.Selector, Type: "auto"}
	}
	step, err := s.page.Advance(ctx, t, page.Proof{})
	if err != nil {
		return false, err
	}
	if !step.Moved && !c.optional {
		s.drift.unreached("everything: the click on %s changed nothing", quoted(*c.selector))
		return false, nil
	}
	return true, nil
}

// likePress is the button that says what another one said, or the only one.
func (s *survey) likePress(words string, buttons []page.Press) (page.Press, bool) {
	best, top, second := page.Press{}, 0.0, 0.0
	for _, b := range buttons {
		if len(b.Ways) == 0 {
			continue
		}
		w := sameWords(words, b.Text)
		if w > top {
			best, top, second = b, w, top
		} else if w > second {
			second = w
		}
	}
	if top > second {
		return best, true
	}
	if len(buttons) == 1 && len(buttons[0].Ways) > 0 {
		return buttons[0], true
	}
	return page.Press{}, false
}

// passed checks the wizard's own proof of having left a page against what came.
func (s *survey) passed(p *wizard.Page) {
	a := p.Advance
	if a == nil {
		return
	}
	if a.Heading != "" && !strings.Contains(letters(s.place.Heading), letters(a.Heading)) {
		s.drift.add(Finding{Kind: FoundProof, Page: p.PageNumber, Title: p.PageTitle, Was: a.Heading, Is: printable(s.place.Heading), Breaks: true,
			Message: "the page after it is headed " + quoted(s.place.Heading) + ", not " + quoted(a.Heading)})
		a.Heading = printable(s.place.Heading)
	}
	if a.URLPattern != "" {
		if ok, err := regexp.MatchString(a.URLPattern, s.place.URL); err != nil || !ok {
			s.drift.add(Finding{Kind: FoundProof, Page: p.PageNumber, Title: p.PageTitle, Was: a.URLPattern, Is: withoutQuery(s.place.URL), Breaks: true,
				Message: "the page after it has the address " + quoted(withoutQuery(s.place.URL)) + ", which " + quoted(a.URLPattern) + " does not match"})
			a.URLPattern = "^" + regexp.QuoteMeta(withoutQuery(s.place.URL))
		}
	}
	if a.URLPattern == "" && a.Heading == "" && a.Selector == "" {
		p.Advance = nil
	}
}

// ambiguous tells whether a press failed because several elements match.
func ambiguous(err error) bool { return err != nil && fault.From(err).Type == TypeAmbiguous }
