package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe/audit"
)

type auditCmd struct {
	File string `arg:"" optional:"" help:"The audit log. Default: the audit_log of the settings."`
	Head string `placeholder:"HASH" help:"The hash of the last line as it was noted elsewhere: shows that nothing was cut off."`
}

// Run checks the chain of an audit log with its full files, the oldest first.
func (c auditCmd) Run(_ context.Context, a *app) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	file := c.File
	if file == "" {
		file = cfg.AuditLog
	}
	if file == "" {
		return fault.New(fault.Invalid, "audit_log_required", "Nothing says which audit log to check.", "Name it, or set LEGWORK_AUDIT_LOG.")
	}
	names, err := audit.Rotated(file)
	if err != nil {
		return unreadable(file, err)
	}
	var parts []io.Reader
	for _, name := range append(names, file) {
		f, err := os.Open(name)
		if err != nil {
			return unreadable(name, err)
		}
		defer f.Close()
		parts = append(parts, f)
	}
	n, head, err := audit.Verify(io.MultiReader(parts...))
	var broken *audit.BrokenError
	switch {
	case errors.As(err, &broken):
		return fault.New(fault.Failed, "audit_broken", fmt.Sprintf("The chain holds for %d lines and is broken then: %v.", n, broken),
			"Lines were changed, removed or added there. Compare with a copy that was kept elsewhere.")
	case err != nil:
		return unreadable(file, err)
	case c.Head != "" && c.Head != head:
		return fault.New(fault.Failed, "audit_cut", fmt.Sprintf("The chain holds for %d lines, and its head is another than was noted: %s.", n, head),
			"Lines at the end are missing, or were written anew, or are newer than the note.")
	}
	fmt.Fprintf(a.std.Out, "%d entries in %s, unbroken; head %s\n", n, count(len(parts), "file"), head)
	return nil
}

func unreadable(name string, err error) error {
	return fault.New(fault.NotFound, "audit_unreadable", "The audit log "+name+" cannot be read.", "Check its name and permissions.").WithCause(err)
}
