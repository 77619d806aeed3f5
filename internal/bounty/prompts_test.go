package bounty

import (
	"regexp"
	"strings"
	"testing"
)

// The guides can be offered, and the tools that they send to exist.
func TestGuides(t *testing.T) {
	names := map[string]bool{}
	for _, x := range Tools {
		names[x.Spec.Name] = true
	}
	if len(Prompts) != 3 {
		t.Errorf("%d guides", len(Prompts))
	}
	mentioned := regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`)
	for _, p := range Prompts {
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		given := map[string]string{}
		for _, a := range p.Arguments {
			given[a.Name] = "value of " + strings.ToUpper(a.Name)
		}
		text, err := p.Fill(given)
		if err != nil {
			t.Error(err)
		}
		for _, a := range p.Arguments {
			if !strings.Contains(text, given[a.Name]) {
				t.Errorf("%s lacks %s", p.Name, a.Name)
			}
		}
		tools := 0
		for _, word := range mentioned.FindAllString(p.Text, -1) {
			if names[word] {
				tools++
			} else if !notTools[word] {
				t.Errorf("%s sends to %s, which there is not", p.Name, word)
			}
		}
		if tools < 6 {
			t.Errorf("%s mentions %d tools", p.Name, tools)
		}
	}
}

// notTools are the arguments and values that the guides mention.
var notTools = map[string]bool{
	"task_label": true, "real_world_verification": true, "jp_local_research": true, "ai_output_qa": true, "acceptance_criteria": true,
	"not_allowed": true, "deadline_minutes": true, "content_url": true, "resume_token": true, "dry_run": true,
}
