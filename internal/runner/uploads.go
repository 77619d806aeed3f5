package runner

import (
	"fmt"
	"io"
	"io/fs"
	"mime"
	"path"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// TypeFile is the error type of a file that the data names and nobody can read.
const TypeFile = "file_not_readable"

// largestUpload is the most bytes of one file; forms take far less.
const largestUpload = 10 << 20

// readUploads reads the files that the answers name by path, before anything is
// opened: a run does not stop half-way for a misspelt name.
func readUploads(from fs.FS, w *wizard.Wizard, answers wizard.Answers) (map[string]page.File, error) {
	out := map[string]page.File{}
	for _, p := range w.Plan(answers) {
		for _, f := range p.Fields {
			if f.Format != "file" {
				continue
			}
			for _, name := range pathsIn(answers[f.FieldID]) {
				file, err := readUpload(from, name)
				if err != nil {
					q := failed(TypeFile, 0, "field %s: the file %q cannot be read: %v", f.FieldID, name, err)
					q.field, q.action = f.FieldID, "Put the file into the uploads folder ('legwork config' names it) and give its path below it, or send name and content_base64."
					return nil, q
				}
				out[name] = file
			}
		}
	}
	return out, nil
}

// pathsIn are the files that a value names by path.
func pathsIn(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, item := range v {
			if s, ok := item.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

func readUpload(from fs.FS, name string) (page.File, error) {
	if from == nil {
		return page.File{}, fmt.Errorf("there is no uploads folder")
	}
	if !fs.ValidPath(name) {
		return page.File{}, fmt.Errorf("the path must stay below the uploads folder")
	}
	f, err := from.Open(name)
	if err != nil {
		return page.File{}, fmt.Errorf("it is not there")
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, largestUpload+1))
	if err != nil {
		return page.File{}, fmt.Errorf("it is no readable file")
	}
	if len(data) > largestUpload {
		return page.File{}, fmt.Errorf("it is larger than 10 MB")
	}
	return page.File{Name: path.Base(name), Type: mime.TypeByExtension(path.Ext(name)), Data: data}, nil
}
