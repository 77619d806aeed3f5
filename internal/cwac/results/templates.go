package results

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// template is one row of the template-aware file: equal issues of one base URL at one
// viewport, which usually come from the template of its pages.
type template struct {
	cells  []string // of the first of its rows
	pages  map[string]bool
	issues int
	key    []string
}

// templateTable groups the rows of axe_core_audit.csv.
type templateTable struct {
	t      *table
	groups map[string]*template
	clean  [][]string
}

// writeTemplates makes the template-aware file from the rows of the axe audit, if
// there are any.
func (w *Writer) writeTemplates() error {
	f, err := os.Open(filepath.Join(w.dir, AuditAxe+".csv"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return diskFault("read "+AuditAxe, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := templates(f, w.config.Legwork.Compat)
	if err != nil {
		return fmt.Errorf("group %s.csv: %w", AuditAxe, err)
	}
	if err := replaceFile(filepath.Join(w.dir, fileTemplate+".csv"), text, 0o644); err != nil {
		return diskFault("write "+fileTemplate, err)
	}
	return nil
}

// templates groups raw rows by base URL, rule, markup and viewport, sums their issues
// and counts their pages. With compat, num_pages is what CWAC computes: 1 for every
// group, since it counts after grouping.
func templates(raw io.Reader, compat bool) ([]byte, error) {
	t, err := newTable(raw, strings.Split(columnsCommon+","+columnsAxe, ","))
	if err != nil {
		return nil, err
	}
	all := templateTable{t: t, groups: map[string]*template{}}
	for {
		row, err := t.read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := all.add(row); err != nil {
			return nil, err
		}
	}
	return all.text(compat), nil
}

func (a *templateTable) add(row []string) error {
	issues, err := strconv.Atoi(a.t.cell(row, "num_issues"))
	if err != nil {
		return fmt.Errorf("line %d: num_issues is no number", a.t.rows.line)
	}
	if issues == 0 {
		a.clean = append(a.clean, row)
		return nil
	}
	key := []string{a.t.cell(row, "base_url"), a.t.cell(row, "id"), a.t.cell(row, "html"), a.t.cell(row, "viewport_size")}
	name := strings.Join(key, "\x00")
	g := a.groups[name]
	if g == nil {
		g = &template{cells: row, pages: map[string]bool{}, key: key}
		a.groups[name] = g
	}
	g.issues += issues
	g.pages[a.t.cell(row, "page_id")] = true
	return nil
}

// text is the file as pandas writes it for CWAC: a byte order mark and plain line
// ends, most issues first.
func (a *templateTable) text(compat bool) []byte {
	sorted := make([]*template, 0, len(a.groups)+len(a.clean))
	for _, g := range a.groups {
		sorted = append(sorted, g)
	}
	slices.SortFunc(sorted, func(x, y *template) int { return slices.Compare(x.key, y.key) })
	for _, row := range a.clean {
		sorted = append(sorted, &template{cells: row})
	}
	slices.SortStableFunc(sorted, func(x, y *template) int {
		by := func(column string) int { return cmp.Compare(a.t.cell(x.cells, column), a.t.cell(y.cells, column)) }
		return cmp.Or(cmp.Compare(y.issues, x.issues), by("organisation"), by("base_url"), by("url"))
	})
	at := a.t.at["num_issues"]
	var b strings.Builder
	b.WriteString(bom)
	appendRow(&b, lf, slices.Insert(slices.Clone(a.t.columns), at, "num_pages"))
	for _, g := range sorted {
		pages := len(g.pages)
		if compat {
			pages = min(pages, 1)
		}
		cells := slices.Clone(g.cells)
		cells[at] = strconv.Itoa(g.issues)
		appendRow(&b, lf, slices.Insert(cells, at, strconv.Itoa(pages)))
	}
	return []byte(b.String())
}
