package browser

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
)

// dress gives a new tab its options.
func (t *webkitTab) dress(ctx context.Context, o TabOptions) error {
	if err := t.guard.apply(o.Policy); err != nil {
		return err
	}
	if err := t.guard.send(t.process.kind.name, o.Headers); err != nil {
		return err
	}
	var scripts strings.Builder
	for _, s := range append(storageScripts(o.Storage), o.InitScripts...) {
		scripts.WriteString(s.Source + "\n;")
	}
	t.mu.Lock()
	t.options, t.scripts = o, scripts.String()
	t.mu.Unlock()
	if !o.Headed {
		if err := t.fit(ctx, Size{Width: o.Width, Height: o.Height}); err != nil {
			return err
		}
	}
	for _, c := range o.Cookies {
		if err := t.setCookie(ctx, c); err != nil {
			return err
		}
	}
	return t.speaks(ctx, o)
}

// speaks makes sure that the browser took the language and the time zone from its
// environment: a language that the system does not have is silently English.
func (t *webkitTab) speaks(ctx context.Context, o TabOptions) error {
	var got struct{ Language, Zone string }
	err := t.Call(ctx, Function{Source: `function () {
		return { Language: navigator.language, Zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
	}`}, &got)
	switch {
	case err != nil:
		return err
	case !strings.EqualFold(got.Language, o.Locale):
		return t.lacks(fmt.Sprintf("speak the language %s on its system, which lacks the locale", o.Locale), "LC_ALL="+localeOf(o))
	case got.Zone != o.Timezone && o.Timezone != "UTC":
		return t.lacks(fmt.Sprintf("keep the time zone %s on its system", o.Timezone), "TZ="+o.Timezone)
	}
	return nil
}

// lacks is unsupported with advice for a driver that somebody else started: its
// environment is what gives the browser language and time zone.
func (t *webkitTab) lacks(what, setting string) error {
	err := unsupported(t.process.kind.name, what)
	if t.process.seat != nil {
		err.Action = "Start the WebKitWebDriver at " + origin(t.process.seat.address) + " with " + setting + " in its environment."
	}
	return err
}

func (t *webkitTab) setCookie(ctx context.Context, c Cookie) error {
	w := webdriver.Cookie{
		Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite,
	}
	if c.URL != "" {
		u, err := url.Parse(c.URL)
		if err != nil {
			return fmt.Errorf("reading the address of the cookie %s: %w", c.Name, err)
		}
		w.Domain, w.Secure = u.Hostname(), c.Secure || u.Scheme == "https"
	}
	if w.Path == "" {
		w.Path = "/"
	}
	if !c.Expires.IsZero() {
		w.Expiry = c.Expires.Unix()
	}
	err := t.within(ctx, "", func(ctx context.Context) error { return t.session.SetCookie(ctx, w) })
	if err != nil {
		return fmt.Errorf("setting the cookie %s: %w", c.Name, err)
	}
	return nil
}
