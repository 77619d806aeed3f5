package policy

import (
	"cmp"
	"slices"
)

// Action is what becomes of a text.
type Action int

// The actions, mildest first.
const (
	Allow Action = iota // publish
	Warn                // publish, and show the worker the reason
	Hold                // a person of the board decides first
	Block               // refuse
)

func (a Action) String() string {
	return [...]string{"allow", "warn", "hold", "block"}[min(max(a, Allow), Block)]
}

// The scores from which an action follows. They are our own choice: a rule that
// nearly always means harm scores 80 or more, one that often does 50.
const (
	warnFrom  = 25
	holdFrom  = 50
	blockFrom = 80
)

// Text is what is screened. Every part is optional.
type Text struct {
	Label string // the task label, such as bot_blocker_ops
	// Task, AcceptanceCriteria and Location say what is wanted. A message of a
	// conversation goes into Task.
	Task, AcceptanceCriteria, Location string
	// NotAllowed lists what the worker must not do: to name a bad thing there is
	// no fault, to ask for it there is.
	NotAllowed string
}

// Finding is one place that a rule objects to.
type Finding struct {
	Class  Class
	Action Action
	Score  int    // 0 to 100
	Field  string // task, acceptance_criteria, location or not_allowed
	// Start and End are byte offsets into the field as it was given.
	Start, End int
	Excerpt    string // that part of the field
	// Evasion is set when the words were found only after spaced out letters
	// were joined or digits were read as letters.
	Evasion bool
}

// Verdict is the outcome. Its findings are sorted, the gravest first, at most
// three of a class and field.
type Verdict struct {
	Action   Action
	Class    Class // of the gravest finding; empty without one
	Findings []Finding
}

// Screen judges a text. Equal texts get equal verdicts.
func Screen(t Text) Verdict {
	var v Verdict
	for _, f := range []struct{ name, text string }{
		{"task", t.Task},
		{"acceptance_criteria", t.AcceptanceCriteria},
		{"location", t.Location},
		{notAllowed, t.NotAllowed},
	} {
		v.Findings = append(v.Findings, screenField(t.Label, f.name, f.text)...)
	}
	if !slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Action >= Hold }) {
		v.Findings = append(v.Findings, resembling(t)...)
	}
	slices.SortStableFunc(v.Findings, func(a, b Finding) int { return cmp.Compare(b.Score, a.Score) })
	if len(v.Findings) > 0 {
		v.Action, v.Class = v.Findings[0].Action, v.Findings[0].Class
	}
	return v
}

// notAllowed is the field that lists what the worker must not do.
const notAllowed = "not_allowed"

// Adjustments of a score. A digital step that only a person can do is where the
// label bot_blocker_ops is abused; hidden words betray an intention.
const (
	botBlockerMore = 15
	evasionMore    = 15
)

// screenField reads the field as it is, and as what it may hide.
func screenField(label, field, text string) []Finding {
	if text == "" {
		return nil
	}
	plain, hidden := views(text)
	found := matches(plain)
	if hidden != nil {
		for _, m := range matches(hidden) {
			if !slices.ContainsFunc(found, func(o match) bool { return o.class == m.class }) {
				m.evasion, m.score = true, m.score+evasionMore
				found = append(found, m)
			}
		}
	}
	var out []Finding
	for _, m := range found {
		if label == "bot_blocker_ops" && m.class.digital() {
			m.score += botBlockerMore
		}
		if field == notAllowed && !m.asked {
			continue
		}
		f := Finding{
			Class: m.class, Score: min(m.score, 100), Field: field, Evasion: m.evasion,
			Start: m.start, End: m.end, Excerpt: text[m.start:m.end],
		}
		if f.Action = actionOf(f.Score); f.Action > Allow {
			out = append(out, f)
		}
	}
	return gravest(out)
}

func actionOf(score int) Action {
	switch {
	case score >= blockFrom:
		return Block
	case score >= holdFrom:
		return Hold
	case score >= warnFrom:
		return Warn
	}
	return Allow
}

// gravest keeps three findings of each class, and of those that overlap the
// shortest of the gravest: a text that repeats itself ten thousand times is told
// so three times.
func gravest(all []Finding) []Finding {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.End-a.Start, b.End-b.Start))
	})
	var kept []Finding
	for _, f := range all {
		same := 0
		overlap := slices.ContainsFunc(kept, func(k Finding) bool {
			if k.Class == f.Class {
				same++
			}
			return k.Class == f.Class && k.Start < f.End && f.Start < k.End
		})
		if !overlap && same < 3 {
			kept = append(kept, f)
		}
	}
	return kept
}
