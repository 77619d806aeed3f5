package browser

import (
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// webkitKind is one port of WebKit with the programs that it needs.
type webkitKind struct {
	name    string
	driver  string // the WebDriver program
	browser string // what the driver starts
	option  string // the capability that names the browser
	screen  string // the X server for windows that nobody sees; empty when none is needed
}

// gtkOption is the capability that says how WebKitGTK's driver starts its browser.
const gtkOption = "webkitgtk:browserOptions"

// The places of the browsers that are made for automation. They are on no PATH.
var (
	miniBrowsers = []string{
		"/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
		"/usr/lib/*/webkitgtk-6.0/MiniBrowser", "/usr/libexec/webkitgtk-6.0/MiniBrowser",
		"/usr/lib/webkit2gtk-4.1/MiniBrowser", "/usr/lib/*/webkit2gtk-4.0/MiniBrowser",
	}
)

// isWebKit tells whether an engine's name is one of WebKit's.
func isWebKit(engine string) bool {
	return engine == EngineWebKit || engine == EngineWebKitGTK || engine == EngineWPE
}

// findWebKit picks the port: WebKitGTK, which its distributions keep current, before
// WPE.
func findWebKit(engine string, headed bool) (webkitKind, error) {
	if runtime.GOOS != "linux" {
		return webkitKind{}, fault.New(fault.Unavailable, "browser_unavailable", "WebKit can be driven on Linux only.",
			"Use another engine here, or run the browser part on Linux.")
	}
	var gtk, wpe webkitKind
	if engine != EngineWPE {
		gtk = webkitKind{name: EngineWebKitGTK, driver: program("WebKitWebDriver"), browser: firstPlace(miniBrowsers), option: gtkOption}
		if !headed {
			gtk.screen = program("Xvfb")
		}
		if gtk.driver != "" && gtk.browser != "" && (headed || gtk.screen != "") {
			return gtk, nil
		}
	}
	if engine != EngineWebKitGTK && !headed {
		wpe = webkitKind{name: EngineWPE, driver: program("WPEWebDriver"), browser: program("cog"), option: "wpe:browserOptions"}
		if wpe.driver != "" && wpe.browser != "" {
			return wpe, nil
		}
	}
	if engine == EngineWPE && headed {
		return webkitKind{}, fault.New(fault.Invalid, "engine_unsupported", "WPE WebKit shows no window here.", "Use the engine webkitgtk for a headed run.")
	}
	if engine == EngineWPE {
		return webkitKind{}, webkitMissing("wpewebkit-driver cog", map[string]string{"WPEWebDriver": wpe.driver, "cog": wpe.browser})
	}
	parts := map[string]string{"WebKitWebDriver": gtk.driver, "MiniBrowser": gtk.browser}
	if !headed {
		parts["Xvfb"] = gtk.screen
	}
	return webkitKind{}, webkitMissing("webkit2gtk-driver xvfb", parts)
}

// webkitMissing names the programs that were not found: often there is only no screen.
func webkitMissing(packages string, found map[string]string) *fault.Error {
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if found[name] == "" {
			missing = append(missing, name)
		}
	}
	return fault.New(fault.Unavailable, "browser_unavailable", "No WebKit that can be driven was found on this machine: there is no "+strings.Join(missing, " and no ")+".",
		"Install one: apt-get install "+packages)
}

func program(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}

// firstPlace is the first file that one of the patterns finds and that can run.
func firstPlace(patterns []string) string {
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			continue
		}
		for _, path := range found {
			if runnable(path) {
				return path
			}
		}
	}
	return ""
}
