package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// limited is a protected server on which echo may be called twice an hour, and
// everything together ten times.
func limited(t *testing.T, source ratelimit.Source) (*running, *oauthtest.Issuer) {
	return protected(t, func(o *serve.Options) {
		o.Limits = &serve.Limits{Source: source, All: ratelimit.Limit{Calls: 10, Per: time.Hour}, Of: func(s tool.Spec) (ratelimit.Limit, bool) {
			return ratelimit.Limit{Calls: 2, Per: time.Hour}, s.Name == "echo"
		}}
	})
}

// calls sends one call of a tool as a subject.
func calls(t *testing.T, r *running, i *oauthtest.Issuer, subject, name string) answer {
	t.Helper()
	return send(t, r.url, exchange{
		modern: true, body: fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":{},%s}}`, name, meta),
		header: map[string]string{"Authorization": "Bearer " + i.Mint(map[string]any{"sub": subject, "scope": "test:execute"})},
	})
}

// TestTooManyCalls: the refusal has the body of the specification, and the HTTP
// answer says when to come back.
func TestTooManyCalls(t *testing.T) {
	now := time.Now()
	r, issuer := limited(t, ratelimit.NewMemory(0, func() time.Time { return now }))
	for range 2 {
		if got := calls(t, r, issuer, "ann", "echo"); got.header.Get("Retry-After") != "" || strings.Contains(string(got.body), "rate_limit") {
			t.Fatalf("%v %s", got.header, got.body)
		}
	}
	got := calls(t, r, issuer, "ann", "echo")
	var m struct {
		Result struct {
			IsError           bool
			StructuredContent map[string]any
		}
	}
	if err := json.Unmarshal(got.body, &m); err != nil {
		t.Fatalf("%v: %s", err, got.body)
	}
	body := m.Result.StructuredContent
	reset, err := time.Parse(time.RFC3339, fmt.Sprint(body["reset_at"]))
	if err != nil || !m.Result.IsError || got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if wait := reset.Sub(now); wait < 29*time.Minute || wait > 31*time.Minute {
		t.Errorf("it is reset in %v, want the half hour in which one call comes back", wait)
	}
	want := map[string]any{"error": "rate_limit_exceeded", "message": "Rate limit exceeded for echo", "retry_after_seconds": 1800.0, "limit": 2.0}
	for key := range body {
		if _, ok := want[key]; !ok {
			delete(body, key)
		}
	}
	if diff := cmp.Diff(want, body); diff != "" || got.header.Get("Retry-After") != "1800" {
		t.Errorf("Retry-After %q, body (-want +got):\n%s", got.header.Get("Retry-After"), diff)
	}
	// Another caller and another tool have allowances of their own.
	for _, who := range [][2]string{{"bob", "echo"}, {"ann", "change"}} {
		if got := calls(t, r, issuer, who[0], who[1]); strings.Contains(string(got.body), "rate_limit") {
			t.Errorf("%v: %s", who, got.body)
		}
	}
	// All together: two of ann's were echo, one change.
	for range 7 {
		if got := calls(t, r, issuer, "ann", "change"); strings.Contains(string(got.body), "rate_limit") {
			t.Fatalf("too early: %s", got.body)
		}
	}
	// No other tool would help then, as it does where a tool has a limit of its own.
	if got := calls(t, r, issuer, "ann", "change"); !strings.Contains(string(got.body), "rate_limit_exceeded") ||
		!strings.Contains(string(got.body), "all calls of all tools together") || strings.Contains(string(got.body), "limits of their own") {
		t.Errorf("the eleventh call: %s", got.body)
	}
	now = now.Add(time.Hour)
	if got := calls(t, r, issuer, "ann", "echo"); strings.Contains(string(got.body), "rate_limit") {
		t.Errorf("after an hour: %s", got.body)
	}
}

// outage is a source that cannot count.
type outage struct{}

// Take implements ratelimit.Source.
func (outage) Take(context.Context, string, ratelimit.Limit, int) (ratelimit.Decision, error) {
	return ratelimit.Decision{Allowed: true}, errors.New("the database is gone: secret")
}

func TestCallsThatCannotBeCountedAreNotTaken(t *testing.T) {
	r, issuer := limited(t, outage{})
	got := string(calls(t, r, issuer, "ann", "change").body)
	if !strings.Contains(got, "limits_unavailable") || strings.Contains(got, "changed") || strings.Contains(got, "secret") {
		t.Error(got)
	}
}

// frozen is a source whose database does not answer any more.
type frozen struct{}

// Take implements ratelimit.Source.
func (frozen) Take(ctx context.Context, _ string, _ ratelimit.Limit, _ int) (ratelimit.Decision, error) {
	<-ctx.Done()
	return ratelimit.Decision{Allowed: true}, ctx.Err()
}

// TestADatabaseThatHangsHoldsNobodyUp: the call is refused as when nobody can
// count, instead of waiting until the client gives up.
func TestADatabaseThatHangsHoldsNobodyUp(t *testing.T) {
	r, issuer := protected(t, func(o *serve.Options) {
		o.Limits = &serve.Limits{
			Source: ratelimit.Within(frozen{}, time.Millisecond), All: ratelimit.Limit{Calls: 10, Per: time.Hour},
			Of: func(tool.Spec) (ratelimit.Limit, bool) { return ratelimit.Limit{}, false },
		}
	})
	got := string(calls(t, r, issuer, "ann", "change").body)
	if !strings.Contains(got, "limits_unavailable") || strings.Contains(got, "changed") {
		t.Error(got)
	}
}

// TestHugeBodies: a body is refused by its length before it is read, and by what
// comes when it does not say, and costs no more memory than the largest one.
func TestHugeBodies(t *testing.T) {
	r := start(t, nil)
	for name, head := range map[string]string{
		"4 GB announced": "Content-Length: 4294967296\r\n\r\n",
		"without an end": "Transfer-Encoding: chunked\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			before := held()
			fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%s", head)
			go func() {
				chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat("x", 1<<20))
				for { // until the server has had enough
					if _, err := io.WriteString(conn, chunk); err != nil {
						return
					}
				}
			}()
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if want := "the body is larger than 6291456 bytes"; err != nil || res.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(body), want) {
				t.Errorf("status %d, %v: %s", res.StatusCode, err, body)
			}
			// The body itself, its growth while it is read, and the sender's own megabytes.
			if more := held() - before; more > 48<<20 {
				t.Errorf("it costs %d MB", more>>20)
			}
		})
	}
}

// TestBodiesTogetherAreBounded: many large bodies that wait for their end do not
// fill the memory; who comes then is told to come back, and is served afterwards.
func TestBodiesTogetherAreBounded(t *testing.T) {
	r := start(t, func(o *serve.Options) { o.MaxBodies = 4 << 20 })
	const size = 512 << 10
	large := exchange{body: initialize + strings.Repeat(" ", size)}
	var held []net.Conn
	got := send(t, r.url, large)
	for got.status == 200 {
		if len(held) == 50 {
			t.Fatalf("%d bodies of %d bytes are held, and there is still room", len(held), size)
		}
		conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, conn)
		// All but the last byte: the server has to keep it.
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", size)
		_, _ = conn.Write(make([]byte, size-1)) // refused when there is no room: the answer below tells
		got = send(t, r.url, large)
	}
	if got.status != 503 || got.header.Get("Retry-After") == "" || len(held) < 4 {
		t.Errorf("with %d bodies held: %d %s", len(held), got.status, got.body)
	}
	if got := send(t, r.url, exchange{body: initialize}); got.status != 200 {
		t.Errorf("a small message with %d large bodies held: %d %s", len(held), got.status, got.body)
	}
	for _, c := range held {
		c.Close()
	}
	for got = send(t, r.url, large); got.status != 200; got = send(t, r.url, large) { // the server notices that they are gone
		if t.Context().Err() != nil {
			t.Fatal("the memory is not given back")
		}
	}
}
