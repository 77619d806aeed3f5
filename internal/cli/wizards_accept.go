package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

type wizardsAcceptCmd struct {
	Wizard string `arg:"" help:"A wizard's id."`
}

// Run makes a repaired wizard the one that runs. The one before stays a version.
func (c wizardsAcceptCmd) Run(a *app) error {
	kit, err := a.open()
	if err != nil {
		return err
	}
	id, err := wizard.NormalizeID(c.Wizard)
	if err != nil {
		return fault.New(fault.Invalid, "invalid_wizard_id", err.Error(), "Give the id of a wizard: see 'legwork wizards list'.")
	}
	hash, err := kit.store.Accept(id)
	var broken wizard.Broken
	switch {
	case err == nil:
	case errors.Is(err, wizard.ErrNotFound):
		return fault.New(fault.NotFound, "no_proposal", "No repaired version of "+id+" waits to be accepted.", "'legwork wizards check --repair "+id+"' drafts one when the form has changed.")
	case errors.Is(err, wizard.ErrStale):
		return fault.New(fault.Conflict, "stale_proposal", id+" has changed since its repair was drafted.", "Draft it again: 'legwork wizards check --repair "+id+"'.")
	case errors.As(err, &broken):
		return fault.New(fault.Invalid, "wizard_invalid", "The repaired version is not usable: "+broken.Error(), "Correct the file, or draft it again with 'legwork wizards check --repair "+id+"'.")
	default:
		return notKept(err)
	}
	a.say("%s runs as version %s now; 'legwork wizards diff %s' shows what changed", id, hash, id)
	return nil
}

// notKept says why something could not be written, where the machine is the reason.
func notKept(err error) error {
	var file *fs.PathError
	var link *os.LinkError
	why := ""
	switch {
	case errors.As(err, &file):
		why = file.Err.Error()
	case errors.As(err, &link):
		why = link.Err.Error()
	case errors.Is(err, wizard.ErrReadOnly):
		why = err.Error()
	default:
		return err
	}
	return fault.New(fault.Unavailable, "not_saved", "It could not be written: "+why+".", "Nothing was changed. Check that the folders ('legwork config' names wizards_dir and data_dir) can be written and have room.").WithCause(err)
}

// fileOf is the file of a wizard that a person named by its path.
func fileOf(e *wizard.Entry) (string, bool) { return strings.CutPrefix(e.Path, typedPrefix) }

// reviewFile is where the repaired version of a wizard file is written.
func reviewFile(name string) string {
	return strings.TrimSuffix(name, filepath.Ext(name)) + ".review" + filepath.Ext(name)
}

// say prints a line that may hold texts of a form, which must not reach the
// terminal as commands.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.std.Out, harmless(fmt.Sprintf(format, args...)))
}

// oneLine is a text of a wizard in the space that it has in a list.
func oneLine(s string) string { return harmless(strings.Join(strings.Fields(s), " ")) }

// harmless leaves out what a terminal acts on: control characters, and those that
// turn the direction of writing or take up no room.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if obeyed(r) {
			return -1
		}
		return r
	}, s)
}
