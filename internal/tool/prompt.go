package tool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Prompt is a text that a person chooses to begin with, such as a guide to a flow of
// several tools. It holds no data of anybody's: whoever may list tools may get it.
type Prompt struct {
	// Name is what clients ask for; Title and Description are for people.
	Name, Title, Description string
	Arguments                []PromptArgument
	// Text is what the person says by choosing the prompt. {name} stands for the
	// argument of the name.
	Text string
}

// PromptArgument is a text that a person fills in.
type PromptArgument struct {
	Name, Description string
	Required          bool
	// Default stands for an argument that was not given.
	Default string
}

// maxArgument bounds one argument, in bytes.
const maxArgument = 20_000

var placeholder = lazyregexp.New(`\{[a-z_]+\}`)

// Check reports what is wrong with the declaration of a prompt.
func (p Prompt) Check() error {
	if !isName(p.Name) || p.Title == "" || p.Description == "" || p.Text == "" {
		return fmt.Errorf("prompt %s: name, title, description and text are required", p.Name)
	}
	used := placeholder.FindAllString(p.Text, -1)
	for _, a := range p.Arguments {
		if !slices.Contains(used, "{"+a.Name+"}") {
			return fmt.Errorf("prompt %s: the text does not use the argument %s", p.Name, a.Name)
		}
		if a.Required == (a.Default != "") {
			return fmt.Errorf("prompt %s: the argument %s must be required or have a default", p.Name, a.Name)
		}
	}
	for _, u := range used {
		if !slices.ContainsFunc(p.Arguments, func(a PromptArgument) bool { return "{"+a.Name+"}" == u }) {
			return fmt.Errorf("prompt %s: there is no argument for %s", p.Name, u)
		}
	}
	return nil
}

// Fill is the text with the arguments in it, each as it was given.
func (p Prompt) Fill(given map[string]string) (string, error) {
	var wrong []string
	values := map[string]string{}
	for _, a := range p.Arguments {
		v := strings.TrimSpace(given[a.Name])
		switch {
		case v == "" && a.Required:
			wrong = append(wrong, a.Name+" is required")
		case v == "":
			v = a.Default
		case len(v) > maxArgument:
			wrong = append(wrong, a.Name+" is too long")
		}
		values["{"+a.Name+"}"] = v
	}
	for name := range given {
		if _, known := values["{"+name+"}"]; !known {
			wrong = append(wrong, "there is an argument that the prompt does not have")
			break
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return "", fault.New(fault.Invalid, "invalid_arguments", "The arguments of the prompt "+p.Name+" cannot be used: "+strings.Join(wrong, "; ")+".",
			"Read prompts/list for its arguments.")
	}
	// in one pass, so that an argument cannot bring in another one
	return placeholder.ReplaceAllStringFunc(p.Text, func(u string) string { return values[u] }), nil
}

// Definition is the entry of the prompt in prompts/list.
func (p Prompt) Definition() *mcp.Prompt {
	out := &mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
	for _, a := range p.Arguments {
		out.Arguments = append(out.Arguments, &mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
	}
	return out
}
