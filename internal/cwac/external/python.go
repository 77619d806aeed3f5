package external

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// CWAC uses syntax of Python 3.12 (PEP 695).
const (
	pythonMajor = 3
	pythonMinor = 12
)

// probeTime is how long an interpreter may take to tell its version.
const probeTime = 15 * time.Second

var versionPattern = lazyregexp.New(`^Python (\d+)\.(\d+)\S*$`)

// Python finds the interpreter of an installation: the configured one and no other,
// else the one of its virtual environment, else the best on the search path of env.
func (i *Install) Python(ctx context.Context, configured string, env []string) (string, error) {
	if configured != "" {
		path, err := lookIn(env, configured)
		if err == nil {
			err = i.tooOld(ctx, path, env)
		}
		return path, err
	}
	candidates := []string{
		filepath.Join(i.Root, ".venv", "bin", "python"), filepath.Join(i.Root, ".venv", "Scripts", "python.exe"),
		"python3.14", "python3.13", "python3.12", "python3", "python",
	}
	var why []string
	for _, name := range candidates {
		path, err := lookIn(env, name)
		if err != nil {
			continue
		}
		if err := i.tooOld(ctx, path, env); err != nil {
			why = append(why, err.Error())
			continue
		}
		return path, nil
	}
	if len(why) == 0 {
		return "", fmt.Errorf("no Python interpreter was found; CWAC needs %d.%d or newer", pythonMajor, pythonMinor)
	}
	return "", fmt.Errorf("no usable Python interpreter: %s", strings.Join(why, "; "))
}

// lookIn finds a program on the search path of an environment.
func lookIn(env []string, name string) (string, error) {
	if strings.ContainsRune(name, os.PathSeparator) {
		info, err := os.Stat(name)
		if err != nil || info.IsDir() {
			return "", fmt.Errorf("there is no interpreter %s", name)
		}
		return name, nil
	}
	for _, line := range env {
		dirs, ok := strings.CutPrefix(line, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(dirs) {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); filepath.IsAbs(dir) && err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("there is no interpreter %s on the search path", name)
}

// tooOld says what is wrong with an interpreter. It is asked in the folder of the
// installation, which can have a say in which Python a name means.
func (i *Install) tooOld(ctx context.Context, path string, env []string) error {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Dir, cmd.Env, cmd.WaitDelay = i.Root, env, time.Second
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s does not run: %w", path, err)
	}
	m := versionPattern.FindStringSubmatch(strings.TrimSpace(string(out)))
	if m == nil {
		return fmt.Errorf("%s is no Python interpreter", path)
	}
	major, _ := strconv.Atoi(m[1]) // the pattern has digits
	minor, _ := strconv.Atoi(m[2])
	if major < pythonMajor || major == pythonMajor && minor < pythonMinor {
		return fmt.Errorf("%s is Python %d.%d, CWAC needs %d.%d or newer", path, major, minor, pythonMajor, pythonMinor)
	}
	return nil
}
