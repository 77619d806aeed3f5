package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/scout"
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
		Progress: func(s string) { fmt.Fprintln(a.std.Err, s) },
	})
	if err != nil {
		return err
	}
	return c.keep(a, kit, found)
}
