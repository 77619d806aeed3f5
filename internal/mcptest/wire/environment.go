package wire

import (
	"crypto/rand"
	"errors"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// InheritedNames are the names of the environment of this program that a child gets:
// what programs need in order to run, and nothing that is likely to be a secret. The
// first ones are those that the official SDKs pass on.
func InheritedNames() []string {
	names := []string{
		"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
		"LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	}
	if runtime.GOOS == "windows" {
		names = append(names, "APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE",
			"PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE")
	}
	return names
}

// childEnvironment is what a child gets: the inherited names, and over them the
// target's own.
func childEnvironment(environ []string, own map[string]string) (env, names []string) {
	all := map[string]string{}
	inherited := InheritedNames()
	for _, line := range environ {
		name, value, ok := strings.Cut(line, "=")
		if ok && slices.Contains(inherited, canonicalName(name)) {
			all[name] = value
		}
	}
	maps.Copy(all, own)
	names = slices.Sorted(maps.Keys(all))
	for _, name := range names {
		env = append(env, name+"="+all[name])
	}
	return env, names
}

// markName is the variable by which the processes of a child are known, also those that
// left its group and whose parents have ended.
const markName = "LEGWORK_MCPTEST_CHILD"

// newMark is a line of the environment that no other child has.
func newMark() string { return markName + "=" + rand.Text() }

// canonicalName is a name as the list has it: they have no case on Windows.
func canonicalName(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// findProgram looks a command up in the PATH that the child will have, or as a path
// from its directory.
func findProgram(command, dir string, env []string) (string, error) {
	if command == "" {
		return "", errors.New("the command is empty")
	}
	if strings.ContainsAny(command, `/`+string(filepath.Separator)) {
		if !filepath.IsAbs(command) && dir != "" {
			command = filepath.Join(dir, command)
		}
		found, err := exec.LookPath(command)
		if err != nil {
			return "", err
		}
		return filepath.Abs(found)
	}
	path := ""
	for _, line := range env {
		if name, value, _ := strings.Cut(line, "="); canonicalName(name) == "PATH" {
			path = value
		}
	}
	for _, place := range filepath.SplitList(path) {
		if !filepath.IsAbs(place) {
			continue // not from wherever this program happens to be
		}
		if found, err := exec.LookPath(filepath.Join(place, command)); err == nil {
			return found, nil
		}
	}
	return "", &exec.Error{Name: command, Err: errors.New("not in any directory of the child's PATH, " + path)}
}
