package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

const (
	bom           = "\ufeff"
	maxConfigFile = 1 << 20 // bytes; CWAC's default has 3 KB
	maxThreads    = 64
	maxSide       = 10_000 // CSS pixels of a viewport's side
	maxViewports  = 20
	minSeconds    = 0.001  // of a timeout
	maxSeconds    = 86_400 // of a timeout or a delay; far above it a duration overflows
)

// LoadConfig reads a configuration. Missing keys get CWAC's defaults; everything
// that is wrong is said at once.
func LoadConfig(path string) (Config, error) {
	data, err := readBounded(path, maxConfigFile)
	if err != nil {
		return Config{}, configFault(path, err)
	}
	c, err := ParseConfig(data)
	if err != nil {
		return Config{}, configFault(path, err)
	}
	return c, nil
}

// ParseConfig reads the text of a configuration.
func ParseConfig(data []byte) (Config, error) {
	c, problems, err := parseConfig(data)
	if err == nil {
		err = joined(append(problems, c.problems()...))
	}
	if err != nil {
		return Config{}, err
	}
	return c, nil
}

// parseConfig reads what can be read. A key of the wrong type is a problem, and has
// its default.
func parseConfig(data []byte) (Config, []string, error) {
	c := DefaultConfig()
	data = bytes.TrimPrefix(data, []byte(bom))
	if !utf8.Valid(data) { // else filters and names would be changed without a word
		return Config{}, nil, errNotJSON{errors.New("it is not in UTF-8; save it as UTF-8")}
	}
	if err := json.Unmarshal(data, &c.source); err != nil {
		return Config{}, nil, errNotJSON{fmt.Errorf("it is not a JSON object: %s%w", lineOf(data, err), err)}
	}
	return c, decodeFields(c.source, append(c.fields(), field{"legwork", &c.Legwork, true})), nil
}

// errNotJSON is what is wrong with a configuration as a whole, and not with its keys.
type errNotJSON struct{ error }

// lineOf says in which line JSON ends to be one; empty when that is not known.
func lineOf(data []byte, err error) string {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) || len(bytes.TrimSpace(data)) == 0 {
		return ""
	}
	return fmt.Sprintf("line %d: ", 1+bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n")))
}

func configFault(path string, err error) error {
	name := filepath.Base(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, "config_missing", "The configuration "+name+" does not exist.",
			"Name a file of the config folder.").WithCause(err)
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return fault.New(fault.Unavailable, "config_unreadable", "The configuration "+name+" cannot be read: "+pathError.Err.Error()+".",
			"Let this user read the file.").WithCause(err)
	}
	if errors.As(err, new(errNotJSON)) {
		return fault.New(fault.Invalid, "config_invalid", "The configuration "+name+" cannot be read: "+err.Error()+".",
			"Correct the file: it holds one JSON object, without comments and without a comma after the last member.").WithCause(err)
	}
	return fault.New(fault.Invalid, "config_invalid", "The configuration "+name+" is wrong: "+err.Error()+".",
		"Correct these keys; every other key is right or has its default.").WithCause(err)
}

// Check is the fault with everything that is wrong with c, or nil.
func (c *Config) Check() error {
	if err := joined(c.problems()); err != nil {
		return fault.New(fault.Invalid, "config_invalid", "The configuration is wrong: "+err.Error()+".", "Correct these settings.")
	}
	return nil
}

func (c *Config) problems() []string {
	var problems []string
	add := func(bad bool, format string, args ...any) {
		if bad {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	add(c.MaxLinksPerDomain < 1, "max_links_per_domain must be at least 1, and is %d", c.MaxLinksPerDomain)
	add(c.ThreadCount < 1 || c.ThreadCount > maxThreads, "thread_count must be 1 to %d, and is %d", maxThreads, c.ThreadCount)
	add(c.ScriptTimeout < minSeconds || c.ScriptTimeout > maxSeconds, "script_timeout must be %v to %d seconds, and is %v", minSeconds, maxSeconds, c.ScriptTimeout)
	add(c.PageLoadTimeout < minSeconds || c.PageLoadTimeout > maxSeconds, "page_load_timeout must be %v to %d seconds, and is %v", minSeconds, maxSeconds, c.PageLoadTimeout)
	add(min(c.DelayPageLoads, c.DelayViewports, c.DelayAfterLoad) < 0 || max(c.DelayPageLoads, c.DelayViewports, c.DelayAfterLoad) > maxSeconds,
		"delays must be 0 to %d seconds", maxSeconds)
	add(strings.ContainsFunc(c.UserAgent, unicode.IsControl), "user_agent must not have control characters, such as a line end")
	add(!slices.Contains([]string{"", "keep", "dismiss"}, c.Legwork.Consent), "legwork.consent must be keep or dismiss, and is %q", c.Legwork.Consent)
	add(!slices.Contains([]string{"", "allow", "disallow"}, c.Legwork.Robots), "legwork.robots must be allow or disallow, and is %q", c.Legwork.Robots)
	problems = append(problems, c.Viewports.problems()...)
	return append(problems, c.pluginProblems()...)
}

// viewportName keeps names usable in the file names of screenshots.
var viewportName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_. -]{0,49}$`)

func (v Viewports) problems() []string {
	var problems []string
	if len(v) == 0 || len(v) > maxViewports {
		problems = append(problems, fmt.Sprintf("viewport_sizes must name 1 to %d viewports", maxViewports))
	}
	named := map[string]bool{}
	for _, p := range v {
		if named[p.Name] { // every fault would count twice
			problems = append(problems, fmt.Sprintf("viewport_sizes names %.60q twice", p.Name))
		}
		named[p.Name] = true
		if !viewportName.MatchString(p.Name) {
			problems = append(problems, fmt.Sprintf("viewport_sizes: the name %.60q must be 1 to 50 letters, digits, spaces, and . _ -", p.Name))
		}
		if p.Width < 1 || p.Width > maxSide || p.Height < 1 || p.Height > maxSide {
			problems = append(problems, fmt.Sprintf("viewport_sizes: %.60q must be 1 to %d pixels wide and high, and is %d x %d", p.Name, maxSide, p.Width, p.Height))
		}
	}
	return problems
}

// pluginName is what CWAC can import: a Python module.
var pluginName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

func (c *Config) pluginProblems() []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for _, p := range c.Plugins {
		if !pluginName.MatchString(p.Name) {
			add("audit_plugins: the name %.60q is no name of a plugin", p.Name)
		}
		if p.Enabled && p.Viewport != "" { // CWAC would never run it, and say nothing
			if _, ok := c.Viewports.Named(p.Viewport); !ok {
				add("audit_plugins: %s has viewport_to_test %.60q, which viewport_sizes does not name", p.Name, p.Viewport)
			}
		}
		if p.PreTabs < 0 || p.MaxTabs < 0 {
			add("audit_plugins: %s must not have numbers of key presses below 0", p.Name)
		}
	}
	return problems
}

// Redacted is a copy without its secrets, for files that others read.
func (c *Config) Redacted() Config {
	copied := *c
	if len(copied.Legwork.Login) > 0 {
		copied.Legwork.Login = json.RawMessage(`{"redacted":true}`)
	}
	return copied
}

// MarshalJSON writes the keys in the order in which they were read, and then those
// that were missing.
func (c Config) MarshalJSON() ([]byte, error) {
	o, err := encodeFields(c.source, c.fields())
	if err != nil {
		return nil, err
	}
	raw, err := c.Legwork.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if _, ok := o.get("legwork"); ok || string(raw) != "{}" {
		o.set("legwork", raw)
	}
	return o.MarshalJSON()
}

// UnmarshalJSON reads a configuration as [ParseConfig] does.
func (c *Config) UnmarshalJSON(data []byte) error {
	parsed, err := ParseConfig(data)
	if err != nil {
		return err
	}
	*c = parsed
	return nil
}

// text is the file as CWAC writes it into a results folder: with a byte order
// mark, indented by four spaces, without a last line end.
func (c *Config) text() ([]byte, error) {
	raw, err := c.MarshalJSON()
	if err != nil {
		return nil, err
	}
	b := bytes.NewBufferString(bom)
	if err := json.Indent(b, raw, "", "    "); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Save writes the configuration to a file that only its owner can read: it may
// hold a login.
func (c *Config) Save(path string) error {
	text, err := c.text()
	if err != nil {
		return fmt.Errorf("encode the configuration: %w", err)
	}
	if err := replaceFile(path, text, 0o600); err != nil {
		return fmt.Errorf("save the configuration: %w", err)
	}
	return nil
}

func readBounded(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("it has %d bytes, more than the %d that are read", info.Size(), limit)
	}
	return os.ReadFile(path)
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, data []byte, mode fs.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // it is gone after the rename
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Chmod(mode), temp.Close())
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
