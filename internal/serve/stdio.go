package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds one message on stdio.
const maxLine = 16 << 20

// Stdio serves the first endpoint over in and out until in ends or ctx does.
// When in ends, calls that are still running get the grace to answer. If in can
// be closed it is, which ends the reading goroutine; closing a process's own stdin
// does not wake who reads it, so that its read is left to end with the process.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	// A client that is gone must be an error of a write, not the end of this
	// process before it has cleaned up. Notify, unlike Ignore, is not inherited.
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, syscall.SIGPIPE)
	defer signal.Stop(gone)
	conn := &stdioConn{
		in: bufio.NewReader(in), out: out, server: s,
		lines: make(chan line), closed: make(chan struct{}),
	}
	if c, ok := in.(io.Closer); ok && in != io.Reader(os.Stdin) {
		conn.closer = c
	}
	conn.readers.Go(conn.read)
	// The session must outlive ctx by the grace.
	session, err := s.endpoints[0].mcp.Connect(context.WithoutCancel(ctx), stdioTransport{conn}, nil)
	if err != nil {
		return errors.Join(fmt.Errorf("open the stdio session: %w", err), conn.Close())
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case <-ctx.Done():
		err = s.drain()
		conn.awaitAnswers(hardStop) // of the calls that were told to end
		err = errors.Join(err, conn.finish(session, ended))
	case <-ended:
		err = s.drain()
	}
	_ = conn.Close() // idempotent
	if conn.closer != nil {
		conn.readers.Wait()
	}
	return err
}

// finish closes the session after its calls have ended. A client that does not
// read its answers must not hold up the exit.
func (c *stdioConn) finish(session *mcp.ServerSession, ended <-chan error) error {
	go func() { _ = session.Close() }() // what it would report, ended does
	stubborn := time.NewTimer(hardStop)
	defer stubborn.Stop()
	select {
	case <-ended:
		return nil
	case <-stubborn.C:
		return errors.New("the client does not read its answers")
	}
}

// stdioTransport hands the one connection to the SDK.
type stdioTransport struct{ conn *stdioConn }

// Connect implements mcp.Transport.
func (t stdioTransport) Connect(context.Context) (mcp.Connection, error) { return t.conn, nil }

type line struct {
	data []byte
	err  error
}

// stdioConn is newline-delimited JSON-RPC that survives a bad line: the SDK's
// own connection ends at the first one, and decodes less strictly.
type stdioConn struct {
	in      *bufio.Reader
	out     io.Writer
	closer  io.Closer
	server  *Server
	lines   chan line
	closed  chan struct{}
	once    sync.Once
	readers sync.WaitGroup

	mu      sync.Mutex
	waiting map[string]string // id of a call without an answer -> method
	givenUp map[string]bool   // of those, the ones that their client has cancelled
	idle    chan struct{}     // closed when the last answer was written, if set
}

// SessionID implements mcp.Connection; stdio has none.
func (c *stdioConn) SessionID() string { return "" }

// read passes lines on until the input ends or the connection is closed.
func (c *stdioConn) read() {
	for {
		data, err := readLine(c.in)
		select {
		case c.lines <- line{data, err}:
		case <-c.closed:
			return
		}
		if err != nil && !errors.Is(err, errLongLine) {
			return
		}
	}
}

var errLongLine = fmt.Errorf("a line is longer than %d bytes", maxLine)

// readLine reads one line; of a line that is too long it discards the rest.
func readLine(r *bufio.Reader) ([]byte, error) {
	var data []byte
	for {
		part, err := r.ReadSlice('\n')
		tooLong := len(data)+len(part) > maxLine
		if !tooLong {
			data = append(data, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && tooLong:
			if err := discardLine(r); err != nil {
				return nil, err
			}
			return nil, errLongLine
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong:
			return nil, errLongLine
		case err != nil && len(bytes.TrimSpace(data)) > 0:
			return data, nil // the last line lacks its newline; the next read reports the end
		}
		return data, err
	}
}

func discardLine(r *bufio.Reader) error {
	for {
		_, err := r.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// Read implements mcp.Connection. It answers lines that are no message itself.
func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.lines:
			if l.err != nil && !errors.Is(l.err, errLongLine) {
				c.awaitAnswers(c.server.o.Grace)
				return nil, io.EOF
			}
			msg, err := c.accept(l)
			if err != nil {
				return nil, err
			}
			if msg != nil {
				return msg, nil
			}
		}
	}
}

// accept turns a line into a message, or answers it and returns nil.
func (c *stdioConn) accept(l line) (jsonrpc.Message, error) {
	if l.err != nil {
		return nil, c.writeLine(invalid(nil, "%v", l.err).body())
	}
	data := bytes.TrimSpace(l.data)
	if len(data) == 0 {
		return nil, nil
	}
	m, bad := parseMessage(data)
	if bad != nil {
		return nil, c.writeLine(bad.body())
	}
	msg, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return nil, c.writeLine(invalid(m.id, "the message cannot be read").body())
	}
	if m.method == methodCancelled && !c.giveUp(m) {
		return nil, nil // the SDK would hold it against the next call with that id
	}
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() && !c.expect(req) {
		return nil, c.writeLine(invalid(m.id, "the id is in use").body())
	}
	return msg, nil
}

// expect notes a call that must be answered. It reports false when another call
// with the same id is not answered yet.
func (c *stdioConn) expect(req *jsonrpc.Request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := idText(req.ID)
	if _, taken := c.waiting[id]; taken {
		return false
	}
	if c.waiting == nil {
		c.waiting = map[string]string{}
	}
	c.waiting[id] = req.Method
	return true
}

// giveUp notes that nobody waits for a call any more: what its tool still says is not
// sent (MCP 2026-07-28, Cancellation, Behavior Requirements). It reports whether there is
// such a call.
func (c *stdioConn) giveUp(m *message) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	var said any
	_ = json.Unmarshal(m.params["requestId"], &said) // what is none names no call
	named, err := jsonrpc.MakeID(said)
	id := idText(named)
	if err != nil || c.waiting[id] == "" {
		return false
	}
	if c.givenUp == nil {
		c.givenUp = map[string]bool{}
	}
	c.givenUp[id] = true
	return true
}

// awaitAnswers lets the calls that were read before the end answer: the SDK cancels
// them as soon as reading ends, and drops what they say when its session is closed.
func (c *stdioConn) awaitAnswers(limit time.Duration) {
	c.mu.Lock()
	if len(c.waiting) == 0 {
		c.mu.Unlock()
		return
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	select {
	case <-idle:
	case <-ctx.Done():
	case <-c.closed:
	}
}

// Write implements mcp.Connection.
func (c *stdioConn) Write(_ context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if resp, ok := msg.(*jsonrpc.Response); ok {
		id := idText(resp.ID)
		data = repair(c.waiting[id], data)
		unwanted := c.givenUp[id]
		delete(c.waiting, id)
		delete(c.givenUp, id)
		defer func() {
			if len(c.waiting) == 0 && c.idle != nil {
				close(c.idle)
				c.idle = nil
			}
		}()
		if unwanted {
			return nil
		}
	}
	return c.writeLocked(data)
}

func (c *stdioConn) writeLine(data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writeLocked(data)
}

func (c *stdioConn) writeLocked(data []byte) error {
	if _, err := c.out.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("write to the client: %w", err)
	}
	return nil
}

// Close implements mcp.Connection.
func (c *stdioConn) Close() error {
	var err error
	c.once.Do(func() {
		close(c.closed)
		if c.closer != nil {
			err = c.closer.Close()
		}
	})
	return err
}
