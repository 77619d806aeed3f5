package task_test

import (
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// However a requester writes a prefecture, people find the task under its name.
func TestPlacesHaveOneForm(t *testing.T) {
	for _, c := range []struct{ in, want task.Place }{
		{task.Place{Prefecture: "Tokyo", City: "東京都　渋谷区"}, task.Place{Prefecture: "東京都", City: "渋谷区"}},
		{task.Place{Prefecture: "１３"}, task.Place{Prefecture: "東京都"}},
		{task.Place{Prefecture: "Bavaria", City: "Munich"}, task.Place{Prefecture: "Bavaria", City: "Munich"}},
		{task.Place{Prefecture: "Kanagawa", City: "Yokohama"}, task.Place{Prefecture: "神奈川県", City: "横浜市"}},
		{task.Place{}, task.Place{}},
	} {
		usd := 10.0
		got, err := task.Draft{
			Text: "x", Label: "lead_prep", OriginCountry: "US", AcceptanceCriteria: "x", NotAllowed: "x", BudgetUSD: &usd, Place: c.in,
		}.Check(task.DefaultFloors(), time.Now())
		if err != nil || got.Place != c.want {
			t.Errorf("%+v became %+v, %v", c.in, got.Place, err)
		}
	}
	var wrong task.Fields
	if task.CheckArea(&wrong, "東京都", "横浜市"); wrong.Err() == nil {
		t.Error("横浜市 is in 東京都")
	}
}
