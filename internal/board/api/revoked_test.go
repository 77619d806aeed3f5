package api

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"
)

// TestARevokedKeyHearsNothingMore: whoever waits for events with a key, in a stream or in
// a call, learns of none that happens after it was revoked, or rotated without an overlap.
func TestARevokedKeyHearsNothingMore(t *testing.T) {
	b := newBench(t)
	for name, end := range map[string]func(a agent, id string){
		"revoked": func(a agent, id string) { b.must(200, call{method: "DELETE", path: "/api/ai/keys/" + id, as: a.key}) },
		"rotated": func(a agent, id string) {
			b.must(200, call{method: "POST", path: "/api/ai/keys/" + id + "/rotate", as: a.key, body: map[string]any{"overlap_seconds": 0}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := b.agent()
			made := b.must(201, call{method: "POST", path: "/api/ai/keys", as: a.key, body: map[string]any{"name": "leaked"}})
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			ask := func(path string) *http.Response {
				req, err := http.NewRequestWithContext(ctx, "GET", b.url+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Authorization", "Bearer "+made.json["api_key"].(string))
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Error(err)
					return &http.Response{Body: io.NopCloser(strings.NewReader(""))}
				}
				return res
			}
			stream := ask("/api/events/stream")
			defer stream.Body.Close()
			if _, err := io.ReadFull(stream.Body, make([]byte, len(": connected\n\n"))); err != nil {
				t.Fatal(err)
			}
			polled, sent := make(chan string), make(chan struct{})
			go func() {
				ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { close(sent) }})
				res := ask("/api/events?wait=20")
				defer res.Body.Close()
				raw, _ := io.ReadAll(res.Body)
				polled <- string(raw)
			}()
			<-sent
			b.must(200, call{method: "GET", path: "/api/ai/keys", as: a.key}) // later than the call that waits
			end(a, made.json["id"].(string))
			id := b.post(a)
			rest, err := io.ReadAll(stream.Body) // until the board ends it
			if err != nil || strings.Contains(string(rest), id) {
				t.Errorf("the stream: %s %v", rest, err)
			}
			if got := <-polled; strings.Contains(got, id) || !strings.Contains(got, "invalid_credentials") {
				t.Errorf("the call that waits: %s", got)
			}
		})
	}
}
