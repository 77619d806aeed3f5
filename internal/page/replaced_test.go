package page_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestReplacedWaitsForTheNextDocument: it comes after the news that the one before has
// ended, and is asked only once it is parsed. One that does not come is not waited for.
func TestReplacedWaitsForTheNextDocument(t *testing.T) {
	rest := make(chan struct{})
	v := visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>%s</title><p>begun", r.URL.Path)
		if r.URL.Path == "/next" {
			w.(http.Flusher).Flush()
			<-rest
		}
		fmt.Fprint(w, "<p id=end>ended")
	}))
	seq := v.tab.Doc().Seq
	v.eval(t, "() => { setTimeout(() => { location.href = '/next' }, 200) }")
	done := make(chan error, 1)
	go func() { done <- v.Replaced(v.ctx, seq) }()
	soon, cancel := context.WithTimeout(v.ctx, time.Second) // WebKit tells of a document when it is whole
	defer cancel()
	for doc := v.tab.Doc(); doc.Seq == seq; {
		var err error
		if doc, err = v.tab.Changed(soon, doc); err != nil {
			break
		}
	}
	select {
	case err := <-done:
		t.Errorf("it did not wait for the end of the next document (%v)", err)
		close(rest)
	default:
		close(rest)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if doc := v.tab.Doc(); doc.Seq == seq || !doc.Loaded {
		t.Fatalf("document %d after %d, loaded: %v", doc.Seq, seq, doc.Loaded)
	}
	if end := v.eval(t, "() => document.querySelector('#end') ? 'ended' : 'not parsed'"); end != "ended" {
		t.Errorf("the next document is %s", end)
	}
	began, seq := time.Now(), v.tab.Doc().Seq
	if err := v.Replaced(v.ctx, seq); err != nil || v.tab.Doc().Seq != seq {
		t.Errorf("where none comes: %v", err)
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("it waited %s for a document that does not come", d)
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	v.eval(t, "() => { setTimeout(() => { location.href = '"+gone.URL+"' }, 200) }")
	if err := v.Replaced(v.ctx, seq); faultType(err) != "navigation_failed" {
		t.Errorf("where it fails: %v", err)
	}
}
