package scout

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// median reports the middle of the times of single calls in milliseconds: the
// mean of a benchmark on a shared machine says little.
func median(b *testing.B, call func() string) {
	b.Helper()
	var took []float64
	size := 0
	for b.Loop() {
		began := time.Now()
		text := call()
		took = append(took, float64(time.Since(began).Microseconds())/1000)
		size = len(text)
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "ms/call")
	b.ReportMetric(float64(size), "bytes/text")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkPageInfo looks at a page of 60 fields without a picture.
func BenchmarkPageInfo(b *testing.B) {
	s := newBench(b, Settings{MaxElements: 100})
	s.serve(b, manyFields(60))
	id := s.start(b, "http://practice.localhost/")
	median(b, func() string {
		return s.call(b, "get_page_info", PageInfoIn{SessionID: id, IncludeScreenshot: off()}).text
	})
}

// BenchmarkDraft writes the first page of the aid estimator down.
func BenchmarkDraft(b *testing.B) {
	s := newBench(b, Settings{})
	id := s.call(b, "start_discovery", StartIn{URL: fsaURL, Start: "Start Estimate"}).str("session_id")
	median(b, func() string { return s.call(b, "draft_page", DraftIn{SessionID: id}).text })
}

// BenchmarkDiscovery finds all branches of the aid estimator. loads are the pages
// and steps that it loads for that, and needed those of somebody who knows the form
// and walks each of its branches once: one set of answers for each. The time is
// compared with that of merely loading the first page as often, of which a sample
// is taken.
func BenchmarkDiscovery(b *testing.B) {
	s := newBench(b, Settings{})
	policy := browser.Policy{Hosts: s.hosts, OnlyOrigins: []string{"http://practice.localhost"}}
	for b.Loop() {
		began := time.Now()
		d, err := Discoverer{
			Browser: s.pool, Width: 1280, Height: 1024, Policy: func(string) (browser.Policy, error) { return policy, nil },
		}.Discover(b.Context(), Request{URL: fsaURL, AllowSubmit: true})
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(began)
		sets := d.Contract.DataSets()
		needed := walked(d.Wizard, sets)
		one := loading(b, s.pool, policy)
		b.ReportMetric(took.Seconds(), "s")
		b.ReportMetric(float64(d.Coverage.Passes), "passes")
		b.ReportMetric(float64(len(sets)), "branches")
		b.ReportMetric(float64(d.Coverage.PageLoads), "loads")
		b.ReportMetric(float64(needed), "loads-needed")
		b.ReportMetric(float64(d.Coverage.PageLoads)/float64(needed), "loads/needed")
		b.ReportMetric(float64(took)/float64(one)/float64(d.Coverage.PageLoads), "time/loads")
		b.ReportMetric(0, "ns/op")
	}
}

// walked counts the pages and steps that are loaded to walk a form once with each
// of the sets: its address, the buttons that lead in, and what follows every page.
func walked(w *wizard.Wizard, sets []map[string]any) int {
	way := 1 + len(w.EntrySteps)
	if w.StartAction != nil {
		way++
	}
	total := 0
	for _, set := range sets {
		total += way + len(w.Plan(wizard.Answers(set)))
	}
	return total
}

// sampledLoads are enough to know how long one takes.
const sampledLoads = 20

// loading is the mean time of one page load.
func loading(b *testing.B, pool *browser.Pool, policy browser.Policy) time.Duration {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 2*time.Minute)
	defer cancel()
	tab, err := pool.Open(ctx, browser.TabOptions{Policy: policy, Width: 1280, Height: 1024, InitScripts: page.InitScripts()})
	if err != nil {
		b.Fatal(err)
	}
	defer tab.Close(ctx)
	began := time.Now()
	for range sampledLoads {
		if err := tab.Navigate(ctx, fsaURL); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(began) / sampledLoads
}
