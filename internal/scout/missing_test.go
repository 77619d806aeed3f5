package scout

import (
	"net/http"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// TestTheFormIsInAFrameThatIsRefused: that there is no form would be half of the
// truth.
func TestTheFormIsInAFrameThatIsRefused(t *testing.T) {
	s := newBench(t, Settings{})
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<h1>Apply</h1><iframe src="http://10.0.0.1/form" title="The form"></iframe>`)
	}))
	err := explorerOf(s, Request{}).explore(t.Context())
	f := fault.From(err)
	if f.Type != "no_form" || !strings.Contains(f.Message, "http://10.0.0.1:80 is refused: ") {
		t.Errorf("it ended with %q: %v", f.Type, err)
	}
}
