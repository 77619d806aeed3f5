package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const listing = `{"list":{"tools":[{"name":"` + toolName + `","inputSchema":{"type":"object"}}]},` +
	`"call":{"content":[{"type":"text","text":"none"}],"structuredContent":{"sessions":[]}}}`

// bare is the bare server of the Go SDK, in this process.
func bare(t *testing.T, listing string) *server {
	t.Helper()
	file := filepath.Join(t.TempDir(), "listing.json")
	if err := os.WriteFile(file, []byte(listing), 0o600); err != nil {
		t.Fatal(err)
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{name: "bare", addr: ln.Addr().String(), paths: map[string]string{legacy: "/mcp", modern: "/modern"}, ended: make(chan struct{})}
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	failed := make(chan error, 1)
	go func() {
		failed <- serveBare(ctx, s.addr, file)
		close(s.ended)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-failed; err != nil {
			t.Error(err)
		}
	})
	if err := s.listening(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryAnswerOfBothErasIsLookedAt(t *testing.T) {
	good, wrong := bare(t, listing), bare(t, strings.Replace(listing, `"content"`, `"isError":true,"content"`, 1))
	for _, era := range []string{legacy, modern} {
		for _, s := range []*server{good, wrong} {
			c, err := connect(t.Context(), s, era)
			if err != nil {
				t.Fatalf("%s: %v", era, err)
			}
			var k kind
			if sent, err := k.load(t.Context(), []*client{c}, listMessage, 3); err != nil || sent != 3 || len(k.took) != 3 {
				t.Errorf("%s: %d lists, %d timed: %v", era, sent, len(k.took), err)
			}
			if _, err := k.load(t.Context(), []*client{c}, callMessage, 2); (err != nil) != (s == wrong) {
				t.Errorf("%s: calls: %v", era, err)
			}
			result, err := c.send(t.Context(), listMessage)
			if err != nil || !strings.HasPrefix(string(result), "{") || !strings.Contains(string(result), `"tools"`) {
				t.Errorf("%s: the list is %s: %v", era, result, err)
			}
			c.close(t.Context())
		}
	}
}

func TestReport(t *testing.T) {
	of := func(name string, us ...time.Duration) *contender {
		k := kind{}
		for _, u := range us {
			k.cpu, k.took = append(k.cpu, u*time.Microsecond), append(k.took, u*time.Millisecond)
		}
		return &contender{server: &server{name: name}, era: legacy, calls: k, lists: k}
	}
	var b strings.Builder
	of("legwork", 10, 90, 20).compare(&b, of(typeScript, 30, 50, 40))
	of("legwork", 10, 90, 21).compare(&b, of(typeScript, 30, 50, 40))
	want := "| TypeScript SDK, 2025-06-18 | 0.50 | at most 0.5 | met | 0.50 | 0.50 | 0.50 |\n" +
		"| TypeScript SDK, 2025-06-18 | 0.53 | at most 0.5 | missed | 0.53 | 0.53 | 0.53 |\n"
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
	if got := percentile([]int{4, 1, 3, 2}, 99); got != 4 {
		t.Errorf("p99 of four is %d", got)
	}
}
