package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// exportTime is how long the report script may take, as the specification has it.
const exportTime = 120 * time.Second

// printed is how much of what the report script prints is kept.
const printed = 4 << 10

// Export runs the report script on a results folder of the installation, named
// without its path, and returns the paths of the files that it made. An installation
// of contract C has no script: the error is the fault report_script_not_found.
func (i *Install) Export(ctx context.Context, python, folder string, env []string) ([]string, error) {
	if i.Contract == results.ContractC {
		return nil, fault.New(fault.Unsupported, "report_script_not_found", exporter+" not found in CWAC directory",
			"This version of CWAC makes no reports: the native formats can be used.")
	}
	out := filepath.Join(i.Root, "reports", folder)
	if i.Contract == results.ContractB {
		out = filepath.Join(i.Root, "results", folder)
	}
	before := stamps(out)
	limited, cancel := context.WithTimeout(ctx, i.ReportTime)
	defer cancel()
	cmd := exec.CommandContext(limited, python, "-u", exporter, folder)
	cmd.Dir, cmd.Env, cmd.WaitDelay = i.Root, env, time.Second
	var words ending
	cmd.Stderr = &words
	if err := cmd.Run(); err != nil {
		if errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
			return nil, fault.New(fault.Timeout, "report_timeout", fmt.Sprintf("Report generation timed out after %d seconds", int(i.ReportTime.Seconds())),
				"Try again, or ask for the native formats.").WithCause(err)
		}
		return nil, fault.New(fault.Failed, "report_failed", "Report generation failed: "+words.last(), "Ask for the native formats, or run the script by hand to see more.").WithCause(err)
	}
	var made []string
	for name, stamp := range stamps(out) {
		if before[name] != stamp {
			made = append(made, filepath.Join(out, name))
		}
	}
	slices.Sort(made)
	return made, nil
}

// stamp tells whether a file was written again.
type stamp struct {
	size int64
	at   time.Time
}

func stamps(dir string) map[string]stamp {
	out := map[string]stamp{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return out // it comes with the first report
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			out[e.Name()] = stamp{info.Size(), info.ModTime()}
		}
	}
	return out
}

// ending keeps the end of what is written to it.
type ending struct{ text []byte }

// Write takes everything and keeps the last of it.
func (e *ending) Write(p []byte) (int, error) {
	e.text = append(e.text, p...)
	if extra := len(e.text) - printed; extra > 0 {
		e.text = slices.Delete(e.text, 0, extra)
	}
	return len(p), nil
}

// last is the last line, without what moves a cursor: it may quote a page.
func (e *ending) last() string {
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(e.text), "?")), "\n")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, lines[len(lines)-1])
}
