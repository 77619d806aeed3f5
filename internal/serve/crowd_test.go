package serve_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/serve"
)

// TestSilentConnectionsGiveWay: whoever holds connections without using them keeps
// nobody out, and a call that is under way is not ended for it.
func TestSilentConnectionsGiveWay(t *testing.T) {
	for name, says := range map[string]string{
		"idle":      "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		"half-open": "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
		"half sent": "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
		// net/http waits for bodies that no handler reads before it sends the answer.
		"half sent to a watchdog's path": "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
		"half sent to no path":           "PUT /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
		"half sent to another host":      "POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 9\r\n\r\n{",
		"half sent in another form":      "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n{",
		"half sent to the server itself": "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
		"half sent to end a session":     "DELETE / HTTP/1.1\r\nHost: 127.0.0.1\r\nMcp-Session-Id: x\r\nContent-Length: 9\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			const bound = 16
			r := start(t, func(o *serve.Options) { o.MaxConnections = bound })
			call := fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{},%s}}`, meta)
			ended := make(chan answer, 1)
			go func() { ended <- send(t, r.url, exchange{modern: true, body: call}) }()
			<-r.started
			for range 4 * bound {
				conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				if _, err := io.WriteString(conn, says); err != nil {
					t.Fatal(err)
				}
				send(t, r.url, exchange{method: "GET", path: "/health"}) // by its answer the headers above are read
				if name != "idle" {
					continue
				}
				// It is idle, and not merely new, once it has its answer.
				res, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				_ = res.Body.Close()
			}
			check(t, exchange{status: 200}, send(t, r.url, exchange{body: initialize}))
			r.release <- struct{}{}
			if got := <-ended; got.status != 200 || !strings.Contains(string(got.body), `"done":true`) {
				t.Errorf("the call: %d %s", got.status, got.body)
			}
		})
	}
}

// TestASlowClientLosesItsConnection: whatever a client does not send or take, and whoever
// reads or writes it here, its connection ends.
func TestASlowClientLosesItsConnection(t *testing.T) {
	const head = " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	long := `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 40<<10) + `","params":{}}`
	for name, says := range map[string]string{
		"a body that nobody reads": "GET /health" + head + "Content-Length: 9\r\n\r\n{",
		"a body that is refused":   "POST /" + head + "Content-Length: 9\r\n\r\n{",
		"a body that is read":      "POST /" + head + "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
		"a body of a stranger":     "POST /" + head + "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n" + long,
		"answers":                  strings.Repeat("GET /health"+head+"\r\n", 50_000),
		"answers to messages": strings.Repeat(fmt.Sprintf("POST /%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", head, len(long), long),
			1000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := start(t, func(o *serve.Options) {
				o.SlowClient = 500 * time.Millisecond
				o.Access = &serve.Access{Verify: func(context.Context, string) (auth.Principal, error) {
					return auth.Principal{}, errors.New("nobody knows")
				}}
			})
			conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
			_, err = io.WriteString(conn, says) // of the many requests, not all can be sent
			if err == nil && !strings.HasPrefix(name, "answers") {
				_, err = io.Copy(io.Discard, conn)
			}
			var late net.Error
			if errors.As(err, &late) && late.Timeout() {
				t.Error("the connection is still there after 30 s")
			}
		})
	}
}

// TestALongCallIsNoSlowClient: a call that takes longer than a client may is neither
// cancelled nor left without its answer.
func TestALongCallIsNoSlowClient(t *testing.T) {
	const slow = 200 * time.Millisecond
	r := start(t, func(o *serve.Options) { o.SlowClient = slow })
	session := open(t, r.url)
	const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{}%s}}`
	for name, x := range map[string]exchange{
		"with a session":             {header: session, body: fmt.Sprintf(call, "")},
		"with a session, in the SDK": {header: session, body: fmt.Sprintf(call, `,"x":1`)},
		"without":                    {modern: true, body: fmt.Sprintf(call, ","+meta)},
		"without, in the SDK":        {modern: true, body: fmt.Sprintf(call, `,"x":1,`+meta)},
	} {
		for _, accept := range []string{"application/json", "application/json, text/event-stream"} {
			x.header = maps.Clone(x.header)
			if x.header == nil {
				x.header = map[string]string{}
			}
			x.header["Accept"] = accept
			ended := make(chan answer, 1)
			go func() { ended <- send(t, r.url, x) }()
			<-r.started
			<-time.After(3 * slow)
			r.release <- struct{}{}
			if got := <-ended; got.status != 200 || !strings.Contains(string(got.body), `"done":true`) {
				t.Errorf("%s, %s: %d %s", name, accept, got.status, got.body)
			}
			if err := <-r.ended; err != nil {
				t.Errorf("%s, %s: the handler ended with %v", name, accept, err)
			}
		}
	}
}

// TestTenThousandHalfOpenConnections: with the bound that servers have, a crowd that
// never ends its headers costs a bounded amount of memory and keeps nobody out.
func TestTenThousandHalfOpenConnections(t *testing.T) {
	const (
		crowd  = 10_000
		memory = 256 << 20 // bytes, for 4,096 connections with their buffers and stacks
	)
	r := start(t, nil)
	before := held()
	for n := range crowd {
		conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			t.Fatalf("connection %d: %v", n, err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "); err != nil {
			t.Fatalf("connection %d: %v", n, err)
		}
	}
	check(t, exchange{status: 200}, send(t, r.url, exchange{body: initialize}))
	if more := held() - before; more > memory {
		t.Errorf("%d half-open connections cost %d MB", crowd, more>>20)
	}
}

// held is the memory that this process has in use, in bytes.
func held() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
