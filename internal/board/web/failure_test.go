package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestAPageSaysWhatKindOfFailureItIs: what the visitor sent wrong is 400, and a database
// that does not answer is 503 and no defect with a number.
func TestAPageSaysWhatKindOfFailureItIs(t *testing.T) {
	w := newWorld(t)
	_, c := w.worker("hana@example.org")
	for _, cursor := range []string{"%00", "AAAA", "../..", strings.Repeat("a", 2000)} {
		if res := c.get("/?cursor=" + cursor); res.status != http.StatusBadRequest {
			t.Errorf("the cursor %.10s: %d", cursor, res.status)
		}
	}
	if err := w.db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/me"} {
		res := c.get(path)
		if res.status != http.StatusServiceUnavailable || !strings.Contains(res.body, "ただいま処理できません") || strings.Contains(res.body, "番号") {
			t.Errorf("%s without a database: %d %s", path, res.status, res.body)
		}
	}
}
