package scout

import (
	"context"
	"slices"
	"time"
)

// arrive looks at the step that is shown. One that was never seen before gets
// time to draw itself whole: what comes late is a part of it, too.
func (w *walker) arrive(ctx context.Context) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	if path := pathOf(w.place.URL); w.graph.find(w.place, w.inv) != nil || w.seen[path] && !slices.ContainsFunc(w.inv.Controls, asked) {
		return nil
	}
	if err := w.calm(ctx, firstSight); err != nil {
		return err
	}
	w.seen[pathOf(w.place.URL)] = true
	return nil
}

// firstSight is how long a new step must have been quiet.
const firstSight = 600 * time.Millisecond

// results ends the pass on a page that asks nothing more.
func (w *walker) results(ctx context.Context) error {
	if refused, err := w.refused(ctx); refused || err != nil {
		return err
	}
	if len(w.pass.path) > 0 {
		w.pass.ending = &ending{w.place.Heading, w.inv.Headings}
		w.submitted()
	}
	w.end(endResults, "")
	return nil
}

// refused ends the pass when the page says what was wrong with the steps before
// it: what it names was needed there.
func (w *walker) refused(ctx context.Context) (bool, error) {
	errs, err := w.complaints(ctx)
	if err != nil || len(errs) == 0 || len(w.pass.path) == 0 {
		return false, err
	}
	var before []*known
	for i, n := range w.pass.path {
		if !slices.Contains(w.pass.path[:i], n) {
			before = append(before, n.controls...)
		}
	}
	for _, e := range errs {
		for _, one := range sentences(e) {
			if k := byWords(one, before); k != nil && w.pass.answers[k.id] == nil && w.pass.asked[k.id] {
				k.need = append(k.need, moment{copyOf(w.pass.answers), true})
				w.pass.learned = true
			}
		}
	}
	w.end(endStuck, "the form was refused: "+errs[0].Text)
	return true, nil
}

// leads reports whether a step without questions goes on: by a button that says
// so, not by one that would begin anew.
func (w *walker) leads() bool {
	b, ok := onward(w.inv.Buttons, false)
	return ok && (roleOf(b) == roleContinue || roleOf(b) == roleSubmit && b.Tag != "a")
}
