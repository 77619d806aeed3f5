package planted_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
)

// documents are the SHA-256 of what the site serves to 127.0.0.1:8765, shortened.
// The reference results were measured on these bytes, so none may change.
var documents = map[string]string{
	"/about.html": "8145626f0601cb52", "/aria.html": "935887dec6e29f8d", "/contrast.html": "fe7315aa970d30c6",
	"/cookie.html": "d3b3537c6fb9a825", "/details.html": "61dc4b29014b44df", "/files/report.pdf": "8ac40345a5134507",
	"/focus.html": "b75bdc9c7e2e798c", "/forms.html": "5ca4656a4f878dfe", "/frames/inner.html": "9f9c9e4cedcb723a",
	"/headings.html": "fb408e4e34b7aab5", "/iframe.html": "65f229d523ebee53", "/images.html": "d10606b0d2fc4e77",
	"/index.html": "584cd4aab78a9592", "/": "584cd4aab78a9592", "/lang.html": "2d933677d07cc680", "/links.html": "0df6a1ed0b6db4fb",
	"/lists.html": "f63c2eb2698d1ded", "/nohead.html": "6f04a3b852944ed2", "/orphan.html": "ea36fdde5574529a",
	"/overflow.html": "a55ae6a2ef700e5a", "/private/secret.html": "4359bb790e8cffe5", "/robots.txt": "0874b5d86d31b755",
	"/shadow.html": "be678ae6644f8c11", "/sitemap.xml": "3f7658b22cab1441", "/spa-only.html": "6def090763d2e7ca",
	"/spa.html": "e843eafa484b71ed", "/tables.html": "2d4dc0c400af518e", "/title.html": "d50c81f8901d6e61",
	"/viewport.html": "a60792728adf5bd8",
}

func ask(t *testing.T, s http.Handler, method, path string) (*http.Response, string) {
	t.Helper()
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, httptest.NewRequest(method, "http://127.0.0.1:8765"+path, nil))
	body, err := io.ReadAll(rec.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return rec.Result(), string(body)
}

func TestTheBytesAreThoseOfTheReference(t *testing.T) {
	got := map[string]string{}
	for path := range documents {
		res, body := ask(t, planted.New(), http.MethodGet, path)
		if res.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", path, res.StatusCode)
		}
		sum := sha256.Sum256([]byte(body))
		got[path] = hex.EncodeToString(sum[:8])
	}
	if diff := cmp.Diff(documents, got); diff != "" {
		t.Errorf("the pages changed (-want +got):\n%s", diff)
	}
}

func TestAnswersOfTheSite(t *testing.T) {
	tests := []struct {
		method, path, kind, location string
		status, length               int
	}{
		{"GET", "/old", "", "/about.html", 301, 0},
		{"GET", "/gone.html", "text/html", "", 404, 12},
		{"GET", "/ABOUT.html", "text/html", "", 404, 12},
		{"GET", "/../index.html", "text/html; charset=utf-8", "", 200, 1949},
		{"HEAD", "/index.html", "text/html; charset=utf-8", "", 200, 0},
		{"HEAD", "/nohead.html", "", "", 405, 0},
		{"GET", "/nohead.html", "text/html; charset=utf-8", "", 200, 1439},
		{"GET", "/download", "application/octet-stream", "", 200, 3},
		{"GET", "/files/report.pdf", "application/pdf", "", 200, 13},
		{"GET", "/robots.txt", "text/plain", "", 200, 77},
	}
	for _, tt := range tests {
		res, body := ask(t, planted.New(), tt.method, tt.path)
		if res.StatusCode != tt.status || res.Header.Get("Content-Type") != tt.kind || res.Header.Get("Location") != tt.location || len(body) != tt.length {
			t.Errorf("%s %s: %d %q %q, %d bytes; want %+v", tt.method, tt.path, res.StatusCode, res.Header.Get("Content-Type"), res.Header.Get("Location"), len(body), tt)
		}
	}
}

// TestManyPagesAreAllReached follows the links as a crawl would.
func TestManyPagesAreAllReached(t *testing.T) {
	for _, n := range []int{1, 2, 50} {
		s := planted.NewMany(n)
		seen, waiting := map[string]bool{}, []string{"/"}
		for len(waiting) > 0 {
			path := waiting[0]
			waiting = waiting[1:]
			if seen[path] {
				continue
			}
			seen[path] = true
			res, body := ask(t, s, http.MethodGet, path)
			if res.StatusCode != http.StatusOK || !strings.Contains(body, "<img src=") {
				t.Fatalf("%d pages: %s has status %d", n, path, res.StatusCode)
			}
			for _, part := range strings.Split(body, `href="`)[1:] {
				link, _, _ := strings.Cut(part, `"`)
				waiting = append(waiting, link)
			}
		}
		if len(seen) != n {
			t.Errorf("a site of "+strconv.Itoa(n)+" pages has %d", len(seen))
		}
	}
}

func TestTheFaultsAreCounted(t *testing.T) {
	axe, other := 0, 0
	for _, p := range planted.Pages() {
		for _, f := range p.Faults {
			if f.Rule == planted.RuleReflow || f.Rule == planted.RuleFocus {
				other += f.Nodes
			} else {
				axe += f.Nodes
			}
		}
	}
	if axe != 45 || other != 4 {
		t.Errorf("%d faults of axe's kind and %d others are planted; the reference says 45 and 4", axe, other)
	}
}
