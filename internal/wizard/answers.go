package wizard

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Answers are a person's data for a form: field id to value. Numbers are
// json.Number, so that no digit is lost.
type Answers map[string]any

// MaxAnswers is the most bytes of user data; it leaves room for an uploaded file.
const MaxAnswers = 6 << 20

// answersLimits bound user data.
var answersLimits = limits{what: "the user data", bytes: MaxAnswers, depth: 16}

// DecodeAnswers reads user data: one JSON object, without repeated keys and
// within limits. A null counts as not given.
func DecodeAnswers(raw json.RawMessage) (Answers, error) {
	if err := scan(raw, answersLimits); err != nil {
		return nil, err
	}
	value, err := decodeAny(raw)
	if err != nil {
		return nil, fmt.Errorf("decode user data: %w", err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("the user data must be one JSON object: field ids and their values")
	}
	withoutNulls(object)
	return object, nil
}

// notBlank is what a text needs to be an answer.
var notBlank = lazyregexp.New(`\S`)

// given says whether a value is an answer at all.
func given(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case string:
		return notBlank.MatchString(v)
	case []any:
		return len(v) > 0
	}
	return true
}
