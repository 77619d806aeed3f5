package external

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// autoPath is how CWAC's configuration says that a program is in its own place.
const autoPath = "auto"

// places are where the contracts keep what they run, below the installation.
var places = map[string][]string{
	"Chrome":       {"chrome/*/chrome-linux64/chrome", "chrome/*/chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"},
	"chromedriver": {"chromedriver/*/chromedriver-*/chromedriver", "drivers/chromedriver_linux_x64", "drivers/chromedriver_mac_arm64"},
}

// majorPattern finds the version in what both print for --version.
var majorPattern = lazyregexp.New(`\b(\d+)\.\d+\.\d+`)

// Mismatch says that browser and driver of the installation do not fit together, or
// nothing. What cannot be found out is no mismatch: CWAC has the last word.
func (i *Install) Mismatch(ctx context.Context, env []string) string {
	chrome, driver := i.major(ctx, "Chrome", i.Config.ChromeBinary, env), i.major(ctx, "chromedriver", i.Config.ChromeDriver, env)
	if chrome == "" || driver == "" || chrome == driver {
		return ""
	}
	return fmt.Sprintf("The browser of the installation is Chrome %s and its chromedriver is for %s: CWAC most likely ends with an error.", chrome, driver)
}

// major asks a program for the first part of its version.
func (i *Install) major(ctx context.Context, program, configured string, env []string) string {
	path := configured
	if path == "" || path == autoPath {
		path = i.own(places[program])
	} else if !filepath.IsAbs(path) {
		path = filepath.Join(i.Root, path)
	}
	if path == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Dir, cmd.Env, cmd.WaitDelay = i.Root, env, time.Second
	out, err := cmd.Output()
	if m := majorPattern.FindSubmatch(out); err == nil && m != nil {
		return string(m[1])
	}
	return ""
}

// own is the newest program of the installation itself.
func (i *Install) own(patterns []string) string {
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(i.Root, filepath.FromSlash(p)))
		if err == nil && len(found) > 0 {
			return slices.Max(found)
		}
	}
	return ""
}
