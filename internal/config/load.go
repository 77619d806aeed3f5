package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Inputs are everything that settings come from.
type Inputs struct {
	// Environ is the environment as KEY=VALUE lines.
	Environ []string
	// File is the settings file that the command line names; it must exist.
	File string
	// Overrides come from the command line, by the name of the setting.
	Overrides map[string]string
	// ReadFile reads the settings file and .env; nil reads none.
	ReadFile func(name string) ([]byte, error)
}

// loader applies one layer after the other and collects what is wrong.
type loader struct {
	cfg      *Config
	fields   []field
	env      map[string]string
	problems []string
}

// Load returns the whole configuration, or one fault that names everything that
// is wrong with it.
func Load(in Inputs) (*Config, error) {
	l := &loader{cfg: &Config{origins: map[string]string{}}, fields: fieldList(), env: lines(in.Environ)}
	if in.ReadFile == nil {
		in.ReadFile = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	}
	l.defaults()
	l.file(in)
	l.dotenv(in)
	l.environment(l.env, "environment")
	for _, name := range slices.Sorted(maps.Keys(in.Overrides)) {
		l.apply(name, in.Overrides[name], "command line")
	}
	l.folders()
	if len(l.problems) > 0 {
		return nil, fault.New(fault.Invalid, "invalid_settings",
			"The settings cannot be used:\n- "+strings.Join(l.problems, "\n- "),
			"Correct them; 'legwork config' lists every setting with its meaning.")
	}
	return l.cfg, nil
}

func (l *loader) problem(format string, args ...any) {
	l.problems = append(l.problems, fmt.Sprintf(format, args...))
}

// apply sets one setting from one origin.
func (l *loader) apply(name, text, origin string) {
	i := slices.IndexFunc(l.fields, func(f field) bool { return f.name == name })
	if i < 0 {
		l.problem("%s (%s) is not a setting", name, origin)
		return
	}
	if err := l.fields[i].set(l.cfg, text); err != nil {
		l.problem("%s (%s) %v", name, origin, err)
		return
	}
	l.cfg.origins[name] = origin
}

func (l *loader) defaults() {
	for _, f := range l.fields {
		text := f.tag.Get("default")
		if text == "" || strings.HasPrefix(text, "DATA") {
			continue // folders follow the data folder, which is known at the end
		}
		l.apply(f.name, text, "default")
	}
}

// file reads the settings file: the named one, LEGWORK_CONFIG, or the usual place.
func (l *loader) file(in Inputs) {
	path, must := in.File, true
	if path == "" {
		path = l.env["LEGWORK_CONFIG"]
	}
	if path == "" {
		path, must = l.usualFile(), false
	}
	if path == "" {
		return
	}
	data, err := in.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !must:
		return
	case err != nil:
		l.problem("the settings file %s cannot be read: %v", path, err)
		return
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(data, &values); err != nil {
		l.problem("the settings file %s is not a JSON object of settings", path)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		text, ok := scalar(values[name])
		if !ok {
			l.problem("%s (file %s) must be a text, a number, true or false", name, path)
			continue
		}
		l.apply(name, text, "file "+path)
	}
}

func (l *loader) usualFile() string {
	if dir := l.env["XDG_CONFIG_HOME"]; dir != "" {
		return filepath.Join(dir, "legwork", "config.json")
	}
	if home := l.env["HOME"]; home != "" {
		return filepath.Join(home, ".config", "legwork", "config.json")
	}
	return ""
}

// scalar is the text of a JSON string, number or boolean.
func scalar(raw json.RawMessage) (string, bool) {
	raw = bytes.TrimSpace(raw)
	switch raw[0] {
	case '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err == nil
	case '{', '[', 'n':
		return "", false
	}
	return string(raw), true
}

// folders gives the folders that nobody set their place below the data folder.
func (l *loader) folders() {
	c := l.cfg
	if c.DataDir == "" {
		switch {
		case l.env["XDG_DATA_HOME"] != "":
			c.DataDir = filepath.Join(l.env["XDG_DATA_HOME"], "legwork")
		case l.env["HOME"] != "":
			c.DataDir = filepath.Join(l.env["HOME"], ".local", "share", "legwork")
		default:
			l.problem("data_dir is needed, since there is no HOME: set LEGWORK_DATA_DIR")
			return
		}
	}
	for _, f := range l.fields {
		rest, below := strings.CutPrefix(f.tag.Get("default"), "DATA")
		if v := f.value(c); below && v.String() == "" {
			v.SetString(filepath.Join(c.DataDir, rest))
		}
		if below && c.origins[f.name] == "" {
			c.origins[f.name] = "default"
		}
	}
}
