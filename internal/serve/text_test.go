package serve

import (
	"encoding/json"
	"testing"
)

// The short way to read a string must say what the decoder says.
func TestTextInIsWhatADecoderReads(t *testing.T) {
	for _, raw := range []string{
		`""`, `"echo"`, `"a\u0062c"`, `"\\"`, `"\""`, `"é"`, "\"\xff\"", `"\ud800"`, `null`, `7`, `{"a":"b"}`, `[]`, `true`,
	} {
		var want string
		_ = json.Unmarshal([]byte(raw), &want) // what is no string is ""
		if got := textIn(json.RawMessage(raw)); got != want {
			t.Errorf("%s is read as %q, want %q", raw, got, want)
		}
	}
	if got := textIn(nil); got != "" {
		t.Errorf("nothing is read as %q", got)
	}
}
