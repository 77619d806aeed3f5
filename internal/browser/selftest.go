package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Engines are the names of all engines, the lightest first.
func Engines() []string {
	return []string{EngineHeadlessShell, EngineChromium, EngineFirefox, EngineWebKit}
}

// Tested is what came of trying an engine.
type Tested struct {
	// Path of its program, and Agent, the User-Agent that it tells sites.
	Path, Agent string
	// How it is started and spoken to.
	How string
}

// SelfTest starts the engine of these options for one empty page, presses and reads
// something there, and takes a picture. Nothing is left of it afterwards.
func SelfTest(ctx context.Context, o Options) (done Tested, err error) {
	if done.Path, err = Installed(o); err != nil {
		return done, err
	}
	done.How = "headless, over the DevTools protocol on a pipe"
	if isFirefox(o.Engine) {
		done.How = "headless, a process for each tab, over WebDriver BiDi on loopback"
	}
	if isWebKit(o.Engine) {
		done.How = "a browser and a driver for each tab, on a screen of its own, over W3C WebDriver on loopback"
	}
	o.MaxBrowsers, o.TabsPerBrowser = 1, 1
	p := NewPool(o)
	defer func() { err = errors.Join(err, p.Close(context.WithoutCancel(ctx))) }()
	t, err := p.Open(ctx, TabOptions{})
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, t.Close(ctx)) }()
	done.Agent, err = t.try(ctx)
	return done, err
}

// try has a page made, pressed, read and pictured.
func (t *Tab) try(ctx context.Context) (agent string, err error) {
	if err := t.Call(ctx, Function{Source: tryPage}, nil); err != nil {
		return "", fmt.Errorf("making a page: %w", err)
	}
	if err := t.Click(ctx, "", 50, 50); err != nil {
		return "", fmt.Errorf("pressing a button: %w", err)
	}
	var seen struct{ Pressed, Agent string }
	if err := t.Call(ctx, Function{Source: tryRead}, &seen); err != nil {
		return "", fmt.Errorf("reading a page: %w", err)
	}
	picture, err := t.Screenshot(ctx, Shot{Format: "png"})
	if err != nil {
		return "", fmt.Errorf("taking a picture: %w", err)
	}
	if seen.Pressed != "yes" || !strings.HasPrefix(string(picture), "\x89PNG") {
		return "", fault.New(fault.Unavailable, "browser_error", "The browser starts, but its page took no press.",
			"Update the browser, or use another engine.")
	}
	return seen.Agent, nil
}

const (
	tryPage = `function () {
	const button = document.createElement('button');
	button.style = 'position: fixed; left: 0; top: 0; width: 100px; height: 100px';
	button.addEventListener('click', e => { if (e.isTrusted) document.body.dataset.pressed = 'yes' });
	document.body.append(button);
}`
	tryRead = `function () { return { Pressed: document.body.dataset.pressed || '', Agent: navigator.userAgent } }`
)
