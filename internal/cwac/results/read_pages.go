package results

import (
	"bytes"
	"io"
	"iter"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
)

// Pages are the outcomes of the addresses of the crawl. CWAC writes only which pages
// it began, which answers it did not expect and which a firewall kept: its outcomes
// are put together from those, and have no reason for addresses that it passed over.
func (r *Results) Pages() iter.Seq2[PageOutcome, error] {
	if r.Engine == EngineLegwork {
		return lines[PageOutcome](r, FilePages)
	}
	return r.begunPages()
}

// seen is what the audit files say of a page.
type seen struct {
	id    int
	title string
}

func (r *Results) begunPages() iter.Seq2[PageOutcome, error] {
	return func(yield func(PageOutcome, error) bool) {
		audited, blocked, err := r.seenPages()
		if err != nil {
			yield(PageOutcome{}, err)
			return
		}
		for record, err := range r.table(fileAuditLog+".csv", listColumns[fileAuditLog]) {
			p := PageOutcome{URL: record.Get("url"), Site: Site{
				Organisation: record.Get("organisation"), Sector: record.Get("sector"), URL: record.Get("base_url"),
			}}
			page, ok := audited[p.URL]
			p.State, p.PageID, p.Title = PageScanned, page.id, page.title
			switch {
			case blocked[p.URL]:
				p.State, p.Reason = PageBlocked, "firewall"
			case !ok:
				p.State, p.Reason = PageFailed, "no audit has a row"
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
		for record, err := range r.table(fileCodes+".csv", listColumns[fileCodes]) {
			p := PageOutcome{URL: record.Get("url"), Parent: record.Get("parent_url"), State: PageSkipped, Reason: "status", Site: Site{URL: record.Get("base_url")}}
			p.Status, _ = strconv.Atoi(record.Get("status_code")) // 0 when it is not a number
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// seenPages are the pages that have a row in an audit file, and those in anti_bot.csv.
func (r *Results) seenPages() (audited map[string]seen, blocked map[string]bool, err error) {
	audited, blocked = map[string]seen{}, map[string]bool{}
	for _, audit := range r.Audits {
		for record, err := range r.table(audit+".csv", columnsCommon) {
			if err != nil {
				return nil, nil, err
			}
			id, _ := strconv.Atoi(record.Get("page_id")) // 0 for a page that has no number
			audited[record.Get("url")] = seen{id, record.Get("page_title")}
		}
	}
	for record, err := range r.table(fileAntiBot+".csv", listColumns[fileAntiBot]) {
		if err != nil {
			return nil, nil, err
		}
		blocked[record.Get("url")] = true
	}
	return audited, blocked, nil
}

// Scanned is how many addresses were scanned, wholly or in part, also of sites that did
// not come to their end. Of CWAC they are those that have a row in an audit file.
func (r *Results) Scanned() (int, error) {
	if r.Engine == EngineCWAC {
		audited, _, err := r.seenPages()
		return len(audited), err
	}
	scanned := map[string]bool{}
	for p, err := range r.Pages() {
		if err != nil {
			return 0, err
		}
		if p.State == PageScanned || p.State == PagePartial {
			scanned[p.URL] = true
		}
	}
	return len(scanned), nil
}

// Sites are the base URLs that ended, with the number of pages scanned of each.
func (r *Results) Sites() ([]SiteOutcome, error) {
	if r.Scan != nil && len(r.Scan.Sites) > 0 {
		return r.Scan.Sites, nil
	}
	var sites []SiteOutcome
	for record, err := range r.table(filePages+".csv", listColumns[filePages]) {
		if err != nil {
			return sites, err
		}
		o := SiteOutcome{Site: Site{Organisation: record.Get("organisation"), URL: record.Get("base_url"), Sector: record.Get("sector")}}
		o.Pages, _ = strconv.Atoi(record.Get("number_of_pages")) // 0 when it is not a number
		sites = append(sites, o)
	}
	return sites, nil
}

// Measures are what audits measured apart from faults. Of CWAC they are the figures
// of texts and overflows.
func (r *Results) Measures() iter.Seq2[Measure, error] {
	if r.Engine == EngineLegwork && r.names[FileMeasures] {
		return lines[Measure](r, FileMeasures)
	}
	return func(yield func(Measure, error) bool) {
		for _, audit := range []string{AuditLanguage, AuditReflow} {
			for record, err := range r.table(audit+".csv", columnsCommon) {
				m := Measure{View: r.view(record), Audit: audit, Values: figures(record)}
				if !yield(m, err) || err != nil {
					return
				}
			}
		}
	}
}

// figures are the numbers of a row, by the names that the native record has for them.
func figures(record Record) map[string]any {
	values := numbers(record, map[string]string{
		"flesch_kincaid_gl": "flesch_kincaid_gl", "num_sentences": "num_sentences", "words_per_sentence": "words_per_sentence",
		"syllables_per_word": "syllables_per_word", "smog_gl": "smog_gl", "overflow_amount_px": "capped_px",
	})
	mood := numbers(record, map[string]string{
		"sentiment_neg": "negative", "sentiment_neu": "neutral", "sentiment_pos": "positive", "sentiment_compound": "compound",
	})
	if len(mood) > 0 {
		values["sentiment"] = mood
	}
	return values
}

func numbers(record Record, names map[string]string) map[string]any {
	values := map[string]any{}
	for column, name := range names {
		if f, err := strconv.ParseFloat(record.Get(column), 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) { // JSON has neither
			values[name] = f
		}
	}
	return values
}

const progressTail = 8 << 10 // bytes of progress.csv that hold its last row

// Progress is the last row of progress.csv, if there is one.
func (r *Results) Progress() (Progress, bool) {
	f, err := r.open(fileProgress + ".csv")
	if err != nil {
		return Progress{}, false
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := tail(f, progressTail)
	if err != nil {
		return Progress{}, false
	}
	end := bytes.LastIndexByte(text, '\n')
	if end < 0 {
		return Progress{}, false
	}
	last := text[:end]
	last = last[bytes.LastIndexByte(last, '\n')+1:]
	cells := strings.Split(strings.TrimSpace(string(last)), ",")
	if len(cells) != strings.Count(listColumns[fileProgress], ",")+1 {
		return Progress{}, false
	}
	return parseProgress(cells)
}

func tail(f *os.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		if _, err := f.Seek(-limit, io.SeekEnd); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

func parseProgress(cells []string) (Progress, bool) {
	seconds, err := strconv.ParseFloat(cells[0], 64)
	if err != nil { // the header
		return Progress{}, false
	}
	whole, part := math.Modf(seconds)
	p := Progress{Time: time.Unix(int64(whole), int64(part*1e9))}
	p.Done, _ = strconv.Atoi(cells[1]) // a figure that is none stays 0
	p.Total, _ = strconv.Atoi(cells[2])
	p.Speed, _ = strconv.ParseFloat(cells[3], 64)
	p.Percent, _ = strconv.ParseFloat(cells[4], 64)
	p.Elapsed, p.Remaining = parseHours(cells[5]), parseHours(cells[6])
	return p, true
}

func parseHours(text string) time.Duration {
	d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		return 0
	}
	return d
}
