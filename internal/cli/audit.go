package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe/audit"
)

type auditCmd struct {
	File string `arg:"" optional:"" help:"The audit log. Default: the audit_log of the settings."`
	Head string `placeholder:"HASH" help:"A head as it was noted elsewhere: shows that nothing up to it was cut off or written anew."`

	Caller string `placeholder:"NAME" help:"Print the lines of this caller: the name of a token of 'legwork token', or a subject or client of the issuer of the settings."`
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
	ids := callerIDs(c.Caller, cfg.TokenIssuer())
	found := map[string]int{}    // lines by the id of their caller
	var first, last, noted int64 // numbers of entries; 0 is none
	n, head, err := audit.Walk(io.MultiReader(parts...), func(e audit.Entry, line []byte) {
		if last = e.Seq; first == 0 {
			first = e.Seq
		}
		if e.Hash == c.Head {
			noted = e.Seq
		}
		if slices.Contains(ids, e.Subject) || c.Caller != "" && e.Client == c.Caller {
			found[e.Subject]++
			fmt.Fprintf(a.std.Out, "%s\n", line)
		}
	})
	var broken *audit.BrokenError
	switch {
	case errors.As(err, &broken):
		return fault.New(fault.Failed, "audit_broken", fmt.Sprintf("The chain holds for %d lines and is broken then: %v.", n, broken),
			"Lines were changed, removed or added there. Compare with a copy that was kept elsewhere.")
	case err != nil:
		return unreadable(file, err)
	case c.Head != "" && noted == 0:
		return fault.New(fault.Failed, "audit_cut", fmt.Sprintf("The chain holds for %d lines, and none of them has the head that was noted.", n),
			"Lines at the end are missing, or all were written anew, or the file that the note is of is not here.")
	}
	out := a.std.Out
	if len(ids) > 0 { // its lines alone are there
		out = a.std.Err
		for _, id := range slices.Sorted(maps.Keys(found)) {
			fmt.Fprintf(out, "%s of %s, which is %s here and in the log\n", count(found[id], "line"), c.Caller, id)
		}
		if len(found) == 0 {
			fmt.Fprintf(out, "There is no line of %s, which would be %s.\n", c.Caller, strings.Join(ids, " or "))
		}
	}
	if first > 1 {
		fmt.Fprintf(out, "The first entry here has the number %d: what came before is not checked.\n", first)
	}
	if noted > 0 {
		fmt.Fprintf(out, "The noted head is that of entry %d; %d came after it.\n", noted, last-noted)
	}
	fmt.Fprintf(out, "%d entries in %s, unbroken; head %s\n", n, count(len(parts), "file"), head)
	return nil
}

// callerIDs are what logs call somebody of this name: the bearer of a static token,
// and a person or a program of the issuer, when there is one.
func callerIDs(name, issuer string) []string {
	if name == "" {
		return nil
	}
	ids := []string{auth.Principal{Issuer: oauth.StaticIssuer, Subject: oauth.StaticSubject(name)}.ID()}
	if issuer != "" {
		ids = append(ids, auth.Principal{Issuer: issuer, Subject: name}.ID(), auth.Principal{Issuer: issuer, Client: name}.ID())
	}
	return ids
}

func unreadable(name string, err error) error {
	return fault.New(fault.NotFound, "audit_unreadable", "The audit log "+name+" cannot be read.", "Check its name and permissions.").WithCause(err)
}
