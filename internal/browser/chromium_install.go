package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// binary is an installed Chromium.
type binary struct {
	path string
	// shell is true for chromium-headless-shell, which has no windows and
	// needs half the processor time and memory.
	shell bool
}

// Distributions put wrapper scripts on the PATH that stay in front of the real
// process, so that a signal to them misses it: real binaries come first.
var (
	shellPlaces = []string{
		"/usr/lib/chromium/chromium-headless-shell",
		"/usr/lib64/chromium-browser/headless_shell",
		"/usr/lib/chromium-browser/headless_shell",
	}
	chromePlaces = []string{
		"/usr/lib/chromium/chromium",
		"/usr/lib64/chromium-browser/chromium-browser",
		"/usr/lib/chromium-browser/chromium-browser",
		"/opt/google/chrome/chrome",
	}
	macPlaces = []string{
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
	}
	shellNames  = []string{"chromium-headless-shell", "chrome-headless-shell", "headless_shell"}
	chromeNames = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}
)

// findBinary picks the binary for an engine name. Windows need full Chromium.
func findBinary(engine string, headed bool) (binary, error) {
	if strings.ContainsRune(engine, filepath.Separator) {
		if !runnable(engine) {
			return binary{}, missing(fmt.Sprintf("There is no browser to run at %s.", engine), headed)
		}
		return binary{path: engine, shell: strings.Contains(filepath.Base(engine), "shell")}, nil
	}
	wantShell := engine == EngineHeadlessShell || (engine == EngineAny && !headed)
	wantChrome := engine == EngineChromium || engine == EngineAny
	if !wantShell && !wantChrome {
		return binary{}, fault.New(fault.Invalid, "", fmt.Sprintf("The browser engine %q is not known.", engine),
			"Use chromium, chromium-headless-shell or the path of a Chromium binary.")
	}
	if engine == EngineHeadlessShell && headed {
		return binary{}, fault.New(fault.Invalid, "engine_unsupported", "chromium-headless-shell cannot show a window.",
			"Use the engine chromium for a headed run.")
	}
	if wantShell {
		if path := firstRunnable(shellPlaces, shellNames); path != "" {
			return binary{path: path, shell: true}, nil
		}
	}
	if wantChrome {
		if path := firstRunnable(append(chromePlaces, macPlaces...), chromeNames); path != "" {
			return binary{path: path}, nil
		}
	}
	if !wantShell {
		return binary{}, missing("No full Chromium was found on this machine.", true)
	}
	return binary{}, missing("No Chromium was found on this machine.", false)
}

func firstRunnable(places, names []string) string {
	for _, path := range places {
		if runnable(path) {
			return path
		}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func runnable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// missing says how to get Chromium. The headless shell is enough for all but windows,
// and for those who ask for the full one by its name.
func missing(message string, full bool) *fault.Error {
	deb, rpm := "chromium-headless-shell", "chromium-headless"
	if full {
		deb, rpm = "chromium", "chromium"
	}
	action := "Install one: apt-get install " + deb
	switch runtime.GOOS {
	case "darwin":
		action = "Install one: brew install --cask chromium"
	case "windows":
		action = "Run the browser part on Linux or macOS; it needs pipes that Windows does not offer here."
	case "linux":
		if runnable("/usr/bin/dnf") {
			action = "Install one: dnf install " + rpm
		}
	}
	return fault.New(fault.Unavailable, "browser_unavailable", message, action)
}
