package scout

import (
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Discovery is what an exploration found.
type Discovery struct {
	Wizard   *wizard.Wizard
	Contract *wizard.Contract
	Coverage Coverage
	// Remarks are what a person should check.
	Remarks []string
	// Proofs are the replays of the draft; Proven is true when all of them held.
	Proofs []Proof
	Proven bool
	// Submitted is true when the replays might press the button that submits.
	Submitted bool
	// Lasts is how likely the selector of a field lasts, 0 to 100, by field id.
	Lasts map[string]int
	// Sights are pictures of every step, for the review page.
	Sights []Sight
}

// Sight is a picture of a step with the places of its fields.
type Sight struct {
	Page   int
	Tiles  []page.Image
	Width  float64             // of the page, in CSS pixels
	Places map[string]page.Box // by field id, in pixels of the page
}

// Coverage says how much of the form was seen.
type Coverage struct {
	Passes    int      `json:"passes"`
	PageLoads int      `json:"page_loads"`
	Complete  int      `json:"complete_passes"`
	Paths     []string `json:"paths"`  // sequences of steps that were gone through
	Unseen    []string `json:"unseen"` // what was not, and why
}
