package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

const (
	maxInputFile  = 16 << 20 // bytes of one base URL file
	maxInputFiles = 1000
	maxSites      = 100_000
)

// Inputs are the rows of the base URL files.
type Inputs struct {
	Sites   []Site
	Skipped []SkippedRow
}

// SkippedRow is a row that cannot be scanned, which CWAC skips with a line in its log.
type SkippedRow struct {
	Place  string // file and line: "urls.csv:3"
	URL    string
	Reason string
}

// LoadSites reads every CSV file of the folder, in the order of their names. Each
// needs the columns organisation, url and sector, and no other. Scheme and host are
// put in lower case; an address without scheme is skipped, as CWAC does.
func LoadSites(dir string) (Inputs, error) {
	var in Inputs
	err := readInputs(dir, []string{"organisation", "url", "sector"}, func(place string, cell func(string) string) error {
		if len(in.Sites)+len(in.Skipped) >= maxSites {
			return fmt.Errorf("there are more than %d base URLs", maxSites)
		}
		s := Site{Organisation: cell("organisation"), URL: strings.TrimSpace(cell("url")), Sector: cell("sector")}
		address, why := lowerHost(s.URL)
		if why != "" {
			in.Skipped = append(in.Skipped, SkippedRow{Place: place, URL: clip(WithoutUser(s.URL), maxLabel), Reason: why})
			return nil
		}
		s.URL = address
		in.Sites = append(in.Sites, s)
		return nil
	})
	return in, err
}

// LoadNoHead reads the addresses that refuse HEAD: every CSV file of the folder, with
// the column url. A folder that is not there has none.
func LoadNoHead(dir string) ([]string, error) {
	var urls []string
	err := readInputs(dir, []string{"url"}, func(_ string, cell func(string) string) error {
		if len(urls) >= maxSites {
			return fmt.Errorf("there are more than %d addresses", maxSites)
		}
		if address, why := lowerHost(strings.TrimSpace(cell("url"))); why == "" {
			urls = append(urls, address)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return urls, err
}

// lowerHost puts scheme and host in lower case and leaves the rest as it is written.
func lowerHost(address string) (lowered, why string) {
	if len(address) > maxLabel {
		return "", "the address is too long"
	}
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok || scheme == "" {
		return "", "the address has no scheme; write https:// before it"
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return "", "this is no address"
	case u.User != nil: // results and reports would show it to everybody
		return "", "the address holds a user name or a password; put them into a login"
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	return strings.ToLower(scheme) + "://" + strings.ToLower(rest[:end]) + rest[end:], ""
}

// userOf is who is named in an address, with a password or without.
var userOf = lazyregexp.New(`//[^/?#]*@`)

// WithoutUser hides a user and a password in an address, so that an error can show it.
func WithoutUser(address string) string { return userOf.ReplaceAllString(address, "//***@") }

// readInputs calls each for every row of every CSV file of a folder. It follows no
// link out of the folder.
func readInputs(dir string, columns []string, each func(place string, cell func(string) string) error) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fault.New(fault.Invalid, "base_urls_no_folder", "The place of base URL files "+filepath.Base(dir)+" is no folder.",
			"Name the folder that holds it: every CSV file in there is read.")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return inputFault(filepath.Base(dir), err)
	}
	defer func() { _ = root.Close() }() // it was only read
	names, err := fs.Glob(root.FS(), "*.csv")
	if err != nil {
		return inputFault(filepath.Base(dir), err)
	}
	// As for CWAC a file whose name begins with a dot is none: those are of the system.
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, ".") })
	if len(names) > maxInputFiles {
		return inputFault(filepath.Base(dir), fmt.Errorf("there are more than %d files", maxInputFiles))
	}
	slices.Sort(names)
	for _, name := range names {
		if err := readInput(root, name, columns, each); err != nil {
			return inputFault(name, err)
		}
	}
	return nil
}

func readInput(root *os.Root, name string, columns []string, each func(string, func(string) string) error) error {
	f, err := openRegular(root, name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	rows := newRowReader(io.LimitReader(f, maxInputFile+1))
	var header []string
	for total := 0; ; {
		row, err := rows.read()
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, errUnfinished) { // people leave out the last line end
			return err
		}
		switch {
		case rows.quoted:
			return fmt.Errorf("line %d: a quote is not closed", rows.line)
		case rows.alien: // else names of organisations would be changed without a word
			return fmt.Errorf("line %d is not in UTF-8; save the file as CSV UTF-8", rows.line)
		}
		if total += rows.size; total > maxInputFile {
			return fmt.Errorf("the file has more than %d bytes", maxInputFile)
		}
		if header == nil {
			if header = row; !slices.Equal(slices.Sorted(slices.Values(row)), slices.Sorted(slices.Values(columns))) {
				return fmt.Errorf("line 1: the header must be %s, and is %.100q", strings.Join(columns, ","), strings.Join(row, ","))
			}
			continue
		}
		if len(row) != len(columns) {
			return fmt.Errorf("line %d: there must be %d fields (%s), and there are %d; quote a field that has a comma",
				rows.line, len(columns), strings.Join(header, ","), len(row))
		}
		cell := func(column string) string { return row[slices.Index(header, column)] }
		if err := each(fmt.Sprintf("%s:%d", name, rows.line), cell); err != nil {
			return err
		}
	}
}

// openRegular opens a file below root, never a pipe or device, on which a read could
// hang.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	return root.Open(name)
}

func inputFault(name string, err error) error {
	var pathError *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "base_urls_missing", "The base URL files "+name+" do not exist.",
			"Make the folder that base_urls_visit_path names, with a CSV file of organisation,url,sector in it.").WithCause(err)
	case errors.As(err, &pathError):
		return fault.New(fault.Unavailable, "base_urls_unreadable", "The base URL file "+name+" cannot be read: "+pathError.Err.Error()+".",
			"Let this user read it, as a plain file inside of its folder.").WithCause(err)
	}
	return fault.New(fault.Invalid, "base_urls_invalid", "The base URL file "+name+" is wrong: "+err.Error()+".",
		"Correct the file.").WithCause(err)
}

// WriteSites writes a base URL file with the rows. Its folder must be there.
func WriteSites(path string, sites []Site) error {
	var b strings.Builder
	appendRow(&b, crlf, []string{"organisation", "url", "sector"})
	for _, s := range sites {
		appendRow(&b, crlf, []string{clip(s.Organisation, maxLabel), clip(s.URL, maxLabel), clip(s.Sector, maxLabel)})
	}
	if err := replaceFile(path, []byte(b.String()), 0o644); err != nil {
		return diskFault("write "+filepath.Base(path), err)
	}
	return nil
}

// InBaseURLs finds the folder that a configuration names as the place of its base
// URL files, below root, the folder of the installation. As CWAC does it refuses one
// that is not inside of base_urls, links followed.
func InBaseURLs(root, path string) (string, error) {
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(root, path)
	}
	base, err := filepath.EvalSymlinks(filepath.Join(root, "base_urls"))
	if err != nil {
		return "", inputFault("base_urls", err)
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return "", inputFault(path, err)
	}
	if inside, err := filepath.Rel(base, real); err != nil || !filepath.IsLocal(inside) {
		return "", fault.New(fault.Invalid, "base_urls_outside", "The folder "+path+" is not inside of base_urls.",
			"Put the base URL files into a folder below base_urls.")
	}
	return real, nil
}
