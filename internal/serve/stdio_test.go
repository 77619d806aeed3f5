package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/serve"
)

// piped is a stdio server and the client's ends of its pipes.
type piped struct {
	*desk
	in     *io.PipeWriter
	out    *bufio.Scanner
	reader *io.PipeReader
	cancel context.CancelFunc
	result chan error
}

func pipe(t *testing.T, change func(*serve.Options)) *piped {
	t.Helper()
	d, s := newServer(t, change)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	p := &piped{desk: d, in: inW, out: bufio.NewScanner(outR), reader: outR, cancel: cancel, result: make(chan error, 1)}
	p.out.Buffer(nil, 32<<20)
	go func() {
		err := s.Stdio(ctx, inR, outW)
		outW.Close()
		p.result <- err
	}()
	t.Cleanup(cancel)
	return p
}

func (p *piped) send(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

func (p *piped) read(t *testing.T) string {
	t.Helper()
	if !p.out.Scan() {
		t.Fatalf("no answer: %v", p.out.Err())
	}
	line := p.out.Text()
	if !json.Valid([]byte(line)) {
		t.Fatalf("stdout carries something else: %q", line)
	}
	return line
}

// end closes the input and returns what is still written, and the result.
func (p *piped) end(t *testing.T) ([]string, error) {
	t.Helper()
	p.in.Close()
	var rest []string
	for p.out.Scan() {
		rest = append(rest, p.out.Text())
	}
	return rest, <-p.result
}

func TestStdioSurvivesBadLines(t *testing.T) {
	p := pipe(t, nil)
	tests := []struct{ line, want string }{
		{`{"jsonrpc":"2.0","id":1,`, `"error":{"code":-32700,`},
		{`hello`, `"error":{"code":-32700,`},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `"error":{"code":-32600,`},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, `"error":{"code":-32600,`},
		{`{"jsonrpc":"2.0","method":"ping","params":{},"params":{"id":1}}`, `"id":null,"error":{"code":-32600,`},
		{`{"jsonrpc":"2.0","method":"ping","params":{"deep":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}}`, `"id":null,"error":{"code":-32600,`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `"id":2,"error":{"code":-32600,`},
		{strings.Repeat("x", 17<<20), `"error":{"code":-32600,`},
		{initialize, `"serverInfo":{"name":"legwork"`},
		{`{"jsonrpc":"2.0","id":3,"method":"foo/bar"}`, `"id":3,"error":{"code":-32601,`},
		{`{"jsonrpc":"2.0","id":4,"method":"logging/setLevel","params":{"level":7}}`, `"id":4,"error":{"code":-32602,`},
		{`{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`, `"id":5,"error":{"code":-32600,`},
		{`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"echo","arguments":null}}`, `"quality":80`},
		{`{"jsonrpc":"2.0","id":"a<b","method":"ping"}`, `"result":{}`},
	}
	for _, tt := range tests {
		p.send(t, tt.line)
		if got := p.read(t); !strings.Contains(got, tt.want) {
			t.Errorf("%.80s\n got %.300s\nwant %s", tt.line, got, tt.want)
		}
	}
	if rest, err := p.end(t); err != nil || rest != nil {
		t.Errorf("at the end: %q, %v", rest, err)
	}
}

// Nobody waits for what a call that was cancelled still says, however its id is spelled.
func TestStdioDoesNotAnswerACancelledCall(t *testing.T) {
	for _, id := range []struct{ called, cancelled string }{{"2", "2"}, {`"a<b"`, `"a<b"`}, {`"a<b"`, `"\u0061<b"`}} {
		t.Run(id.cancelled, func(t *testing.T) {
			p := pipe(t, nil)
			p.send(t, initialize)
			p.read(t)
			p.send(t, `{"jsonrpc":"2.0","id":`+id.called+`,"method":"tools/call","params":{"name":"slow"}}`)
			<-p.started
			p.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id.cancelled+`}}`)
			if err := <-p.ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the handler ended with %v", err)
			}
			p.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`) // of nothing
			p.send(t, `{"jsonrpc":"2.0","id":3,"method":"ping"}`)
			if got := p.read(t); !strings.Contains(got, `"id":3,"result":{}`) {
				t.Errorf("after the cancellation: %s", got)
			}
			if rest, err := p.end(t); err != nil || rest != nil {
				t.Errorf("at the end: %q, %v", rest, err)
			}
		})
	}
}

// A script that pipes its calls in and closes the input still gets its answers.
func TestStdioAnswersWhatItReadBeforeTheEnd(t *testing.T) {
	p := pipe(t, nil)
	p.send(t, initialize)
	p.read(t)
	p.send(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}`)
	<-p.started
	p.in.Close()
	close(p.release)
	rest, err := p.end(t)
	if err != nil || len(rest) != 1 || !strings.Contains(rest[0], `"done":true`) {
		t.Errorf("at the end: %q, %v", rest, err)
	}
}

func TestStdioEndsACallWhenTheGraceIsOver(t *testing.T) {
	for _, way := range []string{"end of input", "signal"} {
		t.Run(way, func(t *testing.T) {
			p := pipe(t, func(o *serve.Options) { o.Grace = time.Millisecond })
			p.send(t, initialize)
			p.read(t)
			p.send(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}`)
			<-p.started
			if way == "signal" {
				p.cancel()
			}
			if _, err := p.end(t); err != nil {
				t.Errorf("stdio: %v", err)
			}
			if err := <-p.ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the handler ended with %v", err)
			}
		})
	}
}

// TestStdioAnswersCallsThatASignalEnds: each of them, however many there are.
func TestStdioAnswersCallsThatASignalEnds(t *testing.T) {
	const rounds, calls = 5, 100
	for range rounds {
		p := pipe(t, func(o *serve.Options) { o.Grace = time.Millisecond })
		p.send(t, initialize)
		p.read(t)
		for id := range calls {
			p.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"slow"}}`, id+10))
			<-p.started
		}
		go func() {
			for range calls {
				<-p.ended
			}
		}()
		p.cancel()
		answered := 0
		for p.out.Scan() { // the client keeps its end of the input open
			answered++
		}
		if err := <-p.result; err != nil || answered != calls {
			t.Errorf("%d of %d calls were answered, %v", answered, calls, err)
		}
	}
}

func TestOfficialClientOverStdio(t *testing.T) {
	for era, opts := range eras {
		t.Run(era, func(t *testing.T) {
			p := pipe(t, nil)
			c := connectOver(t, &mcp.IOTransport{Reader: p.reader, Writer: p.in}, opts)
			if diff := cmp.Diff("<hi>", textOf(t, c.call(t, "echo", map[string]any{"text": "<hi>"}))); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-p.started
				cancel()
			}()
			if _, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "slow"}); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled call: %v", err)
			}
			if err := <-p.ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the handler ended with %v", err)
			}
			if err := c.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			if err := <-p.result; err != nil {
				t.Errorf("stdio: %v", err)
			}
		})
	}
}

// A client that goes away while it is owed an answer must not kill the server
// before it has cleaned up, which a signal for the broken pipe would.
func TestStdioOutlivesItsClient(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asStdioServer+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, initialize+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 7 || !strings.Contains(stderr.String(), "ended:") {
		t.Errorf("it ended with %v: %s", err, stderr.String())
	}
}
