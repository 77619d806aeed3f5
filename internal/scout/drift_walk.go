package scout

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
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
	trips    []trip          // what each branch came by
	found    map[string]bool // ids that were seen in some branch
	missing  map[string]Finding
	acting   map[int]bool    // pages whose button has submitted
	itself   map[int]bool    // pages that have submitted when they were answered
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

func newSurvey(x *Explorer, was, mended *wizard.Wizard) *survey {
	s := &survey{
		walker: &walker{Explorer: x}, was: was, wizard: mended, drift: &Drift{Findings: []Finding{}, Unreached: []string{}},
		found: map[string]bool{}, missing: map[string]Finding{}, gone: map[int]Finding{}, came: map[int]bool{}, listed: map[string]listing{},
		tried: map[string]bool{}, instead: map[string][2]any{}, acting: map[int]bool{}, itself: map[int]bool{},
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
	defer s.remember()
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
	if s.itself[p.PageNumber] {
		return true, nil
	}
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
