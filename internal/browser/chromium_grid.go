package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
)

// loan is the session of a WebDriver, such as a Selenium Grid or a chromedriver, that
// lent its Chromium. The session only keeps it: the tabs are made over DevTools, each
// with its own guard.
type loan struct{ session *webdriver.Session }

// errNoDevTools: an address answers over HTTP, but not as DevTools do.
var errNoDevTools = errors.New("no DevTools endpoint")

// errNoChromium: a WebDriver has another browser, or cannot start it.
var errNoChromium = errors.New("it is a WebDriver that gives no Chromium")

// borrow asks the WebDriver at an address for a Chromium, and gives the DevTools
// endpoint of it. What is not Chromium is given back.
func borrow(ctx context.Context, address string, o Options) (loan, string, error) {
	u, err := url.Parse(address)
	if err != nil || u.RawQuery != "" {
		return loan{}, "", errNoDevTools // the commands of WebDriver have no place for a query
	}
	client := webdriver.New(address, directly)
	status, err := client.Status(ctx)
	if err != nil {
		return loan{}, "", errNoDevTools
	}
	if !status.Ready {
		return loan{}, "", errors.New("it is a WebDriver that has no session free")
	}
	args := []string{"--hide-scrollbars"}
	if o.Scrollbars {
		args = args[:0]
	}
	if !o.Headed {
		args = append(args, "--headless=new")
	}
	if !sandboxed(o) {
		args = append(args, "--no-sandbox")
	}
	s, err := lendOf(ctx, o, client, webdriver.Capabilities{"browserName": "chrome", "goog:chromeOptions": map[string]any{"args": args}})
	if err != nil && ctx.Err() != nil {
		return loan{}, "", ctx.Err()
	}
	if err != nil {
		return loan{}, "", fmt.Errorf("%w: %w", errNoChromium, hidden(err))
	}
	l := loan{s}
	endpoint, err := devToolsOf(ctx, s.Browser, u)
	if err != nil {
		l.giveBack()
		return loan{}, "", err
	}
	return l, endpoint, nil
}

// lendOf asks a driver for a session. One that comes when nobody waits any more is given
// back: a driver keeps it for ever.
func lendOf(ctx context.Context, o Options, client *webdriver.Client, caps webdriver.Capabilities) (*webdriver.Session, error) {
	var s *webdriver.Session
	var err error
	made := make(chan struct{})
	o.errands.Go(func() {
		defer close(made)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), launchLimit)
		defer cancel()
		s, err = client.NewSession(ctx, caps)
	})
	select {
	case <-made:
		return s, err
	case <-ctx.Done():
		o.errands.Go(func() {
			<-made
			loan{s}.giveBack()
		})
		return nil, ctx.Err()
	}
}

// devToolsOf is where the browser of a session listens for DevTools: a grid passes them
// on itself (Selenium Grid, "se:cdp"), a chromedriver tells the port of its machine
// (ChromeDriver, "Capabilities"). Neither can name another machine than that which was
// asked.
func devToolsOf(ctx context.Context, b webdriver.Browser, asked *url.URL) (string, error) {
	if b.DevTools != "" {
		end, err := url.Parse(b.DevTools)
		if err != nil {
			return "", errors.New("the DevTools endpoint of its session is no URL")
		}
		end.Host, end.User = asked.Host, asked.User
		end.Scheme = socketScheme(asked.Scheme)
		return end.String(), nil
	}
	_, port, err := net.SplitHostPort(b.Chromium.Debugger)
	if err != nil {
		return "", errors.New("its session tells no DevTools endpoint")
	}
	return endpointOf(ctx, "http://"+net.JoinHostPort(asked.Hostname(), port))
}

func socketScheme(scheme string) string {
	if scheme == "https" {
		return "wss"
	}
	return "ws"
}

// giveBackLimit is how long a driver may take to end its browser.
const giveBackLimit = 10 * time.Second

// giveBack ends the session, and with it the browser. What the driver says to that
// changes nothing any more.
func (l loan) giveBack() {
	if l.session == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), giveBackLimit)
	defer cancel()
	_ = l.session.Close(ctx)
}
