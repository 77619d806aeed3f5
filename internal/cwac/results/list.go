package results

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Folder is what a list of scans says of a results folder.
type Folder struct {
	Name      string
	Path      string
	AuditName string
	Engine    string
	State     string // of a native scan; CWAC does not say
	Start     time.Time
	Audits    []string // that have a file
	Files     int      // below the folder
	Size      int64    // bytes of them
}

const maxFolders = 10_000

// List looks at every folder below the folder for results, the newest first. A folder
// that cannot be read is named in problems. Links are not followed. Without the
// folder for results the error is [fs.ErrNotExist]; the folders of another user are
// [fs.ErrPermission].
func List(resultsDir string) (folders []Folder, problems []string, err error) {
	entries, err := os.ReadDir(resultsDir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if len(folders) == maxFolders {
			problems = append(problems, "there are more folders than are listed")
			break
		}
		r, err := Open(filepath.Join(resultsDir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) { // it was just removed
			continue
		}
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		folders = append(folders, r.folder())
	}
	slices.SortStableFunc(folders, func(a, b Folder) int { return b.Start.Compare(a.Start) })
	return folders, problems, nil
}

func (r *Results) folder() Folder {
	f := Folder{
		Name: r.Name, Path: r.Dir, AuditName: r.AuditName, Engine: r.Engine, Start: r.Start,
		Audits: r.Audits, Files: r.Files, Size: r.Size,
	}
	if r.Scan != nil {
		f.State = r.Scan.State
	}
	return f
}
