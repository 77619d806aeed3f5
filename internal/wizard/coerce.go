package wizard

import (
	"encoding/json"
	"strings"
	"time"
)

// coerce turns an example of a wizard file, often a plain text, into a value of
// the field's shape. It says whether that was possible.
func coerce(raw []byte, s shape) (any, bool) {
	value, err := decodeAny(raw)
	if err != nil || !given(value) {
		return nil, false
	}
	text, isText := value.(string)
	switch s {
	case shapeBoolean:
		return coerceBoolean(value)
	case shapeNumber, shapeInteger:
		_, ok := number(value)
		return value, ok
	case shapeChoices, shapeRows, shapeObject:
		if isText {
			return coerceText(text, s)
		}
		return value, fits(value, s)
	case shapeFile:
		if nested, ok := coerceText(text, shapeObject); isText && ok {
			return nested, true
		}
		return value, true
	case shapeDate:
		return coerceDate(text)
	}
	return coerceString(value)
}

func fits(value any, s shape) bool {
	if s == shapeObject {
		_, ok := value.(map[string]any)
		return ok
	}
	_, ok := value.([]any)
	return ok
}

// coerceText reads the JSON text of a list or an object; another text is the
// one entry of a list of choices.
func coerceText(text string, s shape) (any, bool) {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "{") {
		value, err := decodeAny([]byte(trimmed))
		return value, err == nil && fits(value, s)
	}
	if s == shapeChoices {
		return []any{text}, true
	}
	return nil, false
}

func coerceBoolean(value any) (any, bool) {
	if truth, ok := value.(bool); ok {
		return truth, true
	}
	text, _ := value.(string)
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on", "checked", "1":
		return true, true
	case "false", "no", "off", "unchecked", "0":
		return false, true
	}
	return nil, false
}

func coerceString(value any) (any, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return string(v), true
	case bool:
		return boolWord(v), true
	}
	return nil, false
}

// coerceDate reads the ways in which examples spell a date.
func coerceDate(text string) (any, bool) {
	for _, layout := range []string{time.DateOnly, "01/02/2006", "1/2/2006", "January 2, 2006"} {
		if at, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return at.Format(time.DateOnly), true
		}
	}
	return nil, false
}
