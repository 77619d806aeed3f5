package cwac

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var listScans = tool.New(tool.Spec{
	Name: "cwac_list_scans", Title: "List scans",
	Description: "List the scans whose results are kept, the newest first, those that still run included.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeRead, Rate: rateRead, Timeout: time.Minute, Budget: 20 << 10,
	Outline:  []string{"scans", "total_scans", "results_directory", "note"},
	Examples: []tool.Example{{Name: "all", Args: ListIn{}}},
}, (*Server).listScans)

// ListIn takes nothing.
type ListIn struct{}

// ListOut are the scans.
type ListOut struct {
	Scans      []ScanItem `json:"scans"`
	Total      int        `json:"total_scans"`
	Directory  string     `json:"results_directory"`
	Note       string     `json:"note,omitempty"`
	LeftOut    int        `json:"left_out,omitempty" jsonschema:"older ones that do not fit"`
	Unreadable []string   `json:"unreadable,omitempty"`
}

// ScanItem is one results folder, or a scan that has none yet.
type ScanItem struct {
	ScanID     string   `json:"scan_id,omitempty" jsonschema:"what other tools take; also the name, for folders of a command line"`
	Name       string   `json:"name"`
	AuditName  string   `json:"audit_name,omitempty"`
	Status     string   `json:"status,omitempty"`
	Timestamp  string   `json:"timestamp"`
	Path       string   `json:"path"`
	AuditTypes []string `json:"audit_types"`
	Files      int      `json:"file_count"`
	Size       int64    `json:"size_bytes"`
}

// maxListed is how many scans an answer holds, so that it stays small.
const maxListed = 25

// Text is what a model reads.
func (o ListOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s", many(o.Total, "scan"), o.Directory)
	if o.Note != "" {
		b.WriteString("\n" + o.Note)
	}
	for _, x := range o.Scans {
		fmt.Fprintf(&b, "\n- %s %s", x.Timestamp, x.ScanID)
		if x.AuditName != "" {
			b.WriteString(" (" + x.AuditName + ")")
		}
		if x.Status != "" {
			b.WriteString(" " + x.Status)
		}
		fmt.Fprintf(&b, ", %d audits, %d files, %d kB", len(x.AuditTypes), x.Files, x.Size/1000)
	}
	if o.LeftOut > 0 {
		fmt.Fprintf(&b, "\n%d older ones are left out", o.LeftOut)
	}
	return b.String()
}

func (s *Server) listScans(ctx context.Context, _ ListIn) (ListOut, error) {
	s.tidy()
	out := ListOut{Scans: []ScanItem{}, Directory: slashed(filepath.Join(s.roots()[len(s.roots())-1], "results"))}
	folders := map[string]results.Folder{}
	for _, root := range s.roots() {
		dir := filepath.Join(root, "results")
		list, problems, err := results.List(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return out, fault.New(fault.Unavailable, "results_unreadable", "Cannot read results directory: "+reason(err), "Check the permissions of "+dir+".").WithCause(err)
		}
		for _, f := range list {
			folders[f.Path] = f
		}
		if tool.Caller(ctx).IsLocal() {
			out.Unreadable = append(out.Unreadable, problems...)
		}
	}
	items, err := s.registered(ctx, folders)
	if err != nil {
		return out, err
	}
	if tool.Caller(ctx).IsLocal() { // what a command line made belongs to the user of this machine
		for _, f := range folders {
			x := itemOf(f)
			x.ScanID = f.Name
			if f.State == results.StateRunning {
				x.Status = (&scan{dir: f.Path, now: s.clock()}).recorded()
			}
			items = append(items, x)
		}
	}
	slices.SortFunc(items, func(a, b ScanItem) int {
		if c := strings.Compare(b.Timestamp, a.Timestamp); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	out.Total = len(items)
	if out.Total == 0 {
		out.Note = "There are no results yet: cwac_scan makes some."
	}
	if out.LeftOut = max(0, len(items)-maxListed); out.LeftOut > 0 {
		items = items[:maxListed]
	}
	out.Scans = append(out.Scans, items...)
	out.Unreadable = out.Unreadable[:min(len(out.Unreadable), 5)]
	return out, nil
}

// registered are the caller's scans. Folders of anybody's scans are taken out of
// those that were found.
func (s *Server) registered(ctx context.Context, folders map[string]results.Folder) ([]ScanItem, error) {
	all, err := s.reg.all()
	if err != nil {
		return nil, err
	}
	var items []ScanItem
	for _, rec := range all {
		x, err := s.look(rec)
		if err != nil {
			continue // its files cannot be read: it must not hide the others
		}
		f, there := folders[x.dir]
		delete(folders, x.dir)
		if rec.Owner != owner(ctx) {
			continue
		}
		item := ScanItem{Name: rec.Name, Timestamp: local(rec.Created), AuditTypes: []string{}}
		if there {
			item = itemOf(f)
		}
		item.ScanID, item.AuditName, item.Status = rec.ID, rec.AuditName, x.status
		items = append(items, item)
	}
	return items, nil
}

func itemOf(f results.Folder) ScanItem {
	x := ScanItem{Name: f.Name, AuditName: site(f.AuditName, 80), Status: f.State, Timestamp: local(f.Start), Path: slashed(f.Path), AuditTypes: f.Audits, Files: f.Files, Size: f.Size}
	if x.AuditTypes == nil {
		x.AuditTypes = []string{}
	}
	return x
}

// local is a moment as the specification writes it: the time of this machine, as in
// the names of the folders.
func local(t time.Time) string { return t.Local().Format("2006-01-02T15:04:05") }

// reason is the last part of a file error, without its path.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return "it is not readable"
}
