package practice

import (
	"html/template"
	"net/http"
	"sync"
)

// document is one HTML page of a site.
type document struct {
	Title   string
	Status  int      // 0 means 200
	Styles  []string // paths below /assets/
	Scripts []string // paths below /assets/, loaded deferred
	Header  template.HTML
	Body    template.HTML // the content of <main>
	Footer  template.HTML
	Class   string // class of <body>
}

var layout = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("layout").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<link rel="icon" href="data:,">
{{range .Styles}}<link rel="stylesheet" href="/assets/{{.}}">
{{end}}{{range .Scripts}}<script src="/assets/{{.}}" defer></script>
{{end}}</head>
<body{{with .Class}} class="{{.}}"{{end}}>
{{.Header}}
<main id="main-content">
{{.Body}}
</main>
{{.Footer}}
</body>
</html>
`))
})

// write sends the page. Pages are never cached: every state is the server's.
func (d document) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if d.Status != 0 {
		w.WriteHeader(d.Status)
	}
	_ = layout().Execute(w, d) // a broken connection is the client's
}

// render sends a page in the plain look of the practice sites.
func render(w http.ResponseWriter, title string, body template.HTML) {
	document{Title: title, Styles: []string{"plain.css"}, Body: body}.write(w)
}
