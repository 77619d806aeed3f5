package cli

import (
	"fmt"
	"runtime/debug"
)

// release is set by the build: -ldflags "-X .../internal/cli.release=1.2.3".
var release = "0.1.0-dev"

// Version is the release, with the commit when the build knows it.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return release + "+" + s.Value[:12]
		}
	}
	return release
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(a *app) error {
	_, err := fmt.Fprintln(a.std.Out, "legwork", Version())
	return err
}
