package scout

import (
	"log/slog"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// draftOf writes down what a page shows now, without having tried anything: no
// conditions, and what is required only as far as the page says so itself. taken
// are the field ids of the other pages.
func draftOf(place page.Place, inv page.Inventory, number int, taken map[string]bool) (wizard.Page, []string) {
	x := newExplorer(Request{}, nil, slog.New(slog.DiscardHandler))
	for id := range taken {
		x.graph.taken[id] = true
	}
	n, _ := x.graph.at(place, inv)
	shown := x.graph.merge(n, inv, nil)
	if b, ok := onward(inv.Buttons, len(shown) > 0); ok {
		n.button = b
		n.final = final(b, inv, place)
	}
	return x.pageOf(n, number, nil), x.remarks
}
