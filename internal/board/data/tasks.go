package data

import (
	"context"
	"strings"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// maxTerms is how many words a query has at most.
const maxTerms = 8

// Tasks are the tasks that a filter chooses, the newest first, with the cursor of
// the next page; it is empty on the last. With UpdatedSince they are ordered by
// their last change, the oldest first.
func (b *Board) Tasks(ctx context.Context, f TaskFilter) ([]task.Task, string, error) {
	s := selectFrom(taskColumns, "tasks")
	for _, c := range []struct{ column, value string }{
		{"agent_id", f.AgentID}, {"human_id", f.HumanID}, {"label", string(f.Label)}, {"deliverable", string(f.Deliverable)},
		{"prefecture", f.Prefecture}, {"city", f.City}, {"client_ref", f.ClientRef}, {"currency", string(f.MinBudget.Currency)},
	} {
		if c.value != "" {
			s.where(c.column+" = ?", c.value)
		}
	}
	if len(f.Statuses) > 0 {
		anyOf(s, "status", f.Statuses)
	}
	if f.Public {
		s.where("status = 'open' AND sub_state <> 'held' AND NOT EXISTS (SELECT 1 FROM agents a WHERE a.id = tasks.agent_id AND a.disabled)")
	}
	if f.Held {
		s.where("status = 'open' AND sub_state = 'held'")
	}
	if f.Disputed {
		s.where("sub_state = 'disputed'")
	}
	if f.MinBudget.Minor > 0 {
		s.where("budget_minor >= ?", f.MinBudget.Minor)
	}
	s.query(f.Query)
	k := keyset[task.Task]{column: "created_ms", scan: scanTask, page: f.Page, at: func(t task.Task) place { return place{millis(t.CreatedAt), t.ID} }}
	if !f.UpdatedSince.IsZero() {
		s.where("updated_ms >= ?", millis(f.UpdatedSince))
		k.column, k.oldest, k.at = "updated_ms", true, func(t task.Task) place { return place{millis(t.UpdatedAt), t.ID} }
	}
	return page(ctx, b, s, k)
}

// query asks for all words of a text; terms of Japanese have no spaces and may be
// as short as two characters, so that a word is looked for anywhere.
func (s *selection) query(text string) {
	words := strings.Fields(fold(text))
	for _, word := range words[:min(len(words), maxTerms)] {
		s.where(`search LIKE ? ESCAPE '\'`, "%"+strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(word)+"%")
	}
}
