package wizard

import (
	"encoding/json"
	"fmt"
	"strings"
)

// wizardLimits bound a wizard file.
var wizardLimits = limits{what: "the wizard file", bytes: 5 << 20, depth: 40}

// Problem is one thing that is wrong, or odd, at one place of a file.
type Problem struct {
	// Path is a JSON pointer into the file.
	Path string `json:"path"`
	// Message says what is wrong and what would be right.
	Message string `json:"message"`
}

// String is the problem on one line.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// InvalidError lists everything that is wrong with a file at once.
type InvalidError struct {
	// What names the file that was read.
	What     string
	Problems []Problem
}

// maxProblems is how many problems one text tells.
const maxProblems = 50

// Error lists the problems, one on a line, the first ones when there are many.
func (e *InvalidError) Error() string {
	if len(e.Problems) == 1 {
		return e.What + " is invalid: " + e.Problems[0].String()
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s is invalid, %d problems:", e.What, len(e.Problems))
	for _, p := range e.Problems[:min(len(e.Problems), maxProblems)] {
		out.WriteString("\n- " + p.String())
	}
	if more := len(e.Problems) - maxProblems; more > 0 {
		fmt.Fprintf(&out, "\nand %d more", more)
	}
	return out.String()
}

// Parse reads a wizard file of format v1.1 or v1.2 and reports all of its
// problems at once as an *InvalidError.
func Parse(data []byte) (*Wizard, error) {
	const what = "wizard file"
	if err := scan(data, wizardLimits); err != nil {
		return nil, &InvalidError{what, []Problem{{"", err.Error()}}}
	}
	document, err := decodeAny(data)
	if err != nil {
		return nil, &InvalidError{what, []Problem{{"", err.Error()}}}
	}
	problems := structureProblems(withoutNulls(document))
	w := new(Wizard)
	if err := json.Unmarshal(data, w); err != nil {
		if len(problems) == 0 {
			problems = append(problems, Problem{"", err.Error()})
		}
		return nil, &InvalidError{what, problems}
	}
	w.setDefaults()
	problems = merge(problems, w.problems())
	if len(problems) > 0 {
		return nil, &InvalidError{what, problems}
	}
	return w, nil
}

// merge adds the problems at places that had none yet.
func merge(problems, more []Problem) []Problem {
	seen := map[string]bool{}
	for _, p := range problems {
		seen[p.Path] = true
	}
	for _, p := range more {
		if !seen[p.Path] {
			problems = append(problems, p)
		}
	}
	return problems
}

// withoutNulls drops object members that are null: they count as absent.
func withoutNulls(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			if member == nil {
				delete(v, key)
				continue
			}
			v[key] = withoutNulls(member)
		}
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
	}
	return value
}
