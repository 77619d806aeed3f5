package scout

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var executeActions = tool.New(tool.Spec{
	Name: "federalscout_execute_actions", Title: "Execute several actions",
	Description: "Fill in and press several things in one call. set brings a field into a state: true or false, the option, an ISO date, a list, a file {name, content_base64}.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopeDiscover, Rate: rateExplore, Timeout: 5 * time.Minute,
	Outline: []string{"success", "completed_count", "failed_actions", "current_url", "message"},
	Examples: []tool.Example{{Name: "a page", Args: ActionsIn{SessionID: exampleSession, Actions: []Action{
		{Action: "fill", Selector: "#year", Value: json.RawMessage(`"1990"`)}, {Action: "click", Selector: "Continue"},
	}}}},
}, (*Server).executeActions)

// ActionsIn are actions in order.
type ActionsIn struct {
	SessionID         string   `json:"session_id"`
	Actions           []Action `json:"actions"`
	StopOnError       bool     `json:"stop_on_error,omitempty" default:"false"`
	IncludeScreenshot *bool    `json:"include_screenshot,omitempty" default:"true"`
}

// Action is one of them.
type Action struct {
	Action       string          `json:"action" enum:"fill,fill_enter,click,javascript_click,select,set"`
	Selector     string          `json:"selector"`
	SelectorType string          `json:"selector_type,omitempty" enum:"text,id,css,auto,label,role,has-text"`
	Value        json.RawMessage `json:"value,omitempty" type:"string,number,boolean,array,object"`
	Frame        []string        `json:"frame,omitempty"`
}

// ActionOutcome is what became of one action. It never repeats the value.
type ActionOutcome struct {
	Index      int      `json:"index" jsonschema:"counts from 1"`
	Action     string   `json:"action"`
	Selector   string   `json:"selector"`
	OK         bool     `json:"ok"`
	State      string   `json:"state,omitempty"`
	ValueKept  *bool    `json:"value_kept,omitempty" jsonschema:"the field was read back and holds the value"`
	Moved      bool     `json:"moved,omitempty"`
	Messages   []string `json:"messages,omitempty"`
	ErrorType  string   `json:"error_type,omitempty"`
	Error      string   `json:"error,omitempty"`
	Suggestion string   `json:"suggestion,omitempty"`
	Candidates []string `json:"candidates,omitempty"`
}

// ActionsOut is what all of them led to.
type ActionsOut struct {
	Reply
	Where
	CompletedCount int             `json:"completed_count"`
	TotalActions   int             `json:"total_actions"`
	FailedActions  []ActionOutcome `json:"failed_actions"`
	Outcomes       []ActionOutcome `json:"outcomes"`
	Moved          bool            `json:"moved"`
	Changes        Difference      `json:"changes"`
	HTMLContext    []Element       `json:"html_context,omitempty" jsonschema:"what is on the page that came"`
	Cut            string          `json:"cut,omitempty"`
	Dialogs        []string        `json:"dialogs,omitempty"`
	Pictures

	listed Elements
}

// Failed tells that not all of it was done.
func (o ActionsOut) Failed() bool { return !o.Success }

// Text is the answer for a client that reads nothing else.
func (o ActionsOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "status: %s. %s\nsession_id: %s\ncurrent_url: %s", o.Status, o.Message, o.SessionID, o.CurrentURL)
	for _, a := range o.FailedActions {
		fmt.Fprintf(&b, "\n- action %d (%s %s) failed: %s. %s", a.Index, a.Action, a.Selector, a.ErrorType, a.Error)
	}
	b.WriteString("\n" + untrusted + "\n" + openMark)
	o.Where.write(&b)
	for _, a := range o.FailedActions {
		if len(a.Candidates) > 0 {
			fmt.Fprintf(&b, "\ncandidates of action %d: %s", a.Index, quiet(clip(list(a.Candidates, 20), 600)))
		}
		if a.Suggestion != "" {
			fmt.Fprintf(&b, "\nsuggestion for action %d: %s", a.Index, quiet(a.Suggestion))
		}
	}
	for _, a := range o.Outcomes {
		writeNews(&b, a.Messages, nil)
	}
	writeNews(&b, nil, o.Dialogs)
	if o.Moved {
		writeElements(&b, &o.listed, brieflyOptions)
	} else {
		o.Changes.write(&b)
	}
	b.WriteString("\n" + closeMark)
	if o.Cut != "" {
		b.WriteString("\nCut: " + o.Cut + ".")
	}
	b.WriteString("\nAs of " + o.Timestamp)
	return b.String()
}

// maxActions bounds one batch.
const maxActions = 200

func (s *Server) executeActions(ctx context.Context, in ActionsIn) (ActionsOut, error) {
	if len(in.Actions) == 0 || len(in.Actions) > maxActions {
		return ActionsOut{}, fault.New(fault.Invalid, "invalid_arguments", fmt.Sprintf("actions has %d entries; 1 to %d are possible.", len(in.Actions), maxActions), "Split the work into several calls.")
	}
	return live(ctx, s, in.SessionID, func(x *session) (ActionsOut, error) {
		_, before := sights(x.inv)
		out := ActionsOut{TotalActions: len(in.Actions), FailedActions: []ActionOutcome{}}
		for i, a := range in.Actions {
			o, d, err := x.act(ctx, a)
			if err != nil {
				s.note(x)
				return out, err
			}
			o.Index = i + 1
			out.add(o, d)
			if !o.OK && in.StopOnError {
				break
			}
		}
		if err := x.look(ctx); err != nil {
			return out, err
		}
		s.note(x)
		out.Changes = difference(before, x.inv)
		s.finish(x, &out)
		if wanted(in.IncludeScreenshot) {
			out.Pictures = s.shoot(ctx, x, false)
		}
		return out, nil
	})
}

func (o *ActionsOut) add(a ActionOutcome, d done) {
	o.Outcomes = append(o.Outcomes, a)
	o.Dialogs = append(o.Dialogs, d.dialogs...)
	o.Moved = o.Moved || d.moved
	if a.OK {
		o.CompletedCount++
	} else {
		o.FailedActions = append(o.FailedActions, a)
	}
}

// finish puts the page and the words into an answer.
func (s *Server) finish(x *session, out *ActionsOut) {
	v := s.view(x)
	out.Where, out.listed = v.Where, v.listed
	if out.Moved {
		out.HTMLContext, out.Cut = v.HTMLContext, v.Cut
	}
	out.Reply = s.reply("%d of %s done.%s", out.CompletedCount, plural(out.TotalActions, "action"), v.human())
	if out.CompletedCount < out.TotalActions {
		out.Success, out.Status = false, "error"
		out.Message += " Correct the failed ones and send only those again."
	}
}

// act does one action.
func (x *session) act(ctx context.Context, a Action) (ActionOutcome, done, error) {
	o := ActionOutcome{Action: a.Action, Selector: clip(a.Selector, longestText)}
	d, err := x.perform(ctx, a)
	if err != nil {
		return o, d, err
	}
	if f := d.failed; f != nil {
		o.ErrorType, o.Error, o.Suggestion, o.Candidates = f.ErrorType, f.Error, f.Suggestion, f.Candidates
		return o, d, nil
	}
	o.OK, o.State, o.Moved, o.Messages = true, d.state, d.moved, d.said
	if d.state != "pressed" {
		kept := true
		o.ValueKept = &kept
	}
	return o, d, nil
}

func (x *session) perform(ctx context.Context, a Action) (done, error) {
	if strings.TrimSpace(a.Selector) == "" {
		return done{failed: &Failure{ErrorType: TypeNotFound, Error: "The selector is empty."}}, nil
	}
	at := aimAt{a.Selector, a.SelectorType, a.Frame}
	switch a.Action {
	case "click":
		return x.press(ctx, at)
	case "javascript_click":
		return x.pressBy(ctx, at, page.Proof{Script: true})
	}
	value, err := decodeValue(a.Value)
	if err != nil || value == nil {
		return done{failed: &Failure{ErrorType: TypeValue, Error: "The action needs a value: text, true or false, a list of these, or a file with name and content_base64."}}, nil
	}
	if _, is := value.(map[string]any); is {
		return done{failed: &Failure{ErrorType: TypeValue, Error: "An object as value must be a file: name and content_base64, nothing else."}}, nil
	}
	at, _, err = x.decide(ctx, at)
	if err != nil {
		return done{}, err
	}
	return x.put(ctx, x.answer(a, at, value))
}

// answer is the field as the last look knows it, or as the action calls it.
func (x *session) answer(a Action, at aimAt, value any) page.Answer {
	in := page.Input{Keys: a.Action == "fill_enter"}
	c, _ := x.control(at)
	if part := partOf(c, at, value); part != nil {
		in.Kind, c = part.Kind, nil
	}
	if c != nil {
		in = input(*c, c.Selector)
		in.Keys = in.Keys || a.Action == "fill_enter"
		if c.Kind == page.KindRadio && len(c.Options) > 0 {
			// the caller may point at any option of the group
			return page.Answer{Input: in, Value: value}
		}
	} else if a.Action == "select" {
		in.Kind = page.KindSelect
	}
	in.ID, in.Target = a.Selector, at.target()
	return page.Answer{Input: in, Value: value}
}

// partOf is the month, day or year that is meant alone: a date asked in parts
// bears the selector of its first one.
func partOf(c *page.Control, a aimAt, value any) *page.Part {
	if c == nil || isoDate.MatchString(fmt.Sprint(value)) {
		return nil
	}
	for i := range c.Parts {
		if c.Parts[i].Selector == a.Selector || a.Type != "css" && c.Parts[i].Selector == "#"+a.Selector {
			return &c.Parts[i]
		}
	}
	return nil
}

var isoDate = lazyregexp.New(`^\d{4}-\d{2}-\d{2}$`)
