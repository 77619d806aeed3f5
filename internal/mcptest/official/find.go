package official

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Version is the release of the suite that this package knows how to read.
const Version = "0.2.0-alpha.12"

const (
	packageName = "@modelcontextprotocol/conformance"
	leastNode   = 22 // the suite uses fs.globSync
)

// What may be missing.
var (
	ErrNoNode  = errors.New("there is no Node 22 or newer")
	ErrNoSuite = errors.New("the conformance suite is not installed")
)

// Place is where the suite is, and how it is run.
type Place struct {
	// Dir is a folder in which npm installed the suite, or will.
	Dir string
	// Environ is the environment of this program, KEY=VALUE, of which the suite gets a
	// short list.
	Environ []string
}

// Suite is an installed suite.
type Suite struct {
	Version string
	node    string
	script  string
	env     []string
}

// inherited are the variables that the suite gets.
var inherited = []string{"PATH", "HOME", "TMPDIR", "LANG", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS"}

func (p Place) env() []string {
	var out []string
	for _, line := range p.Environ {
		if name, _, ok := strings.Cut(line, "="); ok && slices.Contains(inherited, name) {
			out = append(out, line)
		}
	}
	return out
}

// program looks a program up: in the folder itself, which may bring a Node of its own,
// then in PATH.
func (p Place) program(name string) (string, error) {
	if own := filepath.Join(p.Dir, name); isProgram(own) {
		return own, nil
	}
	for _, line := range p.Environ {
		path, ok := strings.CutPrefix(line, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			if at := filepath.Join(dir, name); filepath.IsAbs(dir) && isProgram(at) {
				return at, nil
			}
		}
	}
	return "", fmt.Errorf("look for %s: %w", name, exec.ErrNotFound)
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

var nodeVersion = lazyregexp.New(`^v(\d+)\.`)

// node is a Node that is new enough.
func (p Place) node(ctx context.Context) (string, error) {
	path, err := p.program("node")
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoNode, err)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env, cmd.WaitDelay = p.env(), time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w: ask %s for its version: %w", ErrNoNode, path, err)
	}
	m := nodeVersion.FindSubmatch(out)
	if m == nil {
		return "", fmt.Errorf("%w: %s says no version", ErrNoNode, path)
	}
	if major, err := strconv.Atoi(string(m[1])); err != nil || major < leastNode {
		return "", fmt.Errorf("%w: %s is v%s", ErrNoNode, path, m[1])
	}
	return path, nil
}

// Find looks for Node and the suite. It fails with ErrNoNode or ErrNoSuite.
func Find(ctx context.Context, p Place) (*Suite, error) {
	node, err := p.node(ctx)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(p.Dir, "node_modules", filepath.FromSlash(packageName))
	raw, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return nil, fmt.Errorf("%w in %s", ErrNoSuite, p.Dir)
	}
	var about struct {
		Version string            `json:"version"`
		Bin     map[string]string `json:"bin"`
	}
	if err := json.Unmarshal(raw, &about); err != nil {
		return nil, fmt.Errorf("read the package of the conformance suite: %w", err)
	}
	script := filepath.Join(folder, "dist", "index.js")
	if _, err := os.Stat(script); err != nil {
		return nil, fmt.Errorf("%w in %s: it has no %s", ErrNoSuite, p.Dir, filepath.Base(script))
	}
	return &Suite{Version: about.Version, node: node, script: script, env: p.env()}, nil
}

// Install brings the suite into the folder with npm, without running scripts of
// packages.
func Install(ctx context.Context, p Place) error {
	npm, err := p.program("npm")
	if err != nil {
		return fmt.Errorf("install the conformance suite: %w", err)
	}
	if err := os.MkdirAll(p.Dir, 0o700); err != nil {
		return fmt.Errorf("install the conformance suite: %w", err)
	}
	cmd := exec.CommandContext(ctx, npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel", "error", "--prefix", p.Dir, packageName+"@"+Version)
	cmd.Env, cmd.Dir, cmd.WaitDelay = p.env(), p.Dir, 5*time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("install the conformance suite: %w: %s", err, last(out, 500))
	}
	return nil
}

func last(b []byte, n int) string { return strings.TrimSpace(string(b[max(0, len(b)-n):])) }
