package runner

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// candidate is a page that may come next, with the targets that tell it.
type candidate struct {
	page   *wizard.Page
	bonus  int
	first  int // index of its first target in the survey
	fields int // number of field targets, the continue button follows them
}

// recognise finds out which page of the wizard is shown. A nil page means that
// the form is past its questions: the answer, or something unknown that finish
// will judge.
func (r *run) recognise(ctx context.Context) (*wizard.Page, error) {
	for looks := 0; ; looks++ {
		if err := verdict(r.place, r.number()); err != nil {
			return nil, err
		}
		found, err := r.match(ctx, r.place)
		if err != nil || found != nil {
			return found, err
		}
		if r.current != nil && r.remaining() == 0 {
			return nil, nil
		}
		if ok, err := r.answered(ctx); err != nil || ok {
			return nil, err
		}
		switch looks {
		case 0:
			err = r.look(ctx)
		case 1: // forms that draw the next questions a moment after the old ones went
			if err = r.page.Calm(ctx, lateQuestions); err == nil {
				err = r.look(ctx)
			}
		default:
			return nil, r.unknownPage(ctx, r.place)
		}
		if err != nil {
			return nil, err
		}
	}
}

// lateQuestions is how long a page must have been quiet for its questions not to be
// on their way any more.
const lateQuestions = 500 * time.Millisecond

// look waits until the page has come to rest and says where the form is.
func (r *run) look(ctx context.Context) error {
	if err := r.page.Settle(ctx); err != nil {
		return err
	}
	place, err := r.page.Place(ctx)
	r.place = place
	return err
}

// remaining counts the planned pages after the current one that were not left
// yet. Pages before it were skipped by the form: a wizard without conditions
// cannot know that it may.
func (r *run) remaining() int {
	n := 0
	for _, p := range r.plan {
		if p.Page.PageNumber > r.number() && !r.done[p.Page.PageNumber] {
			n++
		}
	}
	return n
}

// match surveys the targets of all pages that may come and takes the best. The
// page that is to come next is looked at alone first, with the step that led here,
// if that is enough to decide.
func (r *run) match(ctx context.Context, place page.Place) (*wizard.Page, error) {
	cands, targets := r.candidates()
	if len(cands) == 0 {
		return nil, nil
	}
	seen := r.step.Next // at the page that this step has led to, taken once
	r.step.Next = nil
	if len(seen) == cands[0].size() && cands[0].settles(seen, cands[1:], place) {
		return cands[0].page, nil
	}
	if len(seen) != len(targets) {
		var err error
		if seen, err = r.page.Survey(ctx, targets); err != nil {
			return nil, err
		}
	}
	var best *wizard.Page
	top := 0
	for _, c := range cands {
		if s := c.score(seen, place); s > top {
			best, top = c.page, s
		}
	}
	return best, nil
}

// soonest are the targets to look at in the moment in which the next page comes:
// those of the page that is to come. Where none is, or where neither its address nor
// its heading can tell it from the others, they are those of all pages.
func (r *run) soonest() []page.Target {
	cands, targets := r.candidates()
	if len(cands) == 0 {
		return nil
	}
	c := cands[0]
	if c.bonus == plannedBonus && (c.page.URLPattern != "" || c.page.PageTitle != "") {
		return targets[:c.size()]
	}
	return targets
}

// size is the number of a candidate's targets.
func (c candidate) size() int { return c.fields + 1 }

// settles reports whether no look at the others can find a better page than this
// one, which comes before them: seen holds its own targets only.
func (c candidate) settles(seen []page.Sight, others []candidate, at page.Place) bool {
	s := c.score(seen, at)
	return s > 0 && !slices.ContainsFunc(others, func(o candidate) bool { return o.most(at) > s })
}

// most is the highest score that the candidate can have at this place.
func (c candidate) most(at page.Place) int {
	everything := make([]page.Sight, c.first+c.size())
	for i := range everything {
		everything[i].Visible = true
	}
	return c.score(everything, at)
}

// candidates are the pages not yet left: planned ones in order, then the ones
// that the plan leaves out, then the current page. On equal evidence the first
// wins, so that a page is only "still there" when nothing else is.
func (r *run) candidates() ([]candidate, []page.Target) {
	planned := map[int]bool{}
	for _, p := range r.plan {
		planned[p.Page.PageNumber] = true
	}
	var cands []candidate
	var targets []page.Target
	add := func(p *wizard.Page, bonus int) {
		c := candidate{page: p, bonus: bonus, first: len(targets), fields: len(p.Fields)}
		for i := range p.Fields {
			targets = append(targets, fieldTarget(&p.Fields[i]))
		}
		targets = append(targets, buttonTarget(p.ContinueButton))
		cands = append(cands, c)
	}
	for _, want := range []bool{true, false} {
		for _, p := range r.job.Entry.Wizard.OrderedPages() {
			if planned[p.PageNumber] == want && !r.done[p.PageNumber] && p != r.current {
				add(p, map[bool]int{true: plannedBonus}[want])
			}
		}
	}
	if r.current != nil {
		add(r.current, 0)
	}
	return cands, targets
}

// plannedBonus decides between equal pages for the one that the answers lead to.
const plannedBonus = 5

// score weighs what is visible of the page: fields most, then address, heading
// and button. Zero means that nothing speaks for it.
func (c candidate) score(seen []page.Sight, at page.Place) int {
	s, visible := 0, 0
	for i := range c.fields {
		if seen[c.first+i].Visible {
			visible++
		}
	}
	button := seen[c.first+c.fields].Visible
	address, heading := sameAddress(c.page.URLPattern, at.URL), sameText(c.page.PageTitle, at.Heading)
	switch {
	case visible > 0:
		s = 100 + 100*visible/c.fields
	case c.fields == 0 && button && (address || heading):
		s = 100
	default:
		return 0
	}
	if address {
		s += 40
	}
	if heading {
		s += 40
	}
	if button {
		s += 20
	}
	return s + c.bonus
}

// sameAddress compares without query and fragment; v1.1 holds full addresses.
func sameAddress(pattern, at string) bool {
	if pattern == "" {
		return false
	}
	p, err1 := url.Parse(pattern)
	u, err2 := url.Parse(at)
	if err1 != nil || err2 != nil {
		return false
	}
	return strings.TrimSuffix(p.Path, "/") == strings.TrimSuffix(u.Path, "/")
}

func sameText(a, b string) bool {
	return a != "" && strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// unknownPage explains a page that is none of the wizard's.
func (r *run) unknownPage(ctx context.Context, at page.Place) error {
	errs, err := r.page.Errors(ctx, nil)
	if err != nil {
		return err
	}
	if len(errs) > 0 && r.current != nil {
		return r.rejected(errs)
	}
	next, field := "its first page", ""
	if p := r.nextPlanned(); p != nil {
		next = "page " + itoa(p.PageNumber) + " (" + p.PageTitle + ")"
		if len(p.Fields) > 0 {
			field = p.Fields[0].FieldID
		}
	}
	p := failed(TypeSelector, r.number(), "expected %s, but none of its fields is on the page %q", next, at.Heading)
	p.field = field
	if r.current != nil {
		p.typ, p.action = TypeUnexpectedPage, actionFor(TypeUnexpectedPage)
	}
	return p
}

// nextPlanned is the page that was to come. The current one is left by then,
// though nothing has proved it yet.
func (r *run) nextPlanned() *wizard.Page {
	for _, p := range r.plan {
		if !r.done[p.Page.PageNumber] && p.Page != r.current {
			return p.Page
		}
	}
	return nil
}
