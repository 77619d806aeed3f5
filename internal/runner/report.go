package runner

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
	"sync"
)

//go:embed report.html.tmpl
var reportPage string

// reportTemplate is parsed when the first report is written: most commands write none.
var reportTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report").Funcs(template.FuncMap{
		"seconds": func(ms int64) string { return fmt.Sprintf("%.1f s", float64(ms)/1000) },
		"join":    func(s []string) string { return strings.Join(s, ", ") },
		"picture": func(p picture) template.URL {
			// our own encoder's bytes: safe as a data address
			return template.URL("data:" + p.mime + ";base64," + base64.StdEncoding.EncodeToString(p.data))
		},
	}).Parse(reportPage))
})

// Check is one statement of a report that was tested, such as "the server
// received exactly what was sent".
type Check struct {
	Name string
	OK   bool
	Note string
}

// strip is one page in the report: its pictures side by side.
type strip struct {
	Label    string
	Title    string
	Report   *PageReport
	Pictures []picture
	Width    int // per cent of the longest page's time
}

// Report is the run as one HTML page without scripts: the answer, a film strip
// of all pages, timings and checks. Values that a person gave are in it only
// where the pictures show them unmasked.
func (a Answer) Report(wizardName string, checks []Check) ([]byte, error) {
	var b bytes.Buffer
	err := reportTemplate().Execute(&b, map[string]any{
		"A": a, "Name": wizardName, "Checks": checks, "Strips": a.strips(),
	})
	return b.Bytes(), err
}

// strips pairs the pages with their pictures, in the order in which they came.
func (a Answer) strips() []strip {
	var out []strip
	longest := int64(1)
	for i := range a.Pages {
		longest = max(longest, a.Pages[i].MS)
	}
	for i := range a.Pages {
		p := &a.Pages[i]
		out = append(out, strip{
			Label: "Page " + itoa(p.Number), Title: p.Title, Report: p,
			Pictures: a.picturesOf(p.Number), Width: int(100 * p.MS / longest),
		})
	}
	if ps := a.picturesOf(errorPage); len(ps) > 0 {
		out = append(out, strip{Label: "Where it ended", Title: ps[0].title, Pictures: ps})
	}
	if ps := a.picturesOf(resultsPage); len(ps) > 0 {
		out = append(out, strip{Label: "Answer", Title: ps[0].title, Pictures: ps})
	}
	return out
}

func (a Answer) picturesOf(number int) []picture {
	var out []picture
	for _, p := range a.images {
		if p.page == number {
			out = append(out, p)
		}
	}
	return out
}
