package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

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

// SelfTest starts the engine of these options, or takes a remote browser of theirs, loads
// one page there through the network guard, presses and reads something, and takes a
// picture. Nothing is left of it afterwards.
func SelfTest(ctx context.Context, o Options) (done Tested, err error) {
	if len(o.Remotes) > 0 {
		done.Path, done.How = origin(o.Remotes[0]), "on its own, there"
		if o.Engine = EngineChromium; !StandsIn(o.Remotes[0], o.Engine) {
			o.Engine = EngineWebKit
		}
	} else if done.Path, err = Installed(o); err != nil {
		return done, err
	} else {
		done.How = startedHow(o.Engine)
	}
	o.MaxBrowsers, o.TabsPerBrowser = 1, 1
	p := NewPool(o)
	defer func() { err = errors.Join(err, p.Close(context.WithoutCancel(ctx))) }()
	address, stop, err := tryServer()
	if err != nil {
		return done, err
	}
	defer stop()
	t, err := p.Open(ctx, TabOptions{Policy: Policy{AllowOrigins: []string{address}}})
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, t.Close(ctx)) }()
	if err := t.tryLoad(ctx, address); err != nil {
		if len(o.Remotes) == 0 {
			return done, err
		}
		return done, fault.New(fault.Unavailable, "browser_unavailable",
			"The browser at "+done.Path+" loads no page through the network guard at "+cmp.Or(o.GuardHost, loopback)+".",
			"Set LEGWORK_BROWSER_GUARD_HOST to an address of this machine that the browser can reach, and let its connections in there. "+
				"A browser on this machine has to run as the same user as Legwork.").WithCause(err)
	}
	done.Agent, err = t.try(ctx)
	return done, err
}

// startedHow tells how the browser of an engine is started and spoken to.
func startedHow(engine string) string {
	switch {
	case isFirefox(engine):
		return "headless, a process for each tab, over WebDriver BiDi on loopback"
	case isWebKit(engine):
		return "a browser and a driver for each tab, on a screen of its own, over W3C WebDriver on loopback"
	}
	return "headless, over the DevTools protocol on a pipe"
}

// tryServer serves an empty page on loopback, which the network guard fetches, wherever
// the browser is.
func tryServer() (address string, stop func(), err error) {
	ln, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
	if err != nil {
		return "", nil, fmt.Errorf("serving a page for the test: %w", err)
	}
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><title>"+tryTitle+"</title>")
	})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Serve(ln)
	}()
	return "http://" + ln.Addr().String(), func() {
		_ = s.Close()
		<-ended
	}, nil
}

// tryLoad loads the page of tryServer.
func (t *Tab) tryLoad(ctx context.Context, address string) error {
	if err := t.Navigate(ctx, address+"/"); err != nil {
		return fmt.Errorf("loading a page: %w", err)
	}
	var title string
	if err := t.Call(ctx, Function{Source: "function () { return document.title }"}, &title); err != nil {
		return fmt.Errorf("loading a page: %w", err)
	}
	if title != tryTitle {
		return fault.New(fault.Unavailable, "browser_error", "The browser shows another page than the one that was served.", "Update the browser, or use another engine.")
	}
	return nil
}

// tryTitle is the title of the page of tryServer.
const tryTitle = "Legwork"

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
