package engine_test

import (
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// TestAPageInXML: it is audited as any other, but not by the rules of HTML's syntax.
func TestAPageInXML(t *testing.T) {
	t.Parallel()
	page := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/xhtml+xml")
		_, _ = io.WriteString(w, `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>X</title></head><body><main><h1>X</h1><img src="/x.gif"/></main></body></html>`)
	}
	o := options(t, serve(t, pages{"/": page}), "http://"+bench+"/")
	only(&o.Config, results.AuditAxe, results.AuditHTML)
	o.Config.MaxLinksPerDomain, o.Config.Viewports = 1, o.Config.Viewports[:1]
	_, read := scan(t, o)
	var found []string
	for f, err := range read.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, f.Rule)
	}
	if diff := cmp.Diff([]string{"image-alt"}, found); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	got := outcome(t, read, "/")
	if got.State != results.PageScanned || !slices.ContainsFunc(got.Notes, func(n results.Note) bool { return n.Audit == results.AuditHTML && n.Kind == "not_html" }) {
		t.Errorf("it is %s with notes %v", got.State, got.Notes)
	}
}
