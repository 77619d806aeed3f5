package runner

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"
)

func newAnswer(job *Job) Answer {
	return Answer{
		WizardID: job.Entry.Wizard.WizardID, File: job.Entry.Wizard.WizardID + ".json",
		WizardVersion: job.Entry.Hash, Practice: job.Entry.Practice,
		RunID: job.RunID, DryRun: job.Opts.DryRun, Timestamp: rfc3339(time.Now()),
		Warnings: slices.Clone(job.Opts.Notes),
	}
}

// answerFor puts an outcome into the words of the specification.
func answerFor(job *Job, out *outcome, set Settings) Answer {
	a := newAnswer(job)
	a.StartedAt, a.Timestamp = rfc3339(out.started), rfc3339(out.started.Add(out.took))
	a.ExecutionTimeMS, a.PagesCompleted = out.took.Milliseconds(), out.completed
	a.Engines = out.engines
	a.Pages, a.Warnings, a.Reading = out.pages, append(a.Warnings, out.warnings...), out.reading
	if out.reading != nil {
		a.Results = out.reading.flat()
	}
	a.UnusedKeys = unused(job, out)
	a.Submitted = &Proof{Fields: out.proofs}
	if out.proofs == nil {
		a.Submitted.Fields = []FieldProof{}
	}
	if job.Opts.IncludeValues {
		a.Submitted.Values = job.Answers
	}
	switch {
	case out.problem != nil:
		a.fail(out.problem)
	case out.stopped:
		a.Status = StatusStopped
		a.Message = "Everything up to the last submit was done and checked; nothing was submitted."
	default:
		a.Status, a.Success = StatusSuccess, true
	}
	a.addPictures(out.pictures, job, set) // last: they get the room that is left
	return a
}

// fail fills in the keys of a run that ended without its answer.
func (a *Answer) fail(p *problem) {
	a.Status, a.ErrorType, a.Error = p.status, p.typ, p.message
	a.PageNumber, a.FieldID, a.CorrectiveAction = p.page, p.field, p.action
	a.ValidationErrors, a.RetryAfter = p.validation, int(math.Ceil(p.retryAfter.Seconds()))
	switch p.typ {
	case TypeSelector, TypeUnexpectedPage, TypeAmbiguous, TypeNotAdvanced:
		a.Recommendation = rediscover
	default:
		a.Recommendation = p.action
	}
}

// visibleLoss is how many steps of JPEG quality a caller would not notice.
const visibleLoss = 15

func (a *Answer) addPictures(all []picture, job *Job, set Settings) {
	if !job.Opts.AllPictures {
		kept, dropped := fitPictures(append([]picture(nil), all...), set.MaxImage, a.imageRoom(all))
		if dropped > 0 {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%d of %d pictures are left out to keep the reply small", dropped, len(all)))
		}
		all = kept
	}
	a.images, a.ScreenshotCount = all, len(all)
	lowest := job.Opts.Quality
	for _, p := range all {
		lowest = min(lowest, p.quality)
	}
	if lowest+visibleLoss < job.Opts.Quality {
		a.Warnings = append(a.Warnings, fmt.Sprintf("pictures have a JPEG quality down to %d instead of %d, so that the reply stays small", lowest, job.Opts.Quality))
	}
	for i, p := range all {
		ref := ScreenshotRef{Page: p.label(), Title: p.title, Index: i}
		if p.tiles > 1 {
			ref.Tile, ref.Tiles = p.tile, p.tiles
		}
		a.Screenshots = append(a.Screenshots, ref)
	}
}

// unused are the keys that no page asked for.
func unused(job *Job, out *outcome) []string {
	if out.problem != nil {
		return nil // pages that were never reached ask for nothing
	}
	var keys []string
	for k := range job.Answers {
		if !out.used[k] {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	return keys
}
