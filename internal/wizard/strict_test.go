package wizard

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestPartsOfCharacters: a decoder puts U+FFFD for what is no character, and the form
// would get a value that nobody gave.
func TestPartsOfCharacters(t *testing.T) {
	for text, ok := range map[string]bool{
		`\ud83d\ude00`: true, `\uD83D\uDE00 \ud83d\ude00`: true, "\U0001f600": true, `\ufffd`: true, "\ufffd": true, `\\ud83d \ufffd`: true, `\n\u00e9\ufffd`: true,
		`\ud83d`: false, `a\ud83d b`: false, `\ude00`: false, `\ude00\ud83d`: false, `\ud83d\ud83d\ude00`: false, `\ud83d\n`: false, `\ud83d\\ude00`: false,
		`\ufffd\ud83d`: false, "\xff": false, "\xed\xa0\xbd": false,
	} {
		for _, in := range []string{`{"name":"` + text + `"}`, `{"a":"b", "name" : [ "x", {"y":"` + text + `"}]}`} {
			_, err := DecodeAnswers(json.RawMessage(in))
			if (err == nil) != ok {
				t.Errorf("%q: %v", in, err)
			}
			if err != nil && !strings.Contains(err.Error(), "/name") {
				t.Errorf("%q: it does not say where: %v", in, err)
			}
		}
	}
}
