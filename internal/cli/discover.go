package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

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
	Engine      string        `placeholder:"NAME" help:"chromium, chromium-headless-shell, firefox or webkit."`
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
		Browser: kit.pool, Policy: kit.typed, Prover: replayer{kit, typedPrefix}, Logger: kit.log,
		Width: kit.cfg.ViewportWidth, Height: kit.cfg.ViewportHeight, Headed: c.Headed,
	}
	found, err := d.Discover(ctx, scout.Request{
		URL: c.URL, ID: c.ID, Name: c.Name, Start: c.Start, AllowSubmit: c.AllowSubmit, MaxPasses: c.MaxPasses,
		Foreign:  func(id string) bool { return ofAnotherForm(kit.store, id, c.URL) },
		Progress: func(s string) { fmt.Fprintln(a.std.Err, printable(s)) },
	})
	if err != nil {
		return err
	}
	err = c.keep(a, kit, found)
	if ctx.Err() != nil && !found.Proven { // the draft of what there was by then is kept
		return ctx.Err()
	}
	return err
}

// ofAnotherForm reports whether the id is that of a wizard, or of a broken file,
// that is not known to be about the form at the address.
func ofAnotherForm(store *wizard.Store, id, address string) bool {
	e, err := store.Get(id)
	if err != nil {
		return !errors.Is(err, wizard.ErrNotFound)
	}
	return sameForm(e.Wizard.URL) != sameForm(address)
}

// sameForm is the part of an address that two forms do not share.
func sameForm(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.ToLower(u.Host) + strings.TrimSuffix(u.Path, "/")
}
