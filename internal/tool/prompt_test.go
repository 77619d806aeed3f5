package tool_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

func TestPromptsThatCannotBe(t *testing.T) {
	good := tool.Prompt{
		Name: "ask", Title: "Ask", Description: "Asks.", Text: "Ask {who} about {what}.",
		Arguments: []tool.PromptArgument{{Name: "who", Required: true}, {Name: "what", Default: "the weather"}},
	}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*tool.Prompt){
		"no name":            func(p *tool.Prompt) { p.Name = "" },
		"no description":     func(p *tool.Prompt) { p.Description = "" },
		"a missing argument": func(p *tool.Prompt) { p.Text += "{where}" },
		"an unused argument": func(p *tool.Prompt) { p.Text = "Ask {who}." },
		"neither required nor with a default": func(p *tool.Prompt) {
			p.Arguments = []tool.PromptArgument{{Name: "who"}, {Name: "what", Required: true}}
		},
	} {
		p := good
		change(&p)
		if p.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestFillingAPrompt(t *testing.T) {
	p := tool.Prompt{
		Name: "ask", Text: "Ask {who} about {what}.",
		Arguments: []tool.PromptArgument{{Name: "who", Required: true}, {Name: "what", Default: "the weather"}},
	}
	for name, tt := range map[string]struct {
		given map[string]string
		want  string // "" for a refusal
	}{
		"all":                         {map[string]string{"who": "Ann", "what": "rain"}, "Ask Ann about rain."},
		"a default":                   {map[string]string{"who": "Ann"}, "Ask Ann about the weather."},
		"a placeholder as a value":    {map[string]string{"who": "{what}", "what": "{who}"}, "Ask {what} about {who}."},
		"nothing":                     {nil, ""},
		"an empty one":                {map[string]string{"who": " "}, ""},
		"one that the text has not":   {map[string]string{"who": "Ann", "when": "now"}, ""},
		"one that is longer than any": {map[string]string{"who": strings.Repeat("a", 20_001)}, ""},
	} {
		got, err := p.Fill(tt.given)
		var f *fault.Error
		if got != tt.want || (tt.want == "") != (errors.As(err, &f) && f.Kind == fault.Invalid) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
