package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/scout"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

type wizardsCheckCmd struct {
	Wizards  []string `arg:"" optional:"" help:"Wizard ids or files; default: all in the store."`
	NoRun    bool     `name:"no-run" help:"Only look at the files."`
	Branches bool     `help:"Go through every branch of the form, not only that of the example."`
	Repair   bool     `help:"Draft a version that fits the form again, replay it, and keep it for review: 'legwork wizards accept' lets it run. Implies --branches."`
	JSON     bool     `name:"json" help:"Print JSON."`

	Timeout time.Duration `default:"15m" help:"Maximum time for one wizard (${default})."`
}

// checked is what wizards check says of one wizard.
type checked struct {
	WizardID string           `json:"wizard_id"`
	OK       bool             `json:"ok"`
	Problems []wizard.Problem `json:"problems,omitempty"`
	Replay   string           `json:"replay,omitempty"`
	Answer   *runner.Answer   `json:"answer,omitempty"`
	Drift    *scout.Drift     `json:"drift,omitempty"`
	Repair   *repaired        `json:"repair,omitempty"`
}

// Run checks each wizard; findings end with exit code 1.
func (c wizardsCheckCmd) Run(ctx context.Context, a *app) error {
	if c.NoRun && c.Repair {
		return fault.New(fault.Invalid, "", "--repair needs to look at the form.", "Leave --no-run out.")
	}
	kit, err := a.open()
	if err != nil {
		return err
	}
	defer kit.close(ctx)
	entries, bad, err := c.entries(a, kit)
	if err != nil {
		return err
	}
	all := []checked{}
	for _, e := range entries {
		one := c.check(ctx, a, kit, e)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		bad = bad || !one.OK
		all = append(all, one)
	}
	if c.JSON {
		if err := a.printJSON(all); err != nil {
			return err
		}
	}
	if bad {
		return quiet(fault.ExitFailed)
	}
	return nil
}

func (c wizardsCheckCmd) entries(a *app, kit *kit) (out []*wizard.Entry, bad bool, err error) {
	if len(c.Wizards) == 0 {
		all, broken := kit.store.List()
		for _, b := range broken {
			fmt.Fprintln(a.std.Err, harmless("unusable: "+b.Error()))
		}
		for i := range all {
			out = append(out, &all[i])
		}
		return out, len(broken) > 0, nil
	}
	for _, name := range c.Wizards {
		e, err := kit.wizard(name)
		if err != nil {
			return nil, false, err
		}
		out = append(out, e)
	}
	return out, false, nil
}

// check lints and replays one wizard, and looks at what its form has become.
// Warnings alone do not fail it.
func (c wizardsCheckCmd) check(ctx context.Context, a *app, kit *kit, e *wizard.Entry) checked {
	one := checked{WizardID: e.Wizard.WizardID, OK: true, Problems: wizard.Lint(e.Wizard)}
	if !c.NoRun {
		var progress func(string)
		if c.Branches || c.Repair {
			progress = func(s string) { fmt.Fprintf(a.std.Err, "%s: %s\n", e.Wizard.WizardID, harmless(s)) }
		}
		ctx, cancel := context.WithTimeout(ctx, c.Timeout)
		defer cancel()
		if err := c.look(ctx, kit.checking(e, progress), &one); err != nil {
			one.OK = false
			if one.Replay == "" {
				one.Replay = err.Error()
			}
			fmt.Fprintf(a.std.Err, "%s: %s\n", e.Wizard.WizardID, harmless(fault.From(err).Message))
		}
	}
	if !c.JSON {
		a.tell(one)
	}
	return one
}

// hopeless are the ends of a replay behind which there is no form to look at.
var hopeless = []string{runner.TypeNavigation, runner.TypeBlocked, runner.TypeHuman, runner.TypeOrigin, runner.TypeWizard, runner.TypeCancelled, "browser_unavailable"}

// look goes through the form with the wizard and replays the wizard as it is. The
// replay comes last, and only when no button has become one that may submit: it
// presses what the wizard names, whatever that says now.
func (c wizardsCheckCmd) look(ctx context.Context, k checking, one *checked) error {
	e := k.entry
	data, err := json.Marshal(e.Contract.Example())
	if err != nil {
		return err
	}
	drift, err := k.checker.Check(ctx, e, c.Branches || c.Repair)
	if err != nil {
		return err
	}
	if drift.MayAct != "" {
		one.OK, one.Replay = false, "not replayed: "+drift.MayAct
	} else {
		answer, err := k.runner.Execute(ctx, e, data, runner.Job{Opts: runner.RunOptions{DryRun: true}})
		if err != nil {
			return err
		}
		one.Answer, one.Replay, one.OK = &answer, answer.Status, answer.Status == runner.StatusStopped
		if slices.Contains(hopeless, answer.ErrorType) {
			return nil
		}
	}
	one.Drift = drift
	one.OK = one.OK && len(one.Drift.Findings) == 0 && !one.Drift.Broken
	if !c.Repair || len(one.Drift.Findings) == 0 {
		return nil
	}
	one.Repair, err = k.repair(ctx, one.Drift)
	return err
}

// checking is the check of one wizard.
type checking struct {
	*kit
	entry   *wizard.Entry
	checker scout.Checker
}

func (k *kit) checking(e *wizard.Entry, progress func(string)) checking {
	return checking{k, e, k.checker(e, progress)}
}

// checker compares a wizard with its form, with what that form may reach.
func (k *kit) checker(e *wizard.Entry, progress func(string)) scout.Checker {
	r := replayer{k, ""}
	if _, typed := fileOf(e); typed {
		r.prefix = typedPrefix
	}
	return scout.Checker{
		Browser: k.pool, Policy: k.policy, Prover: r, Logger: k.log, Progress: progress,
		Width: k.cfg.ViewportWidth, Height: k.cfg.ViewportHeight,
	}
}

// tell prints the outcome for a person.
func (a *app) tell(one checked) {
	mark := "ok"
	if !one.OK {
		mark = "FAIL"
	}
	a.say("%-4s %s %s", mark, one.WizardID, one.Replay)
	for _, p := range one.Problems {
		a.say("     note %s: %s", p.Path, p.Message)
	}
	if one.Answer != nil && one.Answer.Status != runner.StatusStopped {
		a.say("     a run ends with %s: %s", one.Answer.ErrorType, one.Answer.Error)
		if one.Drift == nil {
			a.say("     %s", one.Answer.CorrectiveAction)
		}
	}
	if one.Drift != nil {
		a.tellDrift(one.Drift)
	}
	if one.Repair != nil {
		one.Repair.tell(a, one.WizardID)
	}
}

func (a *app) tellDrift(d *scout.Drift) {
	breaking := 0
	for _, f := range d.Findings {
		mark := "changed"
		if f.Breaks {
			mark, breaking = "BREAKS", breaking+1
		}
		a.say("     %-7s %s", mark, f)
	}
	for _, u := range d.Unreached {
		a.say("     not looked at: %s", u)
	}
	if len(d.Findings) > 0 {
		a.say("     %s, %d of them break a run; seen: %s, %s", count(len(d.Findings), "finding"), breaking, count(d.Pages, "page"), count(d.Fields, "field"))
	}
}

// repaired is a repair as the command tells it.
type repaired struct {
	*scout.Repair
	// Path is where a proven one waits for review, Draft where one lies that is not.
	Path   string `json:"path,omitempty"`
	Draft  string `json:"draft,omitempty"`
	Accept string `json:"accept,omitempty"`
}

// repair drafts a version that fits the form. Only one that is proven can be
// accepted; of another one the work is kept, for a person to go on with.
func (k checking) repair(ctx context.Context, d *scout.Drift) (*repaired, error) {
	e := k.entry
	r, err := k.checker.Repair(ctx, e, d)
	if err != nil {
		return nil, err
	}
	out := &repaired{Repair: r}
	if len(r.Changes) == 0 {
		return out, nil
	}
	raw, err := r.Wizard.Marshal()
	if err != nil {
		return nil, err
	}
	if !r.Proven {
		dir := k.discoveries(e.Wizard.WizardID)
		if err := makeOut(dir); err != nil {
			return nil, err
		}
		out.Draft = filepath.Join(dir, "repair.json")
		return out, notKept(writeFile(out.Draft, raw, 0o600))
	}
	if file, typed := fileOf(e); typed {
		out.Path = reviewFile(file)
		out.Accept = "mv " + out.Path + " " + file
		return out, notKept(writeFile(out.Path, raw, 0o600))
	}
	if out.Path, err = k.store.Propose(r.Wizard, r.Contract); err != nil {
		return nil, notKept(err)
	}
	out.Accept = "legwork wizards accept " + e.Wizard.WizardID
	return out, nil
}

func (r repaired) tell(a *app, id string) {
	if len(r.Changes) == 0 {
		a.say("     not repaired: nothing that was found can be repaired here")
		return
	}
	for _, c := range r.Changes {
		a.say("     %s", c)
	}
	for _, p := range r.Proofs {
		if !p.OK {
			a.say("     NOT PROVEN: the replay of the repaired wizard ended on page %d: %s", p.Page, p.Problem)
		}
	}
	for _, s := range r.Remarks {
		a.say("     check: %s", s)
	}
	if r.Path == "" {
		a.say("     %s is as it was, and does not fit its form\n     the draft of the repair: %s (when it is mended by hand: legwork wizards check %s)", id, r.Draft, r.Draft)
		return
	}
	a.say("     repaired and replayed (%s): %s\n     %s runs as before until you accept it: %s", count(len(r.Proofs), "branch"), r.Path, id, r.Accept)
}
