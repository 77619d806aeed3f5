package scout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

var completeDiscovery = tool.New(tool.Spec{
	Name: "federalscout_complete_discovery", Title: "Complete discovery",
	Description: "Finish discovery and save wizard structure to JSON. The session ends.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopeDiscover, Rate: rateHeavy, Cost: 10, Timeout: 10 * time.Minute,
	Outline:  []string{"success", "wizard_id", "saved_to", "wizard_structure", "validation", "message"},
	Examples: []tool.Example{{Name: "finish", Args: CompleteIn{SessionID: exampleSession, WizardName: "FSA Student Aid Estimator", WizardID: "fsa-estimator"}}},
}, (*Server).complete)

// CompleteIn names the wizard.
type CompleteIn struct {
	SessionID     string          `json:"session_id"`
	WizardName    string          `json:"wizard_name" jsonschema:"Human-readable name"`
	WizardID      string          `json:"wizard_id" jsonschema:"Filename slug (lowercase, hyphens)"`
	StartAction   *StartIt        `json:"start_action,omitempty" jsonschema:"the click that leads in; default: what was clicked before the first page"`
	Overwrite     bool            `json:"overwrite,omitempty" jsonschema:"replace a wizard with this id; the one before is kept as a version"`
	SchemaContent json.RawMessage `json:"schema_content,omitempty" type:"object" jsonschema:"data schema; default: made from the pages"`
	Prove         bool            `json:"prove,omitempty" jsonschema:"replay it with example data, without submitting"`
}

// StartIt is the click that leaves the landing page.
type StartIt struct {
	Description  string `json:"description"`
	Selector     string `json:"selector"`
	SelectorType string `json:"selector_type,omitempty" enum:"text,id,css,auto"`
}

// CompleteOut is the finished wizard.
type CompleteOut struct {
	Reply
	WizardID        string          `json:"wizard_id" jsonschema:"for federalrunner_execute_wizard"`
	File            string          `json:"file"`
	SavedTo         string          `json:"saved_to"`
	Version         string          `json:"version"`
	WizardStructure json.RawMessage `json:"wizard_structure,omitempty" type:"object"`
	Validation      Judgment        `json:"validation"`
	Proven          *bool           `json:"proven,omitempty"`
	Proofs          []Proof         `json:"proofs,omitempty"`
	Cut             string          `json:"cut,omitempty"`
}

// Judgment is what is known about the wizard.
type Judgment struct {
	Valid          bool     `json:"valid"`
	Errors         []string `json:"errors"`
	Warnings       []string `json:"warnings"`
	TotalPages     int      `json:"total_pages"`
	TotalFields    int      `json:"total_fields"`
	RequiredFields int      `json:"required_fields_count"`
}

// maxWarnings is how many warnings the text repeats.
const maxWarnings = 15

// Text is the answer for a client that reads nothing else.
func (o CompleteOut) Text() string {
	var b strings.Builder
	v := o.Validation
	fmt.Fprintf(&b, "status: success. %s\nwizard_id: %s\nsaved_to: %s\nversion: %s\n%s, %s, %d required.", o.Message, o.WizardID, o.SavedTo, o.Version,
		plural(v.TotalPages, "page"), plural(v.TotalFields, "field"), v.RequiredFields)
	for _, p := range o.Proofs {
		if !p.OK {
			fmt.Fprintf(&b, "\nThe replay failed on page %d (%s): %s", p.Page, p.Type, clip(p.Problem, 400))
		}
	}
	for i, w := range v.Warnings {
		if i == maxWarnings {
			fmt.Fprintf(&b, "\nand %d more warnings", len(v.Warnings)-i)
			break
		}
		b.WriteString("\n- warning " + clip(w, 250))
	}
	b.WriteString("\nAs of " + o.Timestamp)
	return b.String()
}

func (s *Server) complete(ctx context.Context, in CompleteIn) (CompleteOut, error) {
	id, err := wizardID(in.WizardID)
	if err != nil {
		return CompleteOut{}, err
	}
	return on(ctx, s, in.SessionID, func(x *session) (CompleteOut, error) {
		if len(x.pages) == 0 {
			return CompleteOut{}, fault.New(fault.Failed, TypeNoPages, "No page has been saved in this session.", "Save at least one with federalscout_save_page_metadata or federalscout_draft_page.")
		}
		w, err := x.finished(id, in)
		if err != nil {
			return CompleteOut{}, err
		}
		c, err := x.contract(w, in.SchemaContent)
		if err != nil {
			return CompleteOut{}, err
		}
		if err := s.mayWrite(id, in.Overwrite); err != nil {
			return CompleteOut{}, err
		}
		out := CompleteOut{WizardID: id, File: id + ".json", Validation: judgment(w)}
		if err := s.proveIt(ctx, in, w, &out); err != nil {
			return CompleteOut{}, err
		}
		write := s.wizards.Save
		if !in.Overwrite {
			write = s.wizards.Create // another caller may have saved one since mayWrite looked
		}
		if out.Version, err = write(w, c); errors.Is(err, wizard.ErrExists) {
			return CompleteOut{}, exists(id)
		} else if err != nil {
			return CompleteOut{}, notSaved(err)
		}
		out.SavedTo = out.File
		if e, err := s.wizards.Get(id); err == nil {
			out.SavedTo = e.Path
		}
		if err := out.structure(w); err != nil {
			return CompleteOut{}, err
		}
		s.end(ctx, x)
		out.Reply = s.reply("The wizard is saved and can be run with federalrunner_execute_wizard. The session is closed.")
		return out, nil
	})
}

// finished puts the wizard together and checks it as a whole.
func (x *session) finished(id string, in CompleteIn) (*wizard.Wizard, error) {
	w := x.wizard()
	w.WizardID, w.Name = id, strings.TrimSpace(in.WizardName)
	x.enter(w)
	if in.StartAction != nil {
		w.EntrySteps = nil
		w.StartAction = &wizard.StartAction{Description: in.StartAction.Description, Selector: in.StartAction.Selector, SelectorType: in.StartAction.SelectorType}
	}
	err := w.Check()
	var invalid *wizard.InvalidError
	if errors.As(err, &invalid) {
		return nil, problemsFault(TypeSchema, "The wizard is not saved: its structure is invalid", invalid.Problems).
			WithData("suggestion", "Save the named pages again with federalscout_save_page_metadata; page numbers run from 1 without a gap.")
	}
	return w, err
}

// enter writes the clicks down that led to the first page.
func (x *session) enter(w *wizard.Wizard) {
	first := x.spots[1]
	for _, t := range x.trail {
		if t.Action != stepPress && t.Action != stepSet || !t.Entry && (first == "" || t.At == first) {
			break
		}
		if t.Action != stepPress {
			continue
		}
		w.EntrySteps = append(w.EntrySteps, wizard.EntryStep{
			Description: orElse(t.Text, t.Selector), Selector: t.Selector, SelectorType: orElse(t.Type, "auto"),
			Optional: roleOf(page.Press{Text: t.Text}) == roleConsent,
		})
	}
	if len(w.EntrySteps) != 1 || w.EntrySteps[0].Optional {
		return
	}
	if e := w.EntrySteps[0]; e.SelectorType == "text" || e.SelectorType == "id" || e.SelectorType == "css" || e.SelectorType == "auto" {
		w.StartAction = &wizard.StartAction{Description: e.Description, Selector: e.Selector, SelectorType: e.SelectorType}
		w.EntrySteps = nil
	}
}

// contract is the schema that was given, that was kept, or none: then it follows
// from the pages.
func (x *session) contract(w *wizard.Wizard, given json.RawMessage) (*wizard.Contract, error) {
	schema := given
	if len(schema) == 0 {
		schema = x.schema
	}
	if len(schema) == 0 {
		return nil, nil
	}
	c, _, err := judge(w, schema)
	return c, err
}

// mayWrite refuses to replace a wizard without being told to.
func (s *Server) mayWrite(id string, overwrite bool) error {
	e, err := s.wizards.Get(id)
	if errors.Is(err, wizard.ErrNotFound) || overwrite {
		return nil
	}
	var broken *fs.PathError
	if errors.As(err, &broken) {
		return notSaved(err)
	}
	f := exists(id)
	if err == nil {
		f = f.WithData("version", e.Hash)
	}
	return f
}

func exists(id string) *fault.Error {
	return fault.New(fault.Conflict, TypeWizardExists, "There is already a wizard "+id+".", "Choose another wizard_id, or call again with overwrite: true; the wizard as it is now is kept as a version.")
}

// proveIt replays the wizard. One whose replay fails is saved all the same: the
// answer says what failed.
func (s *Server) proveIt(ctx context.Context, in CompleteIn, w *wizard.Wizard, out *CompleteOut) error {
	if !in.Prove {
		return nil
	}
	if s.prover == nil {
		return fault.New(fault.Unsupported, "not_supported", "This server cannot replay wizards.", "Call again without prove.")
	}
	total := 0.0
	proofs, err := prove(ctx, s.prover, proving{w, false, func(format string, args ...any) {
		total++
		tool.Progress(ctx, total, 0, fmt.Sprintf(format, args...))
	}})
	if err != nil {
		return err
	}
	held := proven(proofs)
	out.Proofs, out.Proven = proofs, &held
	return nil
}

// structure puts the wizard into the answer, unless it is too large for one.
func (o *CompleteOut) structure(w *wizard.Wizard) error {
	raw, err := json.Marshal(w)
	if err != nil {
		return fmt.Errorf("write the structure of %s: %w", w.WizardID, err)
	}
	if o.WizardStructure = raw; len(raw) > replyRoom {
		o.WizardStructure, o.Cut = nil, "wizard_structure is left out to keep the answer small: read saved_to"
	}
	return nil
}

func judgment(w *wizard.Wizard) Judgment {
	out := Judgment{Valid: true, Errors: []string{}, Warnings: []string{}, TotalPages: len(w.Pages)}
	for _, p := range w.Pages {
		out.TotalFields += len(p.Fields)
		for _, f := range p.Fields {
			if f.Required || f.RequiredWhen != nil {
				out.RequiredFields++
			}
		}
	}
	for _, p := range wizard.Lint(w) {
		out.Warnings = append(out.Warnings, p.String())
	}
	return out
}

// end closes a session that is complete and drops its partial file.
func (s *Server) end(ctx context.Context, x *session) {
	s.sessions.remove(x)
	if err := errors.Join(x.close(ctx), s.partials.remove(x.id)); err != nil {
		s.log.Warn("ending a session", "session", x.id, "error", err)
	}
}
