package config

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// dotenv reads .env of the working folder, as the specifications do, for the
// names of the specifications. Ours decide what is executed and what may be
// reached: a folder that somebody else wrote must not set them.
func (l *loader) dotenv(in Inputs) {
	data, err := in.ReadFile(".env")
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			l.problem(".env cannot be read: %v", err)
		}
		return
	}
	values := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		name, text, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		name = strings.TrimSpace(name)
		if strings.HasPrefix(name, "LEGWORK_") || name == "CWAC_PATH" || name == "BASE_URL" { // the program of that folder is run; keys are sent to that address
			l.cfg.notes = append(l.cfg.notes, name+" in .env is ignored: set it in the environment or in the settings file")
			continue
		}
		values[name] = unquote(strings.TrimSpace(text))
	}
	l.environment(values, ".env")
}

// unquote takes quotes off, or a comment behind an unquoted value.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			return s[1 : 1+end]
		}
	}
	s, _, _ = strings.Cut(s, " #")
	return strings.TrimSpace(s)
}

// environment applies variables; of several names of a setting the first wins,
// and an empty variable counts as unset.
func (l *loader) environment(values map[string]string, origin string) {
	known := map[string]bool{}
	for _, f := range l.fields {
		for _, name := range f.env {
			known[name] = true
		}
		for _, name := range f.env {
			if text := values[name]; text != "" {
				l.apply(f.name, text, origin+" "+name)
				break
			}
		}
	}
	for _, name := range unread(values, known) {
		l.cfg.notes = append(l.cfg.notes, name+" is set, but nothing reads it: legwork config lists the names of all settings")
	}
}

// unread are set variables of the specifications' servers that nothing reads here.
func unread(values map[string]string, known map[string]bool) []string {
	var out []string
	for name, text := range values {
		ours := strings.HasPrefix(name, "FEDERALRUNNER_") || strings.HasPrefix(name, "FEDERALSCOUT_")
		if ours && text != "" && !known[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func lines(environ []string) map[string]string {
	out := make(map[string]string, len(environ))
	for _, line := range environ {
		if name, value, ok := strings.Cut(line, "="); ok {
			out[name] = value
		}
	}
	return out
}
