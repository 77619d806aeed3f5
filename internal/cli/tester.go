package cli

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest"
	"github.com/legwork-mcp/legwork/internal/mcptest/official"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// tester is the server that tests other servers. Over HTTP it starts no commands unless
// a setting allows it: whoever may call would run them as the user of this process.
func (a *app) tester(k *kit) *mcptest.Server {
	several := a.several(k.cfg)
	return mcptest.New(mcptest.Options{
		Reach:    func(address string, o *wire.Options) (func(), error) { return k.reach(address, several, o) },
		Commands: !a.hosted || k.cfg.TesterCommands,
		Secret:   secrets{k.cfg, a.std.Environ}.get,
		Suite:    official.Place{Dir: filepath.Join(k.cfg.DataDir, "conformance"), Environ: a.std.Environ},
		Environ:  a.std.Environ, Version: Version(), Logger: k.log,
		Settings: mcptest.Settings{Connections: k.cfg.TesterConnections, PerCaller: perTester(several, k.cfg.TesterConnections), Idle: k.cfg.TesterIdle},
	})
}

// perTester is how many connections one of several callers may have.
func perTester(several bool, all int) int {
	if !several {
		return all
	}
	return min(16, share(several, all))
}

// reach gives a connection to a server under test the way to its address. Where there
// is only the user of this machine, a server that runs on it may be tested: that is what
// a tester is mostly for. Any other private address needs --allow-private.
func (k *kit) reach(address string, several bool, o *wire.Options) (func(), error) {
	p := browser.Policy{AllowPrivate: k.cfg.AllowPrivate}
	if !several && onThisMachine(address) {
		p.AllowOrigins = []string{origin(address)}
	}
	transport, err := p.Transport()
	if err != nil {
		return nil, err
	}
	transport.ResponseHeaderTimeout = 0 // each request has a limit of its own
	o.HTTPClient = &http.Client{Transport: transport}
	return transport.CloseIdleConnections, nil
}

// secrets are those that a server under test may be sent by name. A model chooses the
// server and the name, so that the person who runs this program says which may go.
type secrets struct {
	cfg     *config.Config
	environ []string
}

// testerPrefix begins the variables that are meant for servers under test.
const testerPrefix = "MCPTEST_"

// maxSecret is more than any token has.
const maxSecret = 64 << 10

func (s secrets) get(reference string) (string, error) {
	kind, name, _ := strings.Cut(reference, ":")
	if kind == "FILE" {
		return s.file(name)
	}
	if !strings.HasPrefix(name, testerPrefix) && !slices.Contains(config.List(s.cfg.TesterSecrets), name) {
		return "", fault.New(fault.Denied, "secret_not_allowed", "The variable "+name+" may not be sent to servers under test.",
			"Add it to LEGWORK_MCPTEST_SECRETS, or use one whose name begins with "+testerPrefix+".")
	}
	for _, line := range s.environ {
		if value, ok := strings.CutPrefix(line, name+"="); ok && value != "" {
			return value, nil
		}
	}
	return "", fault.New(fault.NotFound, "secret_not_found", "The variable "+name+" is not set where legwork runs.", "Set it there and start legwork again.")
}

// file reads a secret from the folder for them, and from nowhere else.
func (s secrets) file(name string) (string, error) {
	missing := func(err error) error {
		return fault.New(fault.NotFound, "secret_not_found", fmt.Sprintf("There is no readable file %q in the folder of the secrets.", name),
			"Put it there: mcptest_secrets_dir of 'legwork config' names the folder.").WithCause(err)
	}
	root, err := os.OpenRoot(s.cfg.TesterSecretsDir)
	if err != nil {
		return "", missing(err)
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return "", missing(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSecret))
	if err != nil {
		return "", missing(err)
	}
	return strings.TrimSpace(string(data)), nil
}
