package cli

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// maxLoad is the most that one run may load, in bytes: far more than any form.
const maxLoad = 200 << 20

// policy is what the forms of one wizard may reach. Practice wizards reach the
// practice site and nothing else.
func (k *kit) policy(e *wizard.Entry) (browser.Policy, error) {
	p := browser.Policy{AllowPrivate: k.cfg.AllowPrivate, MaxBytes: maxLoad}
	if e.Practice || ofPractice(e.Wizard.URL) { // also one that was discovered there
		addr := k.cfg.PracticeAddr
		if addr == "" {
			site, err := k.site()
			if err != nil {
				return p, err
			}
			addr = site.addr
		}
		p.AllowPrivate, p.Hosts = false, hosts(addr)
		for _, h := range practiceHosts {
			p.OnlyOrigins = append(p.OnlyOrigins, "http://"+h)
		}
		return p, nil
	}
	if strings.HasPrefix(e.Path, typedPrefix) && onThisMachine(e.Wizard.URL) {
		p.AllowOrigins = []string{origin(e.Wizard.URL)}
	}
	if len(e.Wizard.AllowedOrigins) > 0 {
		p.OnlyOrigins = append([]string{origin(e.Wizard.URL)}, e.Wizard.AllowedOrigins...)
	}
	return p, nil
}

// typedPrefix marks the path of a wizard file that a person named on the command
// line.
const typedPrefix = "file:"

// onThisMachine reports whether an address names this machine in so many words.
// Such a form is the person's own; any other private address, and any name that
// only leads to one, needs --allow-private.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// typed is what a form may reach whose address somebody typed on the command
// line: a form of this machine is the person's own.
func (k *kit) typed(address string) (browser.Policy, error) {
	return k.policy(unsaved(address, typedPrefix))
}

// asked is what a form may reach whose address a client sent. A model chose it, so
// it is no more allowed than a wizard of the folder.
func (k *kit) asked(address string) (browser.Policy, error) { return k.policy(unsaved(address, "")) }

// unsaved is a form that is no wizard of the store yet.
func unsaved(address, prefix string) *wizard.Entry {
	return &wizard.Entry{Wizard: &wizard.Wizard{URL: address}, Path: prefix + "discover", Practice: ofPractice(address)}
}

// ofPractice reports whether an address is one of the practice site.
func ofPractice(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "http" && slices.Contains(practiceHosts, u.Host)
}
