package results

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// PageBegins writes that a page is about to be audited.
func (w *Writer) PageBegins(s Site, url string) error {
	return w.list(fileAuditLog, s.Organisation, s.URL, clip(url, maxLabel), s.Sector)
}

// SiteEnds writes how many pages of a base URL were scanned.
func (w *Writer) SiteEnds(o SiteOutcome) error {
	if err := w.list(filePages, o.Site.Organisation, o.Site.URL, strconv.Itoa(o.Pages), o.Site.Sector); err != nil {
		return err
	}
	return w.Update(func(s *Scan) { s.Sites = append(s.Sites, o) })
}

// Progress writes how far the scan is.
func (w *Writer) Progress(p Progress) error {
	seconds := float64(p.Time.Unix()) + float64(p.Time.Nanosecond())/1e9
	return w.list(fileProgress, pythonFloat(seconds), strconv.Itoa(p.Done), strconv.Itoa(p.Total),
		strconv.FormatFloat(p.Speed, 'f', 2, 64), strconv.FormatFloat(p.Percent, 'f', 1, 64), HoursMinutes(p.Elapsed), HoursMinutes(p.Remaining))
}

// HoursMinutes is a span as CWAC prints it: "1h 5m".
func HoursMinutes(d time.Duration) string {
	return fmt.Sprintf("%dh %dm", int(d.Hours()), int(d.Minutes())%60)
}

// Code writes an answer that was no page.
func (w *Writer) Code(c ResponseCode) error {
	return w.list(fileCodes, c.BaseURL, clip(c.Parent, maxLabel), clip(c.URL, maxLabel), strconv.Itoa(c.Status))
}

// Blocked writes that a firewall kept a page.
func (w *Writer) Blocked(a AntiBot) error {
	return w.list(fileAntiBot, a.Organisation, a.Domain, clip(a.URL, maxLabel), a.Check, a.Viewport.String())
}

func (w *Writer) list(name string, cells ...string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &batch{}
	b.row(name+".csv", cells...)
	return w.commit(b)
}

// Page writes the outcome of one address of the crawl, scanned or not.
func (w *Writer) Page(p PageOutcome) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	p.Detail, p.Notes = clip(p.Detail, maxLabel), boundedNotes(p.Notes)
	p.Title, p.URL, p.Final, p.Parent = clip(p.Title, maxLabel), clip(p.URL, maxLabel), clip(p.Final, maxLabel), clip(p.Parent, maxLabel)
	b := &batch{}
	b.line(FilePages, p)
	b.row(FileLedger, p.Site.Organisation, p.Site.Sector, p.Site.URL, p.URL, p.Final, p.Parent, p.Source, strconv.Itoa(p.Depth),
		p.State, p.Reason, strconv.Itoa(p.Status), strconv.Itoa(p.PageID), p.Title, p.Detail)
	if err := w.commit(b); err != nil {
		return err
	}
	w.scan.Counts.Pages[p.State]++
	return nil
}

// The most of the notes of one page that is kept: they may name what the page chose,
// such as the address of a frame.
const (
	maxNotes = 100
	maxNote  = 1 << 10
)

func boundedNotes(notes []Note) []Note {
	notes = slices.Clone(notes[:min(len(notes), maxNotes)])
	for i := range notes {
		notes[i].Text, notes[i].Where = clip(notes[i].Text, maxNote), clip(notes[i].Where, maxNote)
	}
	return notes
}
