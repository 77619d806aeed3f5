package browser

import (
	"path/filepath"
	"runtime"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// As with Chromium, real binaries come before what is on the PATH.
var (
	firefoxPlaces = []string{
		"/usr/lib/firefox-esr/firefox-esr",
		"/usr/lib/firefox/firefox",
		"/usr/lib64/firefox/firefox",
		"/opt/firefox/firefox",
		"/Applications/Firefox.app/Contents/MacOS/firefox",
	}
	firefoxNames = []string{"firefox-esr", "firefox"}
)

// isFirefox tells whether an engine name, or the path of a binary, means Firefox.
func isFirefox(engine string) bool {
	if strings.ContainsRune(engine, filepath.Separator) {
		return strings.HasPrefix(filepath.Base(engine), "firefox")
	}
	return engine == EngineFirefox
}

// findFirefox is the binary for an engine name that isFirefox.
func findFirefox(engine string) (string, error) {
	if engine != EngineFirefox {
		if !runnable(engine) {
			return "", noFirefox("There is no browser to run at " + engine + ".")
		}
		return engine, nil
	}
	if path := firstRunnable(firefoxPlaces, firefoxNames); path != "" {
		return path, nil
	}
	return "", noFirefox("No Firefox was found on this machine.")
}

func noFirefox(message string) *fault.Error {
	action := "Install one: apt-get install firefox-esr"
	switch runtime.GOOS {
	case "darwin":
		action = "Install one: brew install --cask firefox"
	case "linux":
		if runnable("/usr/bin/dnf") {
			action = "Install one: dnf install firefox"
		}
	}
	return fault.New(fault.Unavailable, "browser_unavailable", message, action)
}
