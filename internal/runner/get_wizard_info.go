package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

var getWizardInfo = tool.New(tool.Spec{
	Name: "federalrunner_get_wizard_info", Title: "Read a wizard's contract",
	Description: "Get a wizard's User Data Schema (THE CONTRACT, JSON Schema draft-07) with an example that validates. " +
		"Read it to know what to ask the user before executing.",
	Effect: tool.Read, Idempotent: true, Scope: scopeRead, Rate: rateRead, Timeout: 20 * time.Second,
	Outline:  []string{"wizard_id", "name", "url", "total_pages", "discovered_at", "schema", "example", "pages_summary", "required_user_data"},
	Examples: []tool.Example{{Name: "estimator", Args: WizardInfoIn{WizardID: "fsa-estimator"}}},
}, (*Server).getWizardInfo)

// WizardInfoIn names the wizard.
type WizardInfoIn struct {
	WizardID string `json:"wizard_id" jsonschema:"from federalrunner_list_wizards, with or without .json"`
}

// WizardInfoOut is the wizard's contract and outline.
type WizardInfoOut struct {
	Success    bool   `json:"success"`
	Status     string `json:"status"`
	WizardID   string `json:"wizard_id"`
	File       string `json:"file"`
	Name       string `json:"name"`
	WizardName string `json:"wizard_name"`
	URL        string `json:"url"`
	TotalPages int    `json:"total_pages"`
	PageCount  int    `json:"page_count"`
	// DiscoveredAt is RFC 3339.
	DiscoveredAt     string                  `json:"discovered_at"`
	Description      string                  `json:"description,omitempty"`
	EstimatedSeconds int                     `json:"estimated_seconds,omitempty"`
	Practice         bool                    `json:"practice"`
	Version          string                  `json:"version"`
	Schema           json.RawMessage         `json:"schema" type:"object" jsonschema:"JSON Schema draft-07 of user_data"`
	Example          map[string]any          `json:"example" jsonschema:"a complete user_data that validates"`
	PagesSummary     []PageSummary           `json:"pages_summary"`
	RequiredUserData map[string]RequiredData `json:"required_user_data"`
	Timestamp        string                  `json:"timestamp"`
}

// PageSummary is one page in short.
type PageSummary struct {
	PageNumber     int      `json:"page_number"`
	PageTitle      string   `json:"page_title"`
	FieldCount     int      `json:"field_count"`
	RequiredFields []string `json:"required_fields"`
	Conditional    bool     `json:"conditional,omitempty" jsonschema:"the page comes for some answers only"`
}

// RequiredData is one answer that every execution needs.
type RequiredData struct {
	Description string `json:"description"`
	Type        string `json:"type"`
	Example     string `json:"example,omitempty"`
}

// Text is the contract, compact, with the example.
func (o WizardInfoOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, %s", o.WizardID, oneLine(o.Name), plural(o.TotalPages, "page"), o.URL)
	if o.Practice {
		b.WriteString(" [practice: not official]")
	}
	b.WriteString("\nContract of user_data (JSON Schema draft-07):\n")
	b.Write(compact(o.Schema))
	b.WriteString("\nExample that validates:\n")
	b.Write(marshal(o.Example))
	b.WriteString("\nNext: collect the data, then federalrunner_validate_user_data.\nAs of " + o.Timestamp)
	return b.String()
}

func (s *Server) getWizardInfo(_ context.Context, in WizardInfoIn) (WizardInfoOut, error) {
	e, err := s.entry(in.WizardID)
	if err != nil {
		return WizardInfoOut{}, err
	}
	w := e.Wizard
	out := WizardInfoOut{
		Success: true, Status: StatusSuccess, WizardID: w.WizardID, File: w.WizardID + ".json",
		Name: w.Name, WizardName: w.Name, URL: w.URL, TotalPages: len(w.Pages), PageCount: len(w.Pages),
		DiscoveredAt: rfc3339(w.DiscoveredAt), Description: w.Description, EstimatedSeconds: w.EstimatedSeconds,
		Practice: e.Practice, Version: e.Hash, Schema: e.Contract.Schema, Example: e.Contract.Example(),
		PagesSummary: []PageSummary{}, RequiredUserData: map[string]RequiredData{}, Timestamp: rfc3339(time.Now()),
	}
	for _, p := range w.OrderedPages() {
		out.PagesSummary = append(out.PagesSummary, summary(p))
		for i := range p.Fields {
			f := &p.Fields[i]
			if f.Required && f.VisibleWhen == nil && p.VisibleWhen == nil {
				out.RequiredUserData[f.FieldID] = requiredData(f, out.Example)
			}
		}
	}
	return out, nil
}

func summary(p *wizard.Page) PageSummary {
	s := PageSummary{
		PageNumber: p.PageNumber, PageTitle: p.PageTitle, FieldCount: len(p.Fields),
		RequiredFields: []string{}, Conditional: p.VisibleWhen != nil,
	}
	for i := range p.Fields {
		if p.Fields[i].Required {
			s.RequiredFields = append(s.RequiredFields, p.Fields[i].Label)
		}
	}
	return s
}

func requiredData(f *wizard.Field, example map[string]any) RequiredData {
	d := RequiredData{Description: f.Description, Type: f.Format}
	if d.Description == "" {
		d.Description = f.Label
	}
	if d.Type == "" {
		d.Type = f.FieldType
	}
	if v, ok := example[f.FieldID]; ok {
		d.Example = string(marshal(v))
		if t, ok := v.(string); ok {
			d.Example = t
		}
	}
	return d
}

// entry finds a wizard by its id, with or without suffix.
func (s *Server) entry(id string) (*wizard.Entry, error) {
	id, err := wizard.NormalizeID(id)
	if err != nil {
		return nil, invalidID(err)
	}
	e, err := s.wizards.Get(id)
	if err != nil {
		return nil, s.unknownWizard(id, err)
	}
	return e, nil
}

// marshal writes JSON for a model: compact, without escaping < and &.
func marshal(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte("null")
	}
	return bytes.TrimSpace(b.Bytes())
}

func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
