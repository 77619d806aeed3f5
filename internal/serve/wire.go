package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// wire stands between the SDK's handler and the client. The SDK answers in an
// event stream and reports its own errors as plain text; the client gets what it
// asked for, every error as JSON-RPC, and signs of life while a call runs.
type wire struct {
	http.ResponseWriter

	message   *message
	stream    bool              // the client reads event streams
	keepAlive time.Duration     // between signs of life
	slow      time.Duration     // that the client may take for what is written
	onCommit  func(http.Header) // sees the headers before the client does

	mu        sync.Mutex
	header    http.Header // of the SDK's answer
	committed bool
	streaming bool // an event stream is under way
	answered  bool // the answer was among the events
	beat      *time.Timer
	over      bool // no sign of life may follow
	status    int
	held      *bytes.Buffer // what must be rewritten before it is sent
}

func (s *Server) newWire(w http.ResponseWriter, m *message, stream bool) *wire {
	// A subscription has no other form than a stream.
	stream = stream || m.method == methodListen
	return &wire{ResponseWriter: w, message: m, stream: stream, keepAlive: s.o.KeepAlive, slow: s.o.SlowClient, header: http.Header{}}
}

// run lets h answer and completes the answer.
func (w *wire) run(h http.Handler, r *http.Request) {
	func() {
		defer w.beating()() // also when h panics: nobody else ends the beat
		h.ServeHTTP(w, r)
	}()
	w.finish()
}

// answer sends the answer to a call that the SDK did not see.
func (w *wire) answer(body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stream {
		body = bytes.Join([][]byte{[]byte("event: message\ndata: "), body, []byte("\n\n")}, nil)
	}
	if !w.committed { // no sign of life was quicker
		h := w.ResponseWriter.Header()
		h["Cache-Control"] = []string{"no-cache, no-transform"}
		h["Content-Length"] = []string{strconv.Itoa(len(body))}
		h["Content-Type"] = []string{"application/json"}
		if w.stream {
			h["Content-Type"], h["X-Accel-Buffering"] = []string{"text/event-stream"}, []string{"no"}
		}
		w.ResponseWriter.WriteHeader(http.StatusOK)
	}
	w.deadline()
	_, _ = w.ResponseWriter.Write(body) // a client that went away is no news
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Header implements http.ResponseWriter. The SDK gets a map of its own, since
// the first sign of life may be sent while it writes there.
func (w *wire) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *wire) WriteHeader(code int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(code)
}

// begin decides from the headers how the answer is passed on.
func (w *wire) begin(code int) {
	if w.status != 0 {
		return
	}
	w.status = code
	kind := w.header.Get("Content-Type")
	events := strings.HasPrefix(kind, "text/event-stream")
	switch {
	case w.committed && events: // the first sign of life was quicker
	case w.committed, code >= http.StatusBadRequest && strings.HasPrefix(kind, "text/plain"), events && !w.stream:
		w.held = &bytes.Buffer{}
	case events:
		w.startStream()
	default:
		w.commit(code)
	}
}

// startStream tells proxies not to collect the events.
func (w *wire) startStream() {
	w.header.Set("X-Accel-Buffering", "no")
	w.streaming = true
	w.commit(http.StatusOK)
}

// commit sends the headers.
func (w *wire) commit(code int) {
	w.committed = true
	if w.onCommit != nil {
		w.onCommit(w.header)
	}
	h := w.ResponseWriter.Header()
	for k, v := range w.header {
		h[k] = v
	}
	w.ResponseWriter.WriteHeader(code)
}

// Write implements http.ResponseWriter. The SDK writes one event at a time.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK)
	if w.held != nil {
		return w.held.Write(p)
	}
	out := p
	if w.streaming {
		out = w.repairEvent(p)
		w.answered = w.answered || isAnswer(p)
	}
	w.deadline()
	if _, err := w.ResponseWriter.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// isAnswer tells an answer from what is sent before it. Inside of a text the
// quotes would be escaped.
func isAnswer(event []byte) bool {
	return bytes.Contains(event, []byte(`"result":`)) || bytes.Contains(event, []byte(`"error":`))
}

// repairEvent mends the message in an event.
func (w *wire) repairEvent(p []byte) []byte {
	if !unfit(p) {
		return p
	}
	head, data, found := bytes.Cut(p, []byte("data: "))
	if !found {
		return p
	}
	data = repair(w.message.method, bytes.TrimRight(data, "\n"))
	return bytes.Join([][]byte{head, []byte("data: "), data, []byte("\n\n")}, nil)
}

// FlushError implements what a ResponseController looks for.
func (w *wire) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.committed {
		return nil
	}
	w.deadline()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// deadline drops a client that does not read. It stays for what net/http itself writes
// at the end.
func (w *wire) deadline() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.slow)) // best effort
}

// beating sends comments while the stream is quiet, so that proxies do not end it,
// until the returned function is called. The answer to initialize has headers of its
// own and comes at once.
func (w *wire) beating() (stop func()) {
	if !w.stream || !w.message.isCall() || w.message.method == methodInitialize || w.keepAlive <= 0 {
		return func() {}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.beat = time.AfterFunc(w.keepAlive, w.comment)
	return func() {
		w.mu.Lock() // waits for a comment that is being sent
		defer w.mu.Unlock()
		w.beat.Stop()
		w.over = true
	}
}

// comment sends a sign of life and waits for the time of the next.
func (w *wire) comment() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	w.beat.Reset(w.keepAlive)
	w.say(": keep-alive\n\n")
}

// notify sends a notification that belongs to a call that the SDK does not see. A
// client that reads no streams does without.
func (w *wire) notify(body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stream && !w.over {
		w.say("event: message\ndata: " + string(body) + "\n\n")
	}
}

// say writes to the stream before the answer, and opens it if need be.
func (w *wire) say(text string) {
	if w.held != nil || (w.committed && !w.streaming) {
		return
	}
	if !w.committed {
		// The SDK's headers are not looked at here: it may be writing them.
		w.committed, w.streaming = true, true
		h := w.ResponseWriter.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-cache, no-transform")
		h.Set("X-Accel-Buffering", "no")
		w.ResponseWriter.WriteHeader(http.StatusOK)
	}
	w.deadline()
	_, _ = io.WriteString(w.ResponseWriter, text) // the handler learns of a client that went away by itself
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// finish sends what was held back.
func (w *wire) finish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.message.isCall() && w.held == nil && (w.status == 0 || w.streaming && !w.answered) {
		w.held = &bytes.Buffer{} // the session was ended under the call
	}
	if w.held == nil {
		if w.committed {
			_ = http.NewResponseController(w.ResponseWriter).Flush()
		}
		return
	}
	body, status := w.heldAnswer()
	if w.committed {
		// A sign of life has begun a stream: the answer is its last event.
		w.deadline()
		_, _ = fmt.Fprintf(w.ResponseWriter, "event: message\ndata: %s\n\n", body) // a client that went away is no news
		_ = http.NewResponseController(w.ResponseWriter).Flush()
		return
	}
	w.header.Set("Content-Type", "application/json")
	w.header.Del("Content-Length")
	w.header.Del("Connection")
	w.held = nil
	w.deadline()
	w.commit(status)
	_, _ = w.ResponseWriter.Write(body) // a client that went away is no news
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// heldAnswer is the JSON that stands for what the SDK wrote.
func (w *wire) heldAnswer() ([]byte, int) {
	kind := w.header.Get("Content-Type")
	switch {
	case strings.HasPrefix(kind, "application/json"):
		return repair(w.message.method, bytes.TrimSpace(w.held.Bytes())), w.status
	case w.status >= http.StatusBadRequest:
		return plainError(w.message, w.status, w.held.String()).body(), w.status
	}
	for event := range bytes.SplitSeq(w.held.Bytes(), []byte("\n\n")) {
		_, data, found := bytes.Cut(event, []byte("data: "))
		var m struct {
			Method *string `json:"method"`
		}
		if found && json.Unmarshal(data, &m) == nil && m.Method == nil {
			return repair(w.message.method, data), http.StatusOK
		}
	}
	return (&rpcError{w.message.id, jsonrpc.CodeInternalError, endedUnderCall}).body(), http.StatusOK
}

// endedUnderCall answers a call whose session was ended before the call had.
const endedUnderCall = "The call ended without an answer: the session was closed."

// plainError turns a plain text of the SDK into an error of the protocol.
func plainError(m *message, status int, text string) *rpcError {
	text = strings.TrimSpace(text)
	if status == http.StatusNotFound {
		text = "the session is unknown or has ended: send initialize again"
	}
	if status >= http.StatusInternalServerError {
		return &rpcError{m.id, jsonrpc.CodeInternalError, "Internal error: the message could not be handled."}
	}
	text = strings.TrimPrefix(strings.TrimSuffix(text, "."), "Bad Request: ")
	return invalid(m.id, "%s", strings.TrimPrefix(text, "invalid request: "))
}
