package scout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

var savePageMetadata = tool.New(tool.Spec{
	Name: "federalscout_save_page_metadata", Title: "Save a page",
	Description: "Save discovered page metadata to session, in the place of a saved page with the same page_number.",
	Effect:      tool.Write, Idempotent: true, Scope: scopeDiscover, Rate: rateExplore,
	Outline: []string{"success", "total_pages_discovered", "partial_file", "warnings", "message"},
	Examples: []tool.Example{{Name: "a page", Args: SavePageIn{SessionID: exampleSession, PageMetadata: json.RawMessage(
		`{"page_number":1,"page_title":"About you","fields":[{"label":"Year of birth","field_id":"birth_year","selector":"#year","field_type":"text","interaction":"fill","required":true,"example_value":"1990"}],"continue_button":{"text":"Continue","selector":"button[type=submit]"}}`)}}},
}, (*Server).savePage)

// SavePageIn is a page to keep, or one to drop.
type SavePageIn struct {
	SessionID    string          `json:"session_id"`
	PageMetadata json.RawMessage `json:"page_metadata" type:"object" jsonschema:"page_number, page_title, url_pattern, fields[{label, field_id, selector, field_type, interaction, required, example_value, notes}], continue_button{text, selector}; the keys of wizard format 1.2 too"`
	Delete       bool            `json:"delete,omitempty" jsonschema:"drop the page with this page_number instead"`
}

// SavePageOut says what is saved now.
type SavePageOut struct {
	Reply
	TotalPages  int              `json:"total_pages_discovered"`
	Replaced    bool             `json:"replaced"`
	Tested      bool             `json:"selectors_tested" jsonschema:"the page is shown, and every selector was tried on it"`
	Warnings    []wizard.Problem `json:"warnings,omitempty"`
	PartialFile string           `json:"partial_file"`
}

// Text is the answer for a client that reads nothing else.
func (o SavePageOut) Text() string {
	var b strings.Builder
	b.WriteString("status: success. " + o.Message)
	for _, w := range o.Warnings {
		b.WriteString("\n- warning " + clip(w.String(), 300))
	}
	fmt.Fprintf(&b, "\ntotal_pages_discovered: %d\npartial_file: %s\nAs of %s", o.TotalPages, o.PartialFile, o.Timestamp)
	return b.String()
}

func (s *Server) savePage(ctx context.Context, in SavePageIn) (SavePageOut, error) {
	return on(ctx, s, in.SessionID, func(x *session) (SavePageOut, error) {
		if in.Delete {
			return s.dropPage(x, in.PageMetadata)
		}
		p, problems := x.check(in.PageMetadata)
		if len(problems) > 0 {
			return SavePageOut{}, problemsFault(TypeValidation, "The page metadata is not saved", problems)
		}
		out := SavePageOut{}
		var err error
		if out.Tested, out.Warnings, err = x.test(ctx, &p); err != nil {
			return SavePageOut{}, err
		}
		out.Replaced = x.upsert(p)
		if out.Tested {
			x.spots[p.PageNumber] = spot(x.place)
		}
		if err := s.keep(x); err != nil {
			return SavePageOut{}, err
		}
		how := "saved"
		if out.Replaced {
			how = "saved in the place of the one before"
		}
		out.Reply = s.reply("Page %d is %s, with %s. Next: fill the page in with examples, press its button, and save the next page, or federalscout_complete_discovery.", p.PageNumber, how, plural(len(p.Fields), "field"))
		out.TotalPages, out.PartialFile = len(x.pages), x.partial
		return out, nil
	})
}

func (s *Server) dropPage(x *session, raw json.RawMessage) (SavePageOut, error) {
	var p struct {
		Number int `json:"page_number"`
	}
	if err := json.Unmarshal(raw, &p); err != nil || x.saved(p.Number) == nil {
		return SavePageOut{}, fault.New(fault.NotFound, TypeValidation, "No saved page has this page_number.", "federalscout_list_sessions says how many pages are saved.")
	}
	x.pages = slices.DeleteFunc(x.pages, func(q wizard.Page) bool { return q.PageNumber == p.Number })
	delete(x.spots, p.Number)
	if err := s.keep(x); err != nil {
		return SavePageOut{}, err
	}
	out := SavePageOut{TotalPages: len(x.pages), PartialFile: x.partial}
	out.Reply = s.reply("Page %d is dropped. Page numbers must run from 1 without a gap before the wizard is complete.", p.Number)
	return out, nil
}

// check validates a page among the others that are saved.
func (x *session) check(raw json.RawMessage) (wizard.Page, []wizard.Problem) {
	var members map[string]json.RawMessage
	var p wizard.Page
	if err := json.Unmarshal(raw, &members); err != nil || members == nil {
		return p, []wizard.Problem{{Path: "", Message: "page_metadata must be an object"}}
	}
	var number int
	if err := json.Unmarshal(members["page_number"], &number); err != nil || number < 1 {
		return p, []wizard.Problem{{Path: "/page_number", Message: "must be a whole number of at least 1"}}
	}
	doc, at, err := x.document(members, number)
	if err != nil {
		return p, []wizard.Problem{{Path: "", Message: err.Error()}}
	}
	w, err := wizard.Parse(doc)
	var invalid *wizard.InvalidError
	switch {
	case err == nil:
		p = w.Pages[at]
	case errors.As(err, &invalid):
		if own := underPage(invalid.Problems, at); len(own) > 0 {
			return p, own
		}
		// only other pages have problems: those are told when they are saved, or all is complete
		if err := json.Unmarshal(raw, &p); err != nil {
			return p, []wizard.Problem{{Path: "", Message: err.Error()}}
		}
	default:
		return p, []wizard.Problem{{Path: "", Message: err.Error()}}
	}
	p.PageNumber = number
	return p, nil
}

// document is a wizard of the saved pages with this one in its place, numbered
// without gaps, as the rules want it.
func (x *session) document(members map[string]json.RawMessage, number int) (doc []byte, at int, err error) {
	w := x.wizard()
	var pages []map[string]json.RawMessage
	at = -1
	for _, p := range w.Pages {
		if p.PageNumber >= number && at < 0 {
			at = len(pages)
			pages = append(pages, members)
		}
		if p.PageNumber == number {
			continue
		}
		raw, err := json.Marshal(p)
		if err != nil {
			return nil, 0, err
		}
		var m map[string]json.RawMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, 0, err
		}
		pages = append(pages, m)
	}
	if at < 0 {
		at = len(pages)
		pages = append(pages, members)
	}
	for i, m := range pages {
		copied := map[string]json.RawMessage{}
		for k, v := range m {
			copied[k] = v
		}
		copied["page_number"] = json.RawMessage(fmt.Sprint(i + 1))
		pages[i] = copied
	}
	doc, err = json.Marshal(map[string]any{
		"wizard_id": w.WizardID, "name": w.Name, "url": w.URL, "discovered_at": w.DiscoveredAt,
		"discovery_version": w.DiscoveryVersion, "total_pages": len(pages), "pages": pages,
	})
	return doc, at, err
}

// underPage are the problems of one page, with paths into it.
func underPage(problems []wizard.Problem, at int) []wizard.Problem {
	prefix := fmt.Sprintf("/pages/%d", at)
	var out []wizard.Problem
	for _, p := range problems {
		if rest, ok := strings.CutPrefix(p.Path, prefix); ok && (rest == "" || rest[0] == '/') {
			out = append(out, wizard.Problem{Path: rest, Message: p.Message})
		}
	}
	return out
}

// test tries every selector on the page, if the page is the one that is shown.
func (x *session) test(ctx context.Context, p *wizard.Page) (bool, []wizard.Problem, error) {
	if x.tab == nil {
		return false, []wizard.Problem{{Message: "the browser of this session has ended: no selector was tried"}}, nil
	}
	targets := fieldTargets(p)
	button := page.Target{Selector: p.ContinueButton.Selector, Type: p.ContinueButton.SelectorType, Frame: p.ContinueButton.Frame, Text: p.ContinueButton.Text}
	seen, err := x.page.Survey(ctx, append(targets, button))
	if err != nil {
		return false, nil, err
	}
	present := 0
	for _, s := range seen {
		if s.Present {
			present++
		}
	}
	if present*2 < len(seen) {
		return false, []wizard.Problem{{Message: "the page that is shown is another one, or most selectors are wrong: no selector was tried"}}, nil
	}
	var out []wizard.Problem
	warn := func(path, format string, args ...any) {
		out = append(out, wizard.Problem{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	for i := range p.Fields {
		f, path := &p.Fields[i], fmt.Sprintf("/fields/%d/selector", i)
		several := f.FieldType == "radio" || f.FieldType == "checkbox" || f.FieldType == "group"
		switch s := seen[i]; {
		case !s.Present && f.VisibleWhen == nil:
			warn(path, "%q matches nothing on the page that is shown", targets[i].Selector)
		case s.Present && s.Count > 1 && !several:
			warn(path, "%q matches %d elements: make it match one", targets[i].Selector, s.Count)
		}
	}
	switch s := seen[len(p.Fields)]; {
	case !s.Present:
		warn("/continue_button/selector", "%q matches nothing on the page that is shown", button.Selector)
	case s.Count > 1:
		warn("/continue_button/selector", "%q matches %d elements: make it match one", button.Selector, s.Count)
	}
	return true, out, nil
}
