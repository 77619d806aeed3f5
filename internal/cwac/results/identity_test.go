package results

import "testing"

// The value is one that a run of CWAC wrote.
func TestIssueIDIsTheOneOfCWAC(t *testing.T) {
	html := `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`
	got := IssueID("http://127.0.0.1:8765/", "image-alt", html, Viewport{Name: "medium", Width: 1280, Height: 800})
	if got != "fac089e95f" {
		t.Errorf("got %s, want fac089e95f", got)
	}
}
