package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// format is one way to write a report.
type format struct {
	name, file string
	write      func(*Report, io.Writer) error
}

// formats are in the order in which people see them.
var formats = []format{
	{"data", "report_data.json", (*Report).Data},
	{"leaderboard", "leaderboard.csv", (*Report).Leaderboard},
	{"html", "report.html", (*Report).HTML},
	{"markdown", "report.md", (*Report).Markdown},
	{"sarif", "report.sarif", (*Report).SARIF},
	{"junit", "junit.xml", (*Report).JUnit},
	{"earl", "earl.jsonld", (*Report).EARL},
	{"json", "report.json", (*Report).JSON},
	{"csv", "issues.csv", (*Report).CSV},
}

// Formats are the names that [Report.Encode] and [Report.Write] take.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// FormatName is the name of a format that may be written in short, in capitals or with
// white space around, and whether there is such a format.
func FormatName(name string) (string, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if full, ok := map[string]string{"md": "markdown", "htm": "html", "xml": "junit"}[name]; ok {
		name = full
	}
	return name, slices.Contains(Formats(), name)
}

func formatNamed(name string) (format, error) {
	full, ok := FormatName(name)
	at := slices.IndexFunc(formats, func(f format) bool { return f.name == full })
	if !ok {
		return format{}, fault.New(fault.Invalid, "report_format", fmt.Sprintf("There is no report format %q.", name),
			"Use one of: "+strings.Join(Formats(), ", ")+".")
	}
	return formats[at], nil
}

// Encode writes the report in one format.
func (rep *Report) Encode(w io.Writer, name string) error {
	f, err := formatNamed(name)
	if err != nil {
		return err
	}
	if err := f.write(rep, w); err != nil {
		return fmt.Errorf("write the report as %s: %w", f.name, err)
	}
	return nil
}

// Write makes the files of the formats in a folder, and returns their paths. Each
// file is there whole or not at all.
func (rep *Report) Write(dir string, names []string) ([]string, error) {
	var chosen []format
	for _, name := range names {
		f, err := formatNamed(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, f)
	}
	var paths []string
	for _, f := range chosen {
		var b bytes.Buffer
		if err := f.write(rep, &b); err != nil {
			return paths, fmt.Errorf("write the report as %s: %w", f.name, err)
		}
		path, err := WriteFile(dir, File{f.file, b.Bytes()})
		if err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// WriteFile puts a file into the folder in one step. It replaces a link of that name
// and does not follow it.
func WriteFile(dir string, f File) (path string, err error) {
	failed := func(err error) error {
		return fault.New(fault.Unavailable, "report_unwritable", "The report "+f.Name+" cannot be written to "+filepath.Base(dir)+".",
			"See that the disk has space and the folder can be written to.").WithCause(err)
	}
	path = filepath.Join(dir, filepath.Base(f.Name))
	out, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return "", failed(err)
	}
	_, err = out.Write(f.Data)
	if err == nil {
		err = out.Chmod(0o644)
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(out.Name(), path)
	}
	if err != nil {
		_ = os.Remove(out.Name()) // the first error is the one to tell
		return "", failed(err)
	}
	return path, nil
}
