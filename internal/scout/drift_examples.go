package scout

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// otherExample is a value that was not tried yet.
func (s *survey) otherExample(it *item, c page.Control) any {
	if it.traits != &it.field.Traits || it.parts != nil {
		return nil
	}
	was := fmt.Sprint(s.answers[it.field.FieldID])
	for _, v := range candidates(c, s.now()) {
		if fmt.Sprint(v) != was && spelling(v) != spelling(exampleValue(it.field.ExampleValue)) {
			return v
		}
	}
	return nil
}

// take makes a value the example of an item, here and in the mended wizard.
func (s *survey) take(it *item, v any) {
	was := s.data[it.field.FieldID]
	it.field.ExampleValue = exampleJSON(v)
	s.data[it.field.FieldID] = exampleValue(it.field.ExampleValue)
	s.instead[it.field.FieldID] = [2]any{was, s.data[it.field.FieldID]}
	s.settle()
}

// exampleValue is an example as the answers hold it.
func exampleValue(raw json.RawMessage) any {
	a, err := wizard.DecodeAnswers(json.RawMessage(`{"v":` + string(raw) + `}`))
	if err != nil {
		return nil
	}
	return a["v"]
}

// exampleFor keeps a field's example where the control still takes it.
func exampleFor(c page.Control, f *wizard.Field, now time.Time) any {
	list := candidates(c, now)
	was := exampleValue(f.ExampleValue)
	if text, ok := was.(string); ok && len(c.Options) == 0 && c.Kind != page.KindNumber && c.Kind != page.KindRange && fitsText(c, text) {
		return was
	}
	if slices.ContainsFunc(list, func(v any) bool { return fmt.Sprint(v) == fmt.Sprint(was) }) || len(list) == 0 {
		return was
	}
	return list[0]
}

// another sets a question to another example when the page does not keep its own.
func (w *onPage) another(ctx context.Context, it *item) (bool, error) {
	for _, q := range w.pairs {
		if q.item != it || q.spot < 0 || it.traits != &it.field.Traits || it.parts != nil {
			continue
		}
		v := w.otherExample(it, *spotsOf(w.inv)[q.spot].control)
		if v == nil {
			return false, nil
		}
		was := it.field.ExampleValue
		w.take(it, v)
		got, err := w.page.Set(ctx, fieldAnswers(it.field, w.answers[it.field.FieldID]))
		if err != nil {
			return false, err
		}
		if len(got) == 1 && got[0].State.OK() {
			return true, nil
		}
		it.field.ExampleValue = was
	}
	return false, nil
}

func (w *onPage) itemOf(id string) *item {
	for _, q := range w.pairs {
		if q.item.id == id || strings.HasSuffix(q.item.id, "."+id) {
			return q.item
		}
	}
	return nil
}
