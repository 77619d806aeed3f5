package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// sensible refuses flags that would do nothing, before anything is started: whoever gives
// them expects something of them.
func (c *checkCmd) sensible(t wire.Target) error {
	wrong := func(what, action string) error { return fault.New(fault.Invalid, "invalid_flags", what, action) }
	if c.Timeout <= 0 {
		return wrong("--timeout is no time.", "Give how long it may take, such as 90s or 5m.")
	}
	if len(c.Env) > 0 && t.URL != "" {
		return wrong("--env is for a command.", "Leave it out, or give an address its secrets with --header.")
	}
	if len(c.Header) > 0 && t.URL == "" {
		return wrong("--header is for an address.", "Leave it out, or give a command its secrets with --env.")
	}
	for flag, given := range c.idle() {
		if given {
			return wrong(flag+" does nothing with "+c.mode()+".", "Leave one of them out.")
		}
	}
	if c.HTML != "" && c.HTML == c.JUnit {
		return wrong("--html and --junit name the same file.", "Name two files.")
	}
	for _, file := range []string{c.HTML, c.JUnit, c.Record, c.Snapshot} {
		if file == "" {
			continue
		}
		if err := replaceable(file); err != nil {
			return notWritable(file, err)
		}
	}
	return nil
}

// mode is the flag that says what is done in place of a check; empty when nothing is.
func (c *checkCmd) mode() string {
	for flag, file := range map[string]string{"--suite": c.Suite, "--record": c.Record, "--snapshot": c.Snapshot, "--compare": c.Compare} {
		if file != "" {
			return flag
		}
	}
	return ""
}

// idle are the flags that the mode has no use for, and whether they are given.
func (c *checkCmd) idle() map[string]bool {
	mode := c.mode()
	if mode == "" {
		return nil
	}
	calls := mode == "--record"
	return map[string]bool{
		"--html": c.HTML != "", "--no-probes": c.NoProbes, "--conformance": c.Conformance,
		"--junit": c.JUnit != "" && mode != "--suite", "--json": c.JSON && mode != "--suite" && mode != "--compare",
		"--allow-tool": len(c.AllowTool) > 0 && !calls, "--allow-all": c.AllowAll && !calls,
	}
}

// address says what is wrong with a word that is meant to be an address; empty is nothing.
func address(word string) string {
	scheme, _, is := strings.Cut(word, "://")
	switch {
	case word == "":
		return "The address, or the command, is empty."
	case is && scheme != "http" && scheme != "https":
		return "The address " + word + " does not begin with https:// or http://."
	}
	return ""
}

// replaceable says why a file cannot be written, without writing it.
func replaceable(file string) error {
	if _, err := os.Stat(file); err == nil {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil || !regular(file) {
			return err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".legwork-*")
	if err != nil {
		return err
	}
	_ = f.Close() // it is empty
	return os.Remove(f.Name())
}

// regular is false for what is there and no plain file, such as /dev/stdout.
func regular(file string) bool {
	info, err := os.Stat(file)
	return err != nil || info.Mode().IsRegular()
}

func notWritable(file string, err error) error {
	reason := err.Error()
	var at *fs.PathError
	if errors.As(err, &at) {
		reason = at.Err.Error() // the file is named already
	}
	return fault.New(fault.Invalid, "not_writable", "The report cannot be written to "+file+": "+reason+".", "Name a file in a folder that exists and has room.").WithCause(err)
}
