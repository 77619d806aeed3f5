package crawl

import (
	"net/url"
	"slices"
	"strings"
)

// Visit is how the work on a target ended.
type Visit struct {
	// State is scanned, partial, blocked or failed; Reason and Detail say why it is
	// not scanned. They are not looked at when Arrived said not to audit.
	State  State
	Reason Reason
	Detail string
	// Links are the addresses that the page links to, in their order, absolute or
	// relative to Base, which is the page's own address when it is empty.
	Links []string
	Base  string
}

// Done reports a target of Next, once. Its links count in the order of the targets,
// whatever the order of the reports.
func (f *Frontier) Done(t Target, v Visit) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t.Sequence < 1 || t.Sequence > len(f.flights) || f.flights[t.Sequence-1].visit != nil {
		return
	}
	fl := f.flights[t.Sequence-1]
	fl.visit = &v
	if fl.verdict == nil {
		fl.parents = slices.Clone(fl.Parents)
	}
	if fl.verdict == nil || fl.verdict.Audit {
		fl.settle()
	}
	for f.ended && f.commit < len(f.flights) && f.flights[f.commit].visit != nil {
		f.book()
	}
	f.wake()
}

// settle gives the entry the state that was reported.
func (fl *flight) settle() {
	e, v := fl.entry, fl.visit
	e.State, e.Reason, e.Detail = v.State, v.Reason, v.Detail
	if e.State == "" {
		e.State = StateScanned
	}
	if e.State == StateFailed && e.Reason == "" {
		e.Reason = ReasonFailed
	}
}

// book counts the oldest target that is not booked yet, and takes its links. The
// lock is held.
func (f *Frontier) book() {
	fl := f.flights[f.commit]
	f.commit++
	if fl.verdict == nil || fl.verdict.Audit {
		if fl.State == StateScanned || fl.State == StatePartial {
			f.scanned++
		}
		if f.MaxPages > 1 && fl.State != StateBlocked {
			f.follow(fl.entry, fl.visit)
		}
	}
	fl.visit.Links = nil
}

// follow takes the links of a page.
func (f *Frontier) follow(e *entry, v *Visit) {
	base := e.u
	if v.Base != "" {
		if b, err := url.Parse(v.Base); err == nil && b.IsAbs() {
			base = b
		}
	}
	links := v.Links
	if len(links) > f.Limits.LinksPerPage {
		f.ledger.dropped += len(links) - f.Limits.LinksPerPage
		links = links[:f.Limits.LinksPerPage]
	}
	seen := map[string]bool{}
	for _, raw := range links {
		if !seen[raw] {
			seen[raw] = true
			f.meet(raw, base, origin{SourceLink, e.URL, e.key, e.Depth + 1})
		}
	}
}

// origin is where an address was met.
type origin struct {
	source    Source
	parent    string
	parentKey string
	depth     int
}

// meet books an address, and queues it when it may be a page. The lock is held.
func (f *Frontier) meet(raw string, base *url.URL, from origin) {
	a, err := f.rules.parse(raw, base)
	if err != nil {
		f.meetRefused(raw, err, from)
		return
	}
	if a.key == from.parentKey {
		return
	}
	if a.full != a.url {
		f.meetVariant(a, from)
	}
	if known := f.ledger.byKey[a.key]; known != nil {
		known.parent(from.parent)
		return
	}
	e := &entry{Entry: Entry{URL: a.url, Source: from.source, Depth: from.depth, State: StateWaiting}, address: a}
	e.parent(from.parent)
	if !f.ledger.add(a.key, e) {
		return
	}
	if reason, detail := f.first(a); reason != "" {
		e.skip(reason, detail)
		return
	}
	if f.ended {
		e.skip(f.reason, f.detail)
		return
	}
	f.enqueue(e)
}

// meetRefused books text that is no address of a page.
func (f *Frontier) meetRefused(raw string, err error, from origin) {
	no, ok := err.(*refused)
	if !ok {
		return
	}
	text := strings.ToValidUTF8(tidy(raw[:min(len(raw), 200)]), "")
	if known := f.ledger.byKey["no address: "+text]; known != nil {
		known.parent(from.parent)
		return
	}
	e := &entry{Entry: Entry{URL: text, Source: from.source, Depth: from.depth}}
	e.skip(no.reason, no.detail)
	e.parent(from.parent)
	f.ledger.add("no address: "+text, e)
}

// meetVariant books an address that is another one but for its tracking.
func (f *Frontier) meetVariant(a address, from origin) {
	if known := f.ledger.byKey[a.full]; known != nil {
		known.parent(from.parent)
		return
	}
	e := &entry{Entry: Entry{URL: a.full, Source: from.source, Depth: from.depth, Of: a.url}, address: a}
	e.skip(ReasonDuplicate, "tracking parameters")
	e.parent(from.parent)
	f.ledger.add(a.full, e)
}

// first says what an address alone shows: why it is not to be loaded.
func (f *Frontier) first(a address) (Reason, string) {
	if reason, detail := f.scope.judge(a); reason != "" {
		return reason, detail
	}
	if trap := f.trap(a); trap != "" {
		return ReasonTrap, trap
	}
	switch kindBySuffix(a) {
	case kindDocument:
		return ReasonDocument, ""
	case kindOther:
		return ReasonNotHTML, "by its suffix"
	}
	if f.HTTPSOnly && a.u.Scheme != "https" && f.seed.u.Scheme == "https" {
		return ReasonHTTPSOnly, ""
	}
	return "", ""
}

// trap recognises addresses that grow without end: very deep paths, and paths that
// repeat a sequence of parts, as relative links on wrongly served pages make them.
func (f *Frontier) trap(a address) string {
	parts := strings.Split(strings.Trim(a.u.EscapedPath(), "/"), "/")
	if len(parts) > f.Limits.Segments {
		return "very deep"
	}
	for n := 1; n*4 <= len(parts); n++ { // the last n parts, four times in a row
		end := len(parts)
		if slices.Equal(parts[end-n:], parts[end-2*n:end-n]) && slices.Equal(parts[end-2*n:], parts[end-4*n:end-2*n]) {
			return "repeats itself"
		}
	}
	return ""
}

// enqueue puts an address at the end of the queue, or of the second queue when many
// of its pattern were met: a calendar must not keep the rest of a site waiting.
func (f *Frontier) enqueue(e *entry) {
	p := digitsFolded(e.key)
	if f.patterns[p]++; f.patterns[p] > f.Limits.PerPattern {
		f.later = append(f.later, e)
		return
	}
	f.queue = append(f.queue, e)
}

// digitsFolded replaces every run of digits by one.
func digitsFolded(s string) string {
	var b strings.Builder
	in := false
	for i := 0; i < len(s); i++ {
		digit := '0' <= s[i] && s[i] <= '9'
		if digit && !in {
			b.WriteByte('0')
		} else if !digit {
			b.WriteByte(s[i])
		}
		in = digit
	}
	return b.String()
}
