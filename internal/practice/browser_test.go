package practice

import (
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chromium loads an address and returns the document after its scripts came to
// rest. Virtual time makes the page's timers pass at once.
func chromium(t *testing.T, address string) string {
	t.Helper()
	binary, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		binary = "/usr/lib/chromium/chromium-headless-shell"
	}
	out, err := exec.CommandContext(t.Context(), binary, "--no-sandbox", "--disable-gpu", "--disable-background-networking",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=3600000", "--dump-dom", address).Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	return string(out)
}

// In a real browser the pages' own scripts show, hide, suggest, store rows and
// send, so that every data set arrives as it does over plain HTTP.
func TestPagesWorkInTheBrowser(t *testing.T) {
	for _, id := range wizardIDs {
		t.Run(id, func(t *testing.T) {
			site := New()
			sets := loadDataSets(t, id)
			names := slices.Sorted(maps.Keys(sets))
			mux := http.NewServeMux()
			mux.Handle("/", site)
			mux.HandleFunc("GET /_test/drive", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/drive.html") })
			mux.HandleFunc("GET /_test/job", func(w http.ResponseWriter, _ *http.Request) {
				writeJSON(w, http.StatusOK, driveJob(t, id, names, sets))
			})
			server := httptest.NewServer(mux)
			defer server.Close()

			dom := chromium(t, server.URL+"/_test/drive")
			_, log, _ := strings.Cut(dom, `<pre id="log">`)
			log, _, _ = strings.Cut(log, "</pre>")
			if !strings.HasSuffix(log, "done\n") || strings.Contains(log, "failed ") || strings.Contains(log, "script error") {
				t.Errorf("the browser says:\n%s", log)
			}
			all := site.Submissions()
			if len(all) != len(names) {
				t.Fatalf("%d submissions of %d data sets", len(all), len(names))
			}
			w := loadWizard(t, id)
			for i, name := range names {
				want := recorded(w, sets[name].Data)
				if id == borrowSite && want["income_growth_rate"] == nil {
					want["income_growth_rate"] = "3"
				}
				if diff := cmp.Diff(want, all[i].Data); diff != "" || len(all[i].Extra) > 0 {
					t.Errorf("%s: extra %v, recorded (-want +got):\n%s", name, all[i].Extra, diff)
				}
			}
		})
	}
}

// driveJob is what testdata/drive.html works through.
func driveJob(t *testing.T, id string, names []string, sets map[string]dataSet) map[string]any {
	raw, err := fs.ReadFile(Wizards(), "wizard-structures/"+id+".json")
	if err != nil {
		t.Error(err)
	}
	var list []map[string]any
	for _, name := range names {
		list = append(list, map[string]any{"name": name, "data": sets[name].Data})
	}
	return map[string]any{"wizard": json.RawMessage(raw), "sets": list}
}

// stayScript answers the session dialog once, in a frame, and says when it is
// asked again.
const stayScript = `<!DOCTYPE html><iframe id="frame" src="/aid-estimator/start?timeout_ms=300"></iframe><pre id="log"></pre>
<script>
const frame = document.getElementById('frame');
const log = (text) => { document.getElementById('log').textContent += text + '\n'; };
let asked = 0, shown = false;
const timer = setInterval(() => {
  const modal = frame.contentDocument && frame.contentDocument.getElementById('session-timeout');
  if (!modal || frame.contentDocument.readyState !== 'complete') return;
  if (modal.hidden) { shown = false; return; }
  if (shown) return;
  shown = true;
  log('asked ' + modal.querySelector('h2').textContent);
  if (++asked === 1) modal.querySelector('#session-stay').click();
  else clearInterval(timer);
}, 20);
</script>`

// The dialog appears after the configured time, and again after an answer;
// left alone it ends the session.
func TestSessionDialogAsksAndEnds(t *testing.T) {
	site := New()
	mux := http.NewServeMux()
	mux.Handle("/", site)
	mux.HandleFunc("GET /_test/stay", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(stayScript))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	if dom := chromium(t, server.URL+"/_test/stay"); strings.Count(dom, "asked Are you still there?\n") != 2 {
		t.Errorf("the dialog was not asked twice:\n%s", dom)
	}
	for _, start := range []string{"/aid-estimator/start", "/loan-simulator/start/repayment"} {
		dom := chromium(t, server.URL+start+"?timeout_ms=300")
		if !strings.Contains(dom, "Start Estimate") && !strings.Contains(dom, "Start from scratch") {
			t.Errorf("%s: left alone, the session did not end at the entry page", start)
		}
	}
}
