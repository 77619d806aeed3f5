package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// scopeRead and scopeExecute are the scopes of the specification.
const (
	scopeRead    = "federalrunner:read"
	scopeExecute = "federalrunner:execute"
)

// How often one caller may call: the first two are the specification's. A check of
// data comes before each execution, more than once; a run is asked about while it
// goes on.
var (
	rateRead    = tool.Rate{Calls: 100, Per: time.Hour}
	rateExecute = tool.Rate{Calls: 20, Per: time.Hour}
	rateCheck   = tool.Rate{Calls: 200, Per: time.Hour}
	ratePoll    = tool.Rate{Calls: 1200, Per: time.Hour, Burst: 100}
)

var listWizards = tool.New(tool.Spec{
	Name: "federalrunner_list_wizards", Title: "List form wizards",
	Description: "Get the complete list of available form wizards: id, name, url, page count and estimated time.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeRead, Rate: rateRead, Timeout: 20 * time.Second,
	Outline:  []string{"wizards", "count", "broken", "timestamp"},
	Examples: []tool.Example{{Name: "all", Args: ListWizardsIn{}}},
}, (*Server).listWizards)

// ListWizardsIn takes nothing.
type ListWizardsIn struct{}

// ListWizardsOut is the list, wizards that cannot be read included.
type ListWizardsOut struct {
	Success   bool           `json:"success"`
	Status    string         `json:"status"`
	Wizards   []WizardItem   `json:"wizards"`
	Count     int            `json:"count"`
	Broken    []BrokenWizard `json:"broken,omitempty" jsonschema:"files in the wizard folder that cannot be used, and why"`
	Timestamp string         `json:"timestamp"`
}

// WizardItem is one wizard in the list.
type WizardItem struct {
	WizardID         string `json:"wizard_id"`
	File             string `json:"file"`
	Name             string `json:"name"`
	URL              string `json:"url"`
	TotalPages       int    `json:"total_pages"`
	DiscoveredAt     string `json:"discovered_at"`
	Description      string `json:"description,omitempty"`
	EstimatedSeconds int    `json:"estimated_seconds,omitempty"`
	Practice         bool   `json:"practice" jsonschema:"true: a local replica for practice, its answers are not official"`
	Version          string `json:"version" jsonschema:"content hash"`
}

// BrokenWizard is a file that is there but cannot be used.
type BrokenWizard struct {
	File    string   `json:"file"`
	Reasons []string `json:"reasons"`
}

// Text is what a model reads.
func (o ListWizardsOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n", plural(o.Count, "wizard"))
	for _, w := range o.Wizards {
		fmt.Fprintf(&b, "- %s: %s (%s, %s)", w.WizardID, oneLine(w.Name), plural(w.TotalPages, "page"), w.URL)
		if w.Practice {
			b.WriteString(" [practice: not official]")
		}
		if w.Description != "" {
			b.WriteString(" " + oneLine(w.Description))
		}
		b.WriteByte('\n')
	}
	for _, f := range o.Broken {
		fmt.Fprintf(&b, "- unusable file %s: %s\n", oneLine(f.File), oneLine(strings.Join(f.Reasons, "; ")))
	}
	b.WriteString("Next: federalrunner_get_wizard_info with a wizard_id.\nAs of " + o.Timestamp)
	return b.String()
}

// oneLine keeps words of a file or a site within their line.
func oneLine(text string) string {
	return withoutControls(strings.Join(strings.Fields(text), " "))
}

func (s *Server) listWizards(context.Context, ListWizardsIn) (ListWizardsOut, error) {
	entries, bad := s.wizards.List()
	out := ListWizardsOut{
		Success: true, Status: StatusSuccess, Wizards: []WizardItem{}, Count: len(entries), Timestamp: rfc3339(time.Now()),
	}
	for i := range entries {
		out.Wizards = append(out.Wizards, item(&entries[i]))
	}
	for _, b := range bad {
		out.Broken = append(out.Broken, broken(b))
	}
	return out, nil
}

func item(e *wizard.Entry) WizardItem {
	w := e.Wizard
	return WizardItem{
		WizardID: w.WizardID, File: w.WizardID + ".json", Name: w.Name, URL: w.URL, TotalPages: len(w.Pages),
		DiscoveredAt: rfc3339(w.DiscoveredAt), Description: w.Description, EstimatedSeconds: w.EstimatedSeconds,
		Practice: e.Practice, Version: e.Hash,
	}
}

// broken names a file and every reason why it cannot be used.
func broken(b wizard.Broken) BrokenWizard {
	out := BrokenWizard{File: filepath.Base(b.Path), Reasons: []string{}}
	for _, p := range b.Problems {
		out.Reasons = append(out.Reasons, strings.TrimSpace(p.Path+" "+p.Message))
	}
	return out
}
