package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// twoTabs gives a scan two tabs for a site, in a browser of its own.
func twoTabs(t *testing.T, o engine.Options) engine.Options {
	t.Helper()
	own := browser.NewPool(browser.Options{Scrollbars: true, TabsPerBrowser: 3})
	t.Cleanup(func() {
		if err := own.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	o.Browser, o.Tabs = own, 2
	return o
}

// TestTwoTabsFindTheSame: every row of every file, in the same order, however often.
func TestTwoTabsFindTheSame(t *testing.T) {
	t.Parallel()
	o := options(t, serve(t, planted.New()), "http://"+bench+"/")
	o.Config.MaxLinksPerDomain, o.Config.Legwork.Frames, o.Config.Legwork.Compat = 14, true, false
	only(&o.Config, append(results.DefaultConfig().Plugins.Enabled(), results.AuditHTML, results.AuditCrawl, results.AuditPDF)...)
	out, _ := scan(t, o)
	want := rowsOf(t, out)
	o = twoTabs(t, o)
	for i := range 10 {
		out, _ := scan(t, o)
		if diff := cmp.Diff(want, rowsOf(t, out)); diff != "" {
			t.Fatalf("run %d with two tabs differs (-one +two):\n%s", i+1, diff)
		}
	}
}

// TestTwoTabsAreOneVisitor: what the first page leaves is there in both tabs, they load
// at the same time, and pages come no faster than the delay allows.
func TestTwoTabsAreOneVisitor(t *testing.T) {
	t.Parallel()
	var loading, most atomic.Int32
	var mu sync.Mutex
	var starts []time.Time
	visits := map[string]string{}
	site := func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			mu.Lock()
			starts = append(starts, time.Now())
			visits[r.URL.Path] = r.Header.Get("Cookie")
			mu.Unlock()
			n := loading.Add(1)
			for have := most.Load(); n > have && !most.CompareAndSwap(have, n); have = most.Load() {
			}
			if r.URL.Path != "/" {
				select { // until the other one is there too, or will not come
				case <-time.After(time.Second):
				case <-r.Context().Done():
				}
			}
			loading.Add(-1)
		}
		if r.URL.Path == "/" {
			http.SetCookie(w, &http.Cookie{Name: "visitor", Value: "7", Path: "/"})
			linking("/a", "/b", "/c", "/d")(w, r)
			return
		}
		doc(`<script>document.body.append(localStorage.length)</script>`)(w, r)
	}
	all := pages{"/": site, "/a": site, "/b": site, "/c": site, "/d": site}
	o := twoTabs(t, quick(t, all))
	o.Config.HeaderCheck, o.Config.DelayPageLoads = false, 0.3
	_, read := scan(t, o)
	want := map[string]string{"/": "scanned", "/a": "scanned", "/b": "scanned", "/c": "scanned", "/d": "scanned"}
	if diff := cmp.Diff(want, outcomes(t, read)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if most.Load() != 2 {
		t.Errorf("%d pages were loaded at the same time", most.Load())
	}
	for _, p := range []string{"/a", "/b", "/c", "/d"} {
		if visits[p] != "visitor=7" {
			t.Errorf("%s was asked for with the cookies %q", p, visits[p])
		}
	}
	if all := starts[len(starts)-1].Sub(starts[0]); len(starts) != 5 || all < 900*time.Millisecond { // less what opening a tab takes
		t.Errorf("%d pages came within %v", len(starts), all)
	}
}

// TestTwoTabsLogInOnce: one session serves both, and is renewed once when it is lost.
func TestTwoTabsLogInOnce(t *testing.T) {
	t.Parallel()
	for forget, want := range map[int32]int32{-1: 1, 2: 2} {
		t.Run(fmt.Sprint("lost after ", forget), func(t *testing.T) {
			site, logins := members(t, forget)
			o := twoTabs(t, quick(t, site))
			o.Config.Legwork.Login = steps()
			out, read := scan(t, o)
			got := outcomes(t, read)
			delete(got, "/signin")
			if diff := cmp.Diff(map[string]string{"/": "scanned", "/a": "scanned", "/b": "scanned", "/c": "scanned"}, got); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			if logins.Load() != want {
				t.Errorf("%d logins instead of %d", logins.Load(), want)
			}
			noSecret(t, out.Dir)
		})
	}
}

// TestTwoTabsStopAsOne: three failed pages in a row end a site before the next one is
// asked for, in whatever order they fail.
func TestTwoTabsStopAsOne(t *testing.T) {
	t.Parallel()
	var ends []string
	for tabs := range 2 {
		site := pages{"/": linking("/a", "/b", "/c", "/d", "/e", "/f"), "/a": doc("a"), "/e": doc("e"), "/f": doc("f")}
		for _, p := range []string{"/b", "/c", "/d"} {
			site[p] = func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodHead {
					w.Header().Set("Content-Type", "text/html")
					return
				}
				if p == "/b" {
					select { // the first to fail is the last to be known
					case <-time.After(700 * time.Millisecond):
					case <-r.Context().Done():
					}
				}
				panic(http.ErrAbortHandler)
			}
		}
		o := quick(t, site)
		if tabs == 1 {
			o = twoTabs(t, o)
		}
		out, read := scan(t, o)
		if out.Pages != 2 || !strings.Contains(out.Sites[0].Reason, "several pages in a row") {
			t.Errorf("%d pages were scanned, %q", out.Pages, out.Sites[0].Reason)
		}
		var end []string
		for p, err := range read.Pages() {
			if err != nil {
				t.Fatal(err)
			}
			end = append(end, p.URL+" "+p.State+" "+p.Reason)
		}
		ends = append(ends, strings.Join(end, "\n"))
	}
	if diff := cmp.Diff(ends[0], ends[1]); diff != "" {
		t.Errorf("the pages (-one tab +two):\n%s", diff)
	}
}
