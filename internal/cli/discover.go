package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/scout"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

type discoverCmd struct {
	URL         string        `arg:"" name:"url" help:"Address of the form's first page."`
	ID          string        `name:"id" placeholder:"SLUG" help:"Id of the wizard; made from the page's title otherwise."`
	Name        string        `placeholder:"TEXT" help:"Name of the wizard."`
	Start       string        `placeholder:"TEXT" help:"Text or selector of the button that leads in, when the start page has several."`
	Out         string        `type:"path" placeholder:"DIR" help:"Folder for the files and review.html (default: discoveries/ID in the data folder)."`
	AllowSubmit bool          `help:"Also press the button that submits. Only for forms where that does no harm."`
	Headed      bool          `help:"Show the browser window."`
	Engine      string        `placeholder:"NAME" help:"chromium or chromium-headless-shell."`
	MaxPasses   int           `default:"150" help:"How often the form may be gone through (${default})."`
	Timeout     time.Duration `default:"15m" help:"Maximum time (${default})."`
	JSON        bool          `name:"json" help:"Print the outcome as JSON."`
}

// Run explores a form without a model.
func (c discoverCmd) Run(ctx context.Context, a *app) error {
	a.override("browser_engine", c.Engine)
	if c.Headed {
		a.override("browser_headless", "false")
	}
	if err := makeOut(c.Out); err != nil {
		return err
	}
	kit, err := a.open()
	if err != nil {
		return err
	}
	defer kit.close(ctx)
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	d := scout.Discoverer{
		Browser: kit.pool, Policy: kit.typed, Prover: replayer{kit}, Logger: kit.log,
		Width: kit.cfg.ViewportWidth, Height: kit.cfg.ViewportHeight, Headed: c.Headed,
	}
	found, err := d.Discover(ctx, scout.Request{
		URL: c.URL, ID: c.ID, Name: c.Name, Start: c.Start, AllowSubmit: c.AllowSubmit, MaxPasses: c.MaxPasses,
		Progress: func(s string) { fmt.Fprintln(a.std.Err, s) },
	})
	if err != nil {
		return err
	}
	return c.keep(a, kit, found)
}

// discovery is the outcome as --json prints it.
type discovery struct {
	WizardID  string         `json:"wizard_id"`
	Name      string         `json:"name"`
	Proven    bool           `json:"proven"`
	Pages     int            `json:"pages"`
	Fields    int            `json:"fields"`
	Structure string         `json:"structure"`
	Schema    string         `json:"schema"`
	Review    string         `json:"review"`
	Saved     string         `json:"saved_version,omitempty"`
	Proofs    []scout.Proof  `json:"proofs"`
	Coverage  scout.Coverage `json:"coverage"`
	Remarks   []string       `json:"remarks"`
}

// keep writes the files, saves a proven wizard into the store and says what there is.
func (c discoverCmd) keep(a *app, k *kit, found *scout.Discovery) error {
	w := found.Wizard
	dir := c.Out
	if dir == "" {
		dir = filepath.Join(filepath.Dir(k.cfg.WizardsDir), "discoveries", w.WizardID)
		if err := makeOut(dir); err != nil {
			return err
		}
	}
	structure, err := w.Marshal()
	if err != nil {
		return err
	}
	review, err := scout.Review(found)
	if err != nil {
		return err
	}
	out := discovery{
		WizardID: w.WizardID, Name: w.Name, Proven: found.Proven, Pages: len(w.Pages), Proofs: found.Proofs, Coverage: found.Coverage,
		Remarks: append([]string{}, found.Remarks...), Structure: filepath.Join(dir, w.WizardID+".json"),
		Schema: filepath.Join(dir, w.WizardID+"-schema.json"), Review: filepath.Join(dir, "review.html"),
	}
	for _, p := range w.Pages {
		out.Fields += len(p.Fields)
	}
	for name, data := range map[string][]byte{out.Structure: structure, out.Schema: append(slices.Clone([]byte(found.Contract.Schema)), '\n'), out.Review: review} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return fmt.Errorf("writing the discovery: %w", err)
		}
	}
	if found.Proven {
		if out.Saved, err = k.store.Save(w, nil); err != nil && !errors.Is(err, wizard.ErrReadOnly) {
			return err
		}
	}
	if c.JSON {
		if err := a.printJSON(out); err != nil {
			return err
		}
	} else {
		out.print(a)
	}
	if !found.Proven {
		return quietly(fault.ExitFailed)
	}
	return nil
}

func (d discovery) print(a *app) {
	fmt.Fprintf(a.std.Out, "%s: %s, %s\n", d.Name, count(d.Pages, "page"), count(d.Fields, "field"))
	for _, p := range d.Proofs {
		if !p.OK {
			fmt.Fprintf(a.std.Out, "NOT PROVEN: the replay ended on page %d: %s\n", p.Page, p.Problem)
		}
	}
	if d.Proven {
		fmt.Fprintf(a.std.Out, "proven: %s replayed; saved as %s\nrun it:  legwork run %s --data FILE  (legwork wizards show %s --example > FILE)\n", count(len(d.Proofs), "branch"), d.WizardID, d.WizardID, d.WizardID)
	} else {
		fmt.Fprintln(a.std.Out, "the draft is kept, but not saved as a wizard")
	}
	for _, r := range d.Remarks {
		fmt.Fprintln(a.std.Out, "check:  ", r)
	}
	fmt.Fprintf(a.std.Out, "review:   %s\nfiles:    %s\n          %s\n", d.Review, d.Structure, d.Schema)
}

func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// typed is what a form may reach whose address somebody typed: a form of this
// machine is the person's own.
func (k *kit) typed(address string) (browser.Policy, error) {
	return k.policy(&wizard.Entry{
		Wizard: &wizard.Wizard{URL: address}, Path: typedPrefix + "discover", Practice: ofPractice(address),
	})
}

// ofPractice reports whether an address is one of the practice site.
func ofPractice(address string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.Contains(practiceHosts, u.Hostname())
}

// replayer proves drafts with the runner's own engine.
type replayer struct{ kit *kit }

// Prove runs a draft once, up to the last submit unless that is allowed too.
func (r replayer) Prove(ctx context.Context, w *wizard.Wizard, data json.RawMessage, submit bool) (scout.Proof, error) {
	c, err := wizard.NewContract(w)
	if err != nil {
		return scout.Proof{}, err
	}
	entry := &wizard.Entry{Wizard: w, Contract: c, Hash: w.Hash(), Path: typedPrefix + "discover", Practice: ofPractice(w.URL)}
	answer, err := r.kit.runner.Execute(ctx, entry, data, runner.Job{Opts: runner.RunOptions{StopBeforeSubmit: !submit, Timeout: 2 * time.Minute}})
	if err != nil {
		return scout.Proof{}, err
	}
	return scout.Proof{
		OK: exitOf(answer) == fault.ExitOK, Pages: answer.PagesCompleted, Problem: answer.Error, Type: answer.ErrorType,
		Page: answer.PageNumber, FieldID: answer.FieldID,
	}, nil
}
