package scout

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/page"
)

// TestColours: a colour is given as its control keeps it.
func TestColours(t *testing.T) {
	got := candidates(page.Control{Kind: page.KindText, Type: "color", Label: "Colour of the door", Value: "#000000"}, time.Time{})
	if diff := cmp.Diff([]any{"#336699", "#993333"}, got); diff != "" {
		t.Errorf("colours (-want +got):\n%s", diff)
	}
}
