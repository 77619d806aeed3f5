package runner

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// refills is how often values that a page lost again (a form that hydrates
// late wipes its inputs) are set once more before its button is pressed.
const refills = 4

// work fills the current page, takes its picture and presses its button.
func (r *run) work(ctx context.Context) error {
	p := r.current
	r.began, r.at, r.filled, r.skipped = time.Now(), withoutQuery(r.place.URL), nil, nil
	r.filling, r.document = true, r.tab.Doc().Seq
	r.job.progress(Progress{
		Done: len(r.done), Total: len(r.job.Entry.Wizard.Pages),
		Page: p.PageNumber, Title: p.PageTitle, State: "filling",
	})
	answers, err := r.answersFor(p)
	if err != nil {
		return err
	}
	if err := r.fill(ctx, answers); err != nil {
		return err
	}
	if err := r.rows(ctx); err != nil {
		return err
	}
	if r.submits(p) && r.job.Opts.stops() {
		if err := r.shown(ctx, answers); err != nil {
			return err
		}
		if err := r.canLeave(ctx); err != nil {
			return err
		}
		if r.tab.Doc().Seq != r.document {
			r.warn("page %d loaded itself again while it was filled in: the site may have got what was entered by then", r.number())
		}
		r.report(p, page.Step{})
		r.out.stopped = true
		return nil
	}
	if err := r.pageSeen(ctx); err != nil {
		return err
	}
	if err := r.leadsOn(ctx); err != nil {
		return err
	}
	return r.leave(ctx, answers)
}

// leadsOn refuses in a trial run a button that only leads on as the wizard knows it, and
// on the page is called by words of the act: a form that has changed must not be
// submitted by a run that promised not to. Nor does it press one of which the page
// says in a sentence that it submits.
func (r *run) leadsOn(ctx context.Context) error {
	was := r.current.ContinueButton.Text
	if !r.job.Opts.stops() {
		return nil
	}
	button := []page.Target{buttonTarget(r.current.ContinueButton)}
	says, err := r.page.Notices(ctx, button)
	if err != nil {
		return err
	}
	if says[0] != "" {
		return failed(TypeUnexpectedPage, r.number(), "page %d says of its button %q: %.200q. A run that must not submit does not press it; if it leads on all the same, run without that, and if it submits, set submits on the page of the wizard",
			r.number(), was, says[0])
	}
	if was == "" || page.Acts(was) {
		return nil
	}
	now, err := r.page.Texts(ctx, button)
	if err != nil || !page.Acts(now[0]) {
		return err
	}
	return failed(TypeUnexpectedPage, r.number(), "the button of page %d says %.100q, where the wizard knows %q: it may submit the form now, so that a run that must not submit does not press it",
		r.number(), now[0], was)
}

// canLeave looks for the button that a trial run does not press.
func (r *run) canLeave(ctx context.Context) error {
	seen, err := r.page.Survey(ctx, []page.Target{buttonTarget(r.current.ContinueButton)})
	if err != nil {
		return err
	}
	if !seen[0].Visible {
		return failed(TypeSelector, r.number(), "page %d is filled in, but its %q button is not there", r.number(), r.current.ContinueButton.Text)
	}
	return nil
}

// submits reports whether the page's button is the real-world act.
func (r *run) submits(p *wizard.Page) bool { return p.Submits || r.remaining() == 0 }

// shown takes the picture of a page that is not left and checks after it that the
// page still holds what was entered.
func (r *run) shown(ctx context.Context, answers []page.Answer) error {
	for try := 0; ; try++ {
		if err := r.pageSeen(ctx); err != nil {
			return err
		}
		lost, err := r.lost(ctx, answers)
		if err != nil || len(lost) == 0 {
			return err
		}
		if err := r.refill(ctx, answers, lost, try); err != nil {
			return err
		}
	}
}

// pageSeen takes the picture of the current page, in place of an earlier one.
func (r *run) pageSeen(ctx context.Context) error {
	p := r.current
	r.out.pictures = slices.DeleteFunc(r.out.pictures, func(old picture) bool { return old.page == p.PageNumber })
	return r.picture(ctx, p.PageNumber, p.PageTitle)
}

// refill sets the answers again, since the page has lost some.
func (r *run) refill(ctx context.Context, answers []page.Answer, lost []page.Outcome, try int) error {
	if try >= refills {
		return r.mismatch(lost)
	}
	return r.setAll(ctx, answers)
}

// sameTraffic reports whether nothing went between the browser and the site.
func sameTraffic(before, now browser.Doc) bool {
	return before.Seq == now.Seq && before.Steps == now.Steps && before.LastActivity.Equal(now.LastActivity)
}

// leave presses Continue. A form that was not ready yet loses the answers before
// the press, since taking the picture gives its scripts the time for that, or
// both with it: then, and only when nothing was sent, they are given once more.
func (r *run) leave(ctx context.Context, answers []page.Answer) error {
	proof := r.proof()
	proof.Answers = answers
	proof.Next = r.soonest()
	for try := 0; ; try++ {
		before, pressed := r.tab.Doc(), r.out.pressed
		if r.submits(r.current) && r.job.BeforeSubmit != nil {
			if err := r.job.BeforeSubmit(); err != nil {
				return err
			}
		}
		// From here on nothing may advise to execute again.
		r.out.pressed = pressed || r.submits(r.current)
		step, err := r.page.Advance(ctx, buttonTarget(r.current.ContinueButton), proof)
		r.filling = !step.Pressed
		if err != nil {
			return err
		}
		r.step, r.place = step, step.Place
		if !step.Pressed {
			r.out.pressed = pressed
		}
		if step.Moved {
			return nil
		}
		if len(step.Errors) > 0 {
			return r.rejected(step.Errors)
		}
		lost := step.Lost
		if len(lost) == 0 {
			if step.How != "" || !sameTraffic(before, r.tab.Doc()) {
				return r.notAdvanced() // something was sent: a second press could send it twice
			}
			if len(step.Alerts) > 0 {
				return r.rejected(alerted(step.Alerts))
			}
			if lost, err = r.lost(ctx, answers); err != nil || len(lost) == 0 || try >= refills {
				return errors.Join(err, r.notAdvanced())
			}
		}
		if err := r.refill(ctx, answers, lost, try); err != nil {
			return err
		}
		if err := r.pageSeen(ctx); err != nil {
			return err
		}
	}
}

// wentOn tells whether another document without the page's button came while the page
// was filled in: some forms send themselves when an answer is given or a field is left.
func (r *run) wentOn(ctx context.Context) bool {
	if !r.filling || r.tab.Doc().Seq == r.document {
		return false
	}
	seen, err := r.page.Survey(ctx, []page.Target{buttonTarget(r.current.ContinueButton)})
	return err != nil || !seen[0].Visible
}

// lost are the answers that the page does not hold any more.
func (r *run) lost(ctx context.Context, answers []page.Answer) ([]page.Outcome, error) {
	if len(answers) == 0 {
		return nil, nil
	}
	got, err := r.page.Verify(ctx, answers)
	if err != nil {
		return nil, err
	}
	var lost []page.Outcome
	for _, o := range got {
		if o.State == page.StateValueMismatch {
			lost = append(lost, o)
		}
	}
	return lost, nil
}

// proof is what the wizard says about leaving the current page.
func (r *run) proof() page.Proof {
	p := r.current
	out := page.Proof{ErrorSelectors: p.ErrorSelectors}
	if p.Validation != nil && p.Validation.ErrorSelector != "" {
		out.ErrorSelectors = append(out.ErrorSelectors[:len(out.ErrorSelectors):len(out.ErrorSelectors)], p.Validation.ErrorSelector)
	}
	if a := p.Advance; a != nil {
		out.URLPattern, out.Heading = a.URLPattern, a.Heading
		out.Selector = page.Target{Selector: a.Selector}
	}
	for i := range p.Fields {
		out.Fields = append(out.Fields, fieldTarget(&p.Fields[i]))
	}
	return out
}

// left records the current page as done: the next one was recognised.
func (r *run) left() {
	r.report(r.current, r.step)
	r.done[r.number()] = true
	r.out.completed++
}

func (r *run) report(p *wizard.Page, step page.Step) {
	rep := PageReport{
		Number: p.PageNumber, Title: p.PageTitle, URL: r.at,
		Set: r.filled, Skipped: r.skipped, Moved: step.How, MS: time.Since(r.began).Milliseconds(),
	}
	if rep.Set == nil {
		rep.Set = []string{}
	}
	r.out.pages = append(r.out.pages, rep)
}

// stuck explains a page that is still there after its button was pressed.
func (r *run) stuck(ctx context.Context) error {
	errs := r.step.Errors
	if len(errs) == 0 {
		got, err := r.page.Errors(ctx, r.proof().ErrorSelectors)
		if err != nil {
			return err
		}
		errs = got
	}
	if len(errs) > 0 {
		return r.rejected(errs)
	}
	return r.notAdvanced()
}

// notAdvanced tells why, as far as it was seen: nobody can look at the page.
func (r *run) notAdvanced() error {
	p := failed(TypeNotAdvanced, r.number(), "page %d (%s) was not left by its %q button, and it shows no error",
		r.number(), pageTitle(r.current), r.current.ContinueButton.Text)
	if r.step.Message != "" {
		p.message += ": " + r.step.Message
	}
	if len(r.step.Dialogs) > 0 {
		p.message += "; the site said in a message box: " + quote(strings.Join(unrepeated(r.step.Dialogs), "; "))
	}
	return p
}

// alerted are message boxes as the errors of a form that shows them in no other way.
func alerted(texts []string) []page.FormError {
	var out []page.FormError
	for _, text := range unrepeated(texts) {
		out = append(out, page.FormError{Text: text, FieldIndex: -1})
	}
	return out
}

// unrepeated are the texts in their order, each once.
func unrepeated(texts []string) []string {
	var out []string
	for _, text := range texts {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// mostErrors is how many errors of a page an answer repeats.
const mostErrors = 50

// rejected turns the page's own errors into the answer of the specification.
func (r *run) rejected(errs []page.FormError) error {
	p := failed(TypeRejected, r.number(), "Form validation failed on page %d", r.number())
	p.status = StatusValidationError
	p.action = "Correct the values that the form names and execute again."
	if len(errs) > mostErrors {
		r.warn("the page shows more errors than these: the first %d are listed", mostErrors)
		errs = errs[:mostErrors]
	}
	for _, e := range errs {
		v := ValidationError{Field: e.Label, Message: e.Text}
		if i := e.FieldIndex; i >= 0 && i < len(r.current.Fields) {
			f := &r.current.Fields[i]
			v.Field, v.FieldID = f.Label, f.FieldID
			v.ProvidedValue = r.job.Answers[f.FieldID]
		}
		p.validation = append(p.validation, v)
	}
	return p
}
