package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

type runCmd struct {
	Wizard           string        `arg:"" help:"A wizard's id, or the path of a wizard file."`
	Data             string        `required:"" placeholder:"FILE|-" help:"JSON file with the data, or - for standard input."`
	DryRun           bool          `help:"Everything but the last submit."`
	StopBeforeSubmit bool          `help:"Stop before the first page whose button is a real-world act."`
	Headed           bool          `help:"Show the browser window."`
	Engine           string        `placeholder:"NAME" help:"chromium, chromium-headless-shell, firefox or webkit."`
	Timeout          time.Duration `default:"4m" help:"Maximum execution time (${default})."`
	Out              string        `type:"path" placeholder:"DIR" help:"Folder for report.html and answer.json."`
	JSON             bool          `name:"json" help:"Print the answer as JSON instead of text."`
}

// Run executes one wizard in the foreground.
func (c runCmd) Run(ctx context.Context, a *app) error {
	data, err := a.readData(c.Data)
	if err != nil {
		return err
	}
	if err := makeOut(c.Out); err != nil {
		return err // before anything is submitted
	}
	a.override("browser_engine", c.Engine)
	if c.Headed {
		a.override("browser_headless", "false")
	}
	kit, err := a.open()
	if err != nil {
		return err
	}
	defer kit.close(ctx)
	entry, err := kit.wizard(c.Wizard)
	if err != nil {
		return err
	}
	answer, err := kit.runner.Execute(ctx, entry, data, runner.Job{
		Opts: runner.RunOptions{
			Screenshots: c.Out != "", AllPictures: true, Timeout: c.Timeout,
			DryRun: c.DryRun, StopBeforeSubmit: c.StopBeforeSubmit, Engine: c.Engine,
		},
		OnProgress: func(p runner.Progress) { fmt.Fprintln(a.std.Err, printable(p.String())) },
	})
	if err != nil {
		return err
	}
	return c.show(a, entry, answer)
}

// show prints the answer, writes the report and settles the exit code.
func (c runCmd) show(a *app, entry *wizard.Entry, answer runner.Answer) error {
	if c.Out != "" {
		report, err := writeRun(c.Out, entry.Wizard.Name, answer, nil)
		if err != nil { // the answer is worth more than its report
			fmt.Fprintln(a.std.Err, "the report could not be written:", err)
		} else {
			fmt.Fprintln(a.std.Err, "report:", report)
		}
	}
	if c.JSON {
		if err := a.printJSON(answer); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(a.std.Out, printable(answer.Text()))
	}
	return quietly(exitOf(answer))
}

// exitOf maps the status of a run to the exit code of the command.
func exitOf(answer runner.Answer) int {
	switch answer.Status {
	case runner.StatusSuccess, runner.StatusStopped:
		return fault.ExitOK
	}
	if code := exits[answer.ErrorType]; code != 0 {
		return code
	}
	return fault.ExitFailed
}

// quietly is an exit code as the error of a command.
func quietly(code int) error {
	if code == fault.ExitOK {
		return nil
	}
	return quiet(code)
}

// makeOut makes the folder for a report and proves that it can be written to.
func makeOut(dir string) error {
	if dir == "" {
		return nil
	}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = writable(dir)
	}
	if err != nil {
		return fault.New(fault.Invalid, "", "Cannot write to "+dir+".", "Choose another folder with --out.").WithCause(err)
	}
	return nil
}

// readData reads a data file, or standard input for "-".
func (a *app) readData(name string) (json.RawMessage, error) {
	in := a.std.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fault.New(fault.Invalid, "", "Cannot read the data: "+err.Error(), "Give the path of a JSON file, or - for standard input.")
		}
		defer func() { _ = f.Close() }() // only read
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, wizard.MaxAnswers+1))
	if err != nil {
		return nil, fmt.Errorf("reading the data: %w", err)
	}
	if len(raw) > wizard.MaxAnswers {
		return nil, fault.New(fault.Invalid, "", "The data is larger than 6 MB.", "Put large files into the uploads folder ('legwork config' names it) and give their path in the data.")
	}
	return raw, syntax(name, raw)
}

// syntax says where a file stops being JSON. The words of the parser name one
// character at most, never a value.
func syntax(name string, raw []byte) error {
	var wrong *json.SyntaxError
	if !errors.As(json.Unmarshal(raw, new(json.RawMessage)), &wrong) {
		return nil // whether it is the right JSON is for the contract to say
	}
	before := raw[:max(0, min(int(wrong.Offset)-1, len(raw)))]
	line, column := 1+bytes.Count(before, []byte("\n")), 1+utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	if name == "-" {
		name = "standard input"
	}
	return fault.New(fault.Invalid, "invalid_user_data", fmt.Sprintf("%s is not JSON: line %d, column %d: %s.", name, line, column, wrong),
		"Correct it there: one JSON object, keys and texts in double quotes, no comma after the last member.")
}

// wizard finds a wizard by id, or reads it from the file that was named.
func (k *kit) wizard(name string) (*wizard.Entry, error) {
	if !strings.ContainsRune(name, filepath.Separator) && filepath.Ext(name) != ".json" {
		return k.stored(name)
	}
	raw, err := readWizard(name)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsRune(name, filepath.Separator) {
		return k.stored(name)
	}
	if err != nil {
		return nil, fault.New(fault.NotFound, "wizard_not_found", "Cannot read the wizard: "+err.Error(), "Give a wizard's id ('legwork wizards list') or the path of a wizard file.")
	}
	w, err := wizard.Parse(raw)
	if err != nil {
		return nil, fault.New(fault.Invalid, "wizard_invalid", name+": "+err.Error(), "Correct the file: docs/wizards.md and its JSON Schema say what each key holds.")
	}
	contract, err := wizard.NewContract(w)
	if err != nil {
		return nil, err
	}
	// A file that claims to be practice does not get the practice site.
	return &wizard.Entry{Wizard: w, Contract: contract, Hash: w.Hash(), Path: typedPrefix + name}, nil
}

// maxWizardFile is more than a wizard file may have, in bytes.
const maxWizardFile = 8 << 20

// readWizard reads a file that a person named, or the start of one that is too
// large to be a wizard. A device has no end; a pipe, as a shell makes one, has.
func readWizard(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxWizardFile))
}

func (k *kit) stored(name string) (*wizard.Entry, error) {
	id, err := wizard.NormalizeID(name)
	if err != nil {
		return nil, fault.New(fault.Invalid, "invalid_wizard_id", err.Error(), "See 'legwork wizards list', or give a path with a folder in it, such as ./form.json.")
	}
	e, err := k.store.Get(id)
	if err != nil {
		return nil, fault.New(fault.NotFound, "wizard_not_found", "There is no usable wizard: "+err.Error(), "See 'legwork wizards list'.").WithCause(err)
	}
	return e, nil
}
