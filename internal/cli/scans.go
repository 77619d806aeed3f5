package cli

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac"
	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// scans is the accessibility server. It starts this very program for scans.
func (a *app) scans(k *kit) (*cwac.Server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return cwac.New(cwac.Options{
		Dir: k.cfg.ScansDir, Engine: append(a.sameSettings(self, k), "cwac-run"), Audits: engine.Audits(), Supervisor: []string{self, "cwac-supervise"},
		Agent: scanAgent(), Token: scanToken, Env: scanEnvironment(a.std.Environ), CWAC: k.cfg.CWACPath, Python: k.cfg.CWACPython, Resolve: k.resolve, CheckLogin: engine.CheckLogin,
		Settings: cwac.Settings{
			MaxScans: k.cfg.MaxScans, PerCaller: share(a.several(k.cfg), k.cfg.MaxScans), MaxPages: k.cfg.ScanMaxPages,
			Timeout: k.cfg.ScanTimeout, Retention: k.cfg.ScanRetention,
		},
		Logger: k.log,
	}), nil
}

// sameSettings starts this program with the settings that decide how a scan runs: a
// scan has a clean environment, in which they are not.
func (a *app) sameSettings(self string, k *kit) []string {
	out := []string{self}
	if a.globals.ConfigFile != "" {
		out = append(out, "--config", a.globals.ConfigFile)
	}
	set := func(name, value string) {
		if value != "" {
			out = append(out, "--set", name+"="+value)
		}
	}
	c := k.cfg
	set("data_dir", c.DataDir)
	set("wizards_dir", c.WizardsDir)
	set("scans_dir", c.ScansDir)
	set("browser_engine", c.BrowserEngine)
	set("browser_path", c.BrowserPath)
	set("browser_headless", strconv.FormatBool(c.BrowserHeadless))
	if c.BrowserSandbox != nil {
		set("browser_sandbox", strconv.FormatBool(*c.BrowserSandbox))
	}
	set("allow_private", strconv.FormatBool(c.AllowPrivate))
	set("log_level", "warn")
	return out
}

// scanToken is the name by which robots.txt speaks to scans.
const scanToken = "Legwork"

// scanAgent is the name that scans give sites. It says what they are.
func scanAgent() string {
	return "Mozilla/5.0 (compatible; " + scanToken + "/" + Version() + "; +https://github.com/legwork-mcp/legwork)"
}

// scanVariables are what programs need of an environment. Nothing of this program's
// own is among them, and no secret of anybody's.
var scanVariables = []string{
	"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TMP", "TEMP", "LANG", "LANGUAGE", "TZ", "DISPLAY", "XDG_RUNTIME_DIR",
	"SYSTEMROOT", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "SSL_CERT_FILE", "SSL_CERT_DIR", "NLTK_DATA", "CHROME_EXTRA_ARGS",
}

// scanEnvironment is the part of the environment that scans get.
func scanEnvironment(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		return !slices.Contains(scanVariables, name) && !strings.HasPrefix(name, "LC_")
	})
}

// reachTime is how long the look at one address may take before a scan.
const reachTime = 8 * time.Second

// resolve refuses an address that a scan may not reach, and follows its redirects
// when asked to. An address that does not answer is for the scan to tell.
func (k *kit) resolve(ctx context.Context, address string, follow bool) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", nil // it was checked before
	}
	transport, err := browser.Policy{AllowPrivate: k.cfg.AllowPrivate, MaxBytes: maxLoad}.Transport()
	if err != nil {
		return "", err
	}
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	if !follow {
		c, err := transport.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), portOf(u)))
		if err == nil {
			err = c.Close()
		}
		return "", refusal(err)
	}
	client := http.Client{Transport: transport, Timeout: reachTime}
	request := &http.Request{Method: http.MethodGet, URL: u, Header: http.Header{"User-Agent": {scanAgent()}}}
	res, err := client.Do(request.WithContext(ctx))
	if err != nil {
		return "", refusal(err)
	}
	if err := res.Body.Close(); err != nil {
		return "", nil // what came before says where it leads
	}
	final := *res.Request.URL
	final.Fragment, final.User = "", nil
	return final.String(), nil
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// refusal keeps of an error what the guard has said.
func refusal(err error) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Kind == fault.Denied {
		return f
	}
	return nil
}

type superviseCmd struct {
	Job string `arg:"" help:"The job file."`
}

// Run watches over a scan until it has ended.
func (c superviseCmd) Run(ctx context.Context, a *app) error {
	return process.Supervise(ctx, c.Job, a.std.Out)
}
