package crowd_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/netutil"

	"github.com/legwork-mcp/legwork/internal/crowd"
)

// host serves handler behind a crowd as a server of this program does, for at most
// bound connections, and returns its address.
func host(t *testing.T, bound int, slow time.Duration, handler http.HandlerFunc) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	guests := crowd.New(bound)
	srv := &http.Server{
		Handler: guests.Handler(handler, slow), ReadHeaderTimeout: slow, ReadTimeout: slow, WriteTimeout: slow, IdleTimeout: time.Minute,
		ConnState: guests.Changed, ConnContext: crowd.WithConn,
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(netutil.LimitListener(ln, bound)) }()
	t.Cleanup(func() {
		_ = srv.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return ln.Addr().String()
}

// say opens a connection and sends a text.
func say(t *testing.T, address, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

const head = " HTTP/1.1\r\nHost: x\r\n"

func get(t *testing.T, address string) int {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(say(t, address, "GET /"+head+"Connection: close\r\n\r\n")), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// TestSilentConnectionsGiveWay: whoever holds connections without using them keeps
// nobody out, and neither a request that is under way nor an upload that goes on is
// ended for it.
func TestSilentConnectionsGiveWay(t *testing.T) {
	const bound = 16
	for name, says := range map[string]string{
		"no headers":                "GET /" + head,
		"half a body, nobody reads": "GET /" + head + "Content-Length: 9\r\n\r\n{",
		"half a body, read":         "POST /read" + head + "Content-Length: 9\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			begun, release, cut := make(chan bool, 1), make(chan bool), make(chan error, 1)
			arrived := make(chan int, 1000) // one for each part of the upload
			address := host(t, bound, time.Minute, func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/slow":
					begun <- true
					<-release
					cut <- r.Context().Err()
				case "/read":
					_, _ = io.Copy(io.Discard, r.Body)
				case "/upload":
					for part, err := make([]byte, 10), error(nil); err == nil; {
						var n int
						n, err = io.ReadFull(r.Body, part)
						arrived <- n
					}
				}
				_, _ = io.WriteString(w, "done")
			})
			call := say(t, address, "GET /slow"+head+"\r\n")
			<-begun
			upload := say(t, address, "POST /upload"+head+"Content-Length: 1000\r\n\r\n")
			for range 4 * bound {
				say(t, address, says)
				if _, err := io.WriteString(upload, "0123456789"); err != nil {
					t.Fatal("the upload was ended:", err)
				}
				if n := <-arrived; n != 10 { // before the next guest comes, however slow this machine is
					t.Fatalf("the upload was ended: %d bytes of a part came", n)
				}
				if got := get(t, address); got != http.StatusOK {
					t.Errorf("a guest got %d", got)
				}
			}
			release <- true
			if err := <-cut; err != nil {
				t.Errorf("the call was cancelled: %v", err)
			}
			if res, err := http.ReadResponse(bufio.NewReader(call), nil); err != nil || res.StatusCode != http.StatusOK {
				t.Errorf("the call ended with %v", err)
			}
			_, err := io.WriteString(upload, strings.Repeat("x", 1000-4*bound*10))
			if res, failed := http.ReadResponse(bufio.NewReader(upload), nil); err != nil || failed != nil || res.StatusCode != http.StatusOK {
				t.Errorf("the upload ended with %v, %v", err, failed)
			}
		})
	}
}

// TestASlowClientLosesItsConnection: whatever it does not send or take.
func TestASlowClientLosesItsConnection(t *testing.T) {
	for name, says := range map[string]string{
		"a body that nobody reads": "GET /" + head + "Content-Length: 9\r\n\r\n{",
		"a body that is read":      "POST /read" + head + "Content-Length: 9\r\n\r\n{",
		"a long answer":            "GET /long" + head + "\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ended := make(chan error, 1)
			address := host(t, 16, 300*time.Millisecond, func(w http.ResponseWriter, r *http.Request) {
				var err error
				switch r.URL.Path {
				case "/read":
					_, err = io.Copy(io.Discard, r.Body)
				case "/long":
					for part := strings.Repeat("x", 1<<20); err == nil; {
						_, err = io.WriteString(w, part)
					}
				}
				ended <- err
			})
			conn := say(t, address, says)
			if name == "a long answer" { // nobody takes it
				select {
				case err := <-ended:
					if err == nil {
						t.Error("it was taken")
					}
				case <-time.After(20 * time.Second):
					t.Error("the handler is still at it")
				}
				return
			}
			_, err := io.Copy(io.Discard, conn)
			var late net.Error
			if errors.As(err, &late) && late.Timeout() {
				t.Error("the connection is still there after 30 s")
			}
		})
	}
}

// TestPatienceWithWhoOwesNothing: an answer that takes longer than a client may, with
// parts that come now and then, is neither cancelled nor cut; nor is one after a body for
// which the handler took its own time.
func TestPatienceWithWhoOwesNothing(t *testing.T) {
	const slow = 200 * time.Millisecond
	address := host(t, 16, slow, func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if r.Method == http.MethodPost {
			_ = control.SetReadDeadline(time.Now().Add(20 * time.Second))
			if n, err := io.Copy(io.Discard, r.Body); n != 6 || err != nil {
				fmt.Fprintf(w, "%d bytes, %v", n, err)
				return
			}
			_ = control.SetReadDeadline(time.Time{})
		}
		for n := range 3 {
			<-time.After(2 * slow)
			if err := context.Cause(r.Context()); err != nil {
				fmt.Fprint(w, err)
			}
			fmt.Fprintf(w, "part %d ", n)
			_ = control.Flush()
		}
	})
	const want = "part 0 part 1 part 2 "
	upload := say(t, address, "POST /"+head+"Content-Length: 6\r\n\r\n")
	for _, part := range []string{"ab", "cd", "ef"} {
		<-time.After(slow)
		_, _ = io.WriteString(upload, part)
	}
	for name, conn := range map[string]net.Conn{"a long call": say(t, address, "GET /"+head+"\r\n"), "a long upload": upload} {
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := io.ReadAll(res.Body); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
