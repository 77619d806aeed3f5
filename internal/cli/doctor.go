package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

type doctorCmd struct{}

// Run checks what the program needs and prints one line each.
func (doctorCmd) Run(ctx context.Context, a *app) error {
	kit, err := a.open()
	if err != nil {
		return err
	}
	defer kit.close(ctx)
	bad := false
	line := func(name string, err error, good string) {
		if err == nil {
			fmt.Fprintf(a.std.Out, "ok    %-10s %s\n", name, good)
			return
		}
		bad = true
		f := fault.From(err)
		fmt.Fprintf(a.std.Out, "MISS  %-10s %s\n                 %s\n", name, f.Message, f.Action)
	}
	o := browserOptions(kit.cfg, kit.log)
	served := false // the engine of the settings, by browsers of somebody else
	for _, address := range o.Remotes {
		one := o
		one.Remotes = []string{address}
		t, err := browser.SelfTest(ctx, one)
		line("browser", err, fmt.Sprintf("%s: %s", t.Path, product(t.Agent)))
		served = served || browser.StandsIn(address, o.Engine)
	}
	o.Remotes = nil
	if !served {
		path, err := browser.Installed(o)
		if err == nil {
			err = kit.pool.Check(ctx) // starts it
		}
		line("browser", err, path)
	}
	listEngines(ctx, a.std.Out, o)
	_, broken := kit.store.List()
	for _, b := range broken {
		line("wizard", fault.New(fault.Invalid, "", b.Error(), "See 'legwork wizards check'."), "")
	}
	line("wizards", writable(kit.cfg.WizardsDir), kit.cfg.WizardsDir)
	line("scans", kit.cwac.Check(ctx), cmp.Or(kit.cfg.CWACPath, kit.cfg.ScansDir))
	if issuer := kit.cfg.TokenIssuer(); issuer != "" || kit.cfg.TokensFile != "" {
		line("tokens", kit.checkTokens(ctx), cmp.Or(issuer, kit.cfg.TokensFile))
	}
	if kit.cfg.DatabaseURL != "" {
		line("database", kit.checkDatabase(ctx), "calls are counted in it")
	}
	if bad {
		return quiet(fault.ExitUnavailable)
	}
	return nil
}

// listEngines says of every engine whether it works here. One that is not installed
// is nothing bad: a server needs one.
func listEngines(ctx context.Context, out io.Writer, o browser.Options) {
	o.Logger = nil // nothing is wrong with a server that these are not for
	for _, name := range browser.Engines() {
		o.Engine = name
		t, err := browser.SelfTest(ctx, o)
		switch {
		case err == nil:
			fmt.Fprintf(out, "ok    %-10s %s: %s, %s\n", "engine", name, product(t.Agent), t.How)
		case t.Path == "":
			fmt.Fprintf(out, "--    %-10s %s: %s\n", "engine", name, fault.From(err).Action)
		default:
			f := fault.From(err)
			fmt.Fprintf(out, "--    %-10s %s: %s %s\n", "engine", name, f.Message, f.Action)
		}
	}
}

// product is the name and version in a User-Agent.
func product(agent string) string {
	for word := range strings.FieldsSeq(agent) {
		for _, name := range []string{"HeadlessChrome/", "Chrome/", "Firefox/", "Version/"} {
			if version, ok := strings.CutPrefix(word, name); ok {
				return strings.TrimPrefix(strings.TrimSuffix(name, "/"), "Headless") + " " + version
			}
		}
	}
	return "unknown version"
}

// checkDatabase reports whether the database answers. It changes nothing there: the
// servers that run may be of an older version.
func (k *kit) checkDatabase(ctx context.Context) error {
	db, err := k.database(ctx)
	if err != nil {
		return err
	}
	return errors.Join(db.Ping(ctx), db.Close())
}

// checkTokens reports whether tokens could be checked now.
func (k *kit) checkTokens(ctx context.Context) error {
	v, err := k.verifier(ctx, "", nil)
	if err != nil {
		return err
	}
	defer v.Close()
	if err := v.Check(ctx); err != nil {
		return fault.New(fault.Unavailable, "", "The issuer's keys cannot be had, so no token can be checked", "Check LEGWORK_ISSUER; the warning on stderr says why.").WithCause(err)
	}
	return nil
}

// writable reports whether the folder can hold files; one that is not there yet
// is made when it is needed.
func writable(dir string) error {
	info, err := os.Stat(dir)
	if os.IsNotExist(err) {
		return nil // made when the first wizard is saved
	}
	if err != nil || !info.IsDir() {
		return fault.New(fault.Invalid, "", dir+" is no folder that can be used", "Set FEDERALRUNNER_WIZARDS_DIR to another folder.")
	}
	f, err := os.CreateTemp(dir, ".legwork-*")
	if err != nil {
		return fault.New(fault.Denied, "", dir+" cannot be written to", "Change its permissions, or set FEDERALRUNNER_WIZARDS_DIR.").WithCause(err)
	}
	_ = f.Close()
	return os.Remove(f.Name())
}
