package serve

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestPanicEndsTheBeat: a handler that gives up its connection, as net/http lets
// it by a panic, leaves no goroutine that writes to it.
func TestPanicEndsTheBeat(t *testing.T) {
	before := goleak.IgnoreCurrent()
	s := &Server{o: Options{KeepAlive: time.Hour}}
	w := s.newWire(httptest.NewRecorder(), &message{method: "tools/call", id: json.RawMessage("1")}, true)
	func() {
		defer func() {
			if recover() != http.ErrAbortHandler {
				t.Error("the panic did not reach the server")
			}
		}()
		w.run(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), nil)
	}()
	goleak.VerifyNone(t, before)
}
