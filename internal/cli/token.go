package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/serve"
)

type tokenCmd struct {
	Name  string        `arg:"" help:"Who will call with it: letters, digits, dots and dashes."`
	Scope []string      `help:"What it may do, such as federalrunner:read. Default: everything that the servers offer."`
	For   time.Duration `placeholder:"TIME" help:"How long it works, such as 2160h. Default: until its line is removed."`
	File  string        `placeholder:"FILE" help:"The file of tokens. Default: the tokens_file of the settings."`
}

// Run makes a token, adds what admits it to the file, and prints the token, which
// is kept nowhere.
func (c tokenCmd) Run(ctx context.Context, a *app) error {
	k, err := a.open()
	if err != nil {
		return err
	}
	defer k.close(ctx)
	file := c.File
	if file == "" {
		file = k.cfg.TokensFile
	}
	if file == "" {
		return fault.New(fault.Invalid, "tokens_file_required", "Nothing says which file the token is for.",
			"Name it with --file, or set LEGWORK_TOKENS_FILE for this command and for the server.")
	}
	if err := oauth.CheckStatic(file); err != nil {
		return err // a token in it would not work
	}
	scopes, err := k.tokenScopes(c.Scope)
	if err != nil {
		return err
	}
	var end time.Time
	if c.For < 0 {
		return fault.New(fault.Invalid, "invalid_time", "A token cannot end before it begins.", "Give --for a time such as 2160h.")
	} else if c.For > 0 {
		end = time.Now().Add(c.For)
	}
	token, line, err := oauth.NewStatic(c.Name, scopes, end)
	if err != nil {
		return err
	}
	if err := appendLine(file, line); err != nil {
		return err
	}
	fmt.Fprintln(a.std.Out, token)
	fmt.Fprintf(a.std.Err, "Added to %s as %s; servers that use the file take it from now on. It is shown only here.\n", file, c.Name)
	return nil
}

// tokenScopes checks the scopes, or gives all that the tools need.
func (k *kit) tokenScopes(asked []string) ([]string, error) {
	var all []string
	for _, t := range k.tools() {
		if !slices.Contains(all, t.Spec.Scope) {
			all = append(all, t.Spec.Scope)
		}
	}
	slices.Sort(all)
	if len(asked) == 0 {
		return all, nil
	}
	all = append(all, serve.MetricsScope) // asked for by name only: callers do not watch the server
	for _, s := range asked {
		if !slices.Contains(all, s) {
			return nil, fault.New(fault.Invalid, "unknown_scope", fmt.Sprintf("Nothing needs the scope %q.", s), "Scopes: "+strings.Join(all, ", ")+".")
		}
	}
	return asked, nil
}

// appendLine adds a line to a file that only its owner may read. One write, so that
// a server that reads at the same time sees all of it or nothing.
func appendLine(file, line string) error {
	failed := func(err error) error {
		return fault.New(fault.Denied, "tokens_file_unusable", "The token could not be added to "+file+".",
			"Check the folder and its permissions; nothing was changed.").WithCause(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return failed(err)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return failed(err)
	}
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if r, err := os.Open(file); err == nil {
			_, err = r.ReadAt(last, info.Size()-1)
			_ = r.Close()
			if err == nil && last[0] != '\n' {
				line = "\n" + line // somebody's editor left the end open
			}
		}
	}
	if _, err := f.WriteString(strings.TrimSuffix(line, "\n") + "\n"); err != nil {
		_ = f.Close()
		return failed(err)
	}
	if err := f.Close(); err != nil {
		return failed(err)
	}
	return nil
}
