package words_test

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/words"
)

func TestTitle(t *testing.T) {
	for text, want := range map[string]string{
		"Look at it.\nAnd more.":  "Look at it.",
		"  \n Look at it. \nMore": "Look at it.",
		"Photograph the front of the bakery at the east exit of Ogikubo station so that today's hours can be read.": "Photograph the front of the bakery at the east exit of…",
		"Photograph the front of the bakery, and then the east exits, Ogikubo station":                              "Photograph the front of the bakery, and then the east exits…",
		strings.Repeat("写", 60): strings.Repeat("写", 60),
		strings.Repeat("写", 70): strings.Repeat("写", 59) + "…",
		strings.Repeat("x", 70): strings.Repeat("x", 59) + "…",
		"":                      "",
	} {
		if got := words.Title(text, 60); got != want {
			t.Errorf("the title of %q is %q, want %q", text, got, want)
		}
	}
}
