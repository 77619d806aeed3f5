package planted

import (
	"net/http"
	"path"
	"strconv"
	"strings"
)

// Site serves the pages. It answers for any host name, and writes the name that it
// is asked by into robots.txt and the sitemap.
type Site struct {
	files map[string]string
}

// New is the site of [Pages].
func New() *Site {
	pages := Pages()
	nav := navigation(pages)
	s := &Site{files: map[string]string{"/frames/inner.html": inner, "/files/report.pdf": "%PDF-1.4\n%EOF"}}
	for _, p := range append(pages, aside()...) {
		address := "/" + p.Name + ".html"
		if p.Name == "secret" {
			address = "/private/secret.html"
		}
		s.files[address] = p.render(nav)
	}
	return s
}

// NewMany is a site of n pages, at least one, that are all reached from "/": for
// trying out how a scan behaves when there is much to do. Each page has one
// image-alt fault.
func NewMany(n int) *Site {
	s := &Site{files: map[string]string{}}
	for i := 1; i <= max(n, 1); i++ {
		s.files["/page"+strconv.Itoa(i)+".html"] = numbered(i, n)
	}
	s.files["/index.html"] = s.files["/page1.html"]
	delete(s.files, "/page1.html") // "/" is the first page; nothing links to it again
	return s
}

var types = map[string]string{".html": "text/html; charset=utf-8", ".txt": "text/plain", ".xml": "application/xml", ".pdf": "application/pdf"}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := path.Clean(r.URL.Path)
	if name == "/" {
		name = "/index.html"
	}
	switch {
	case name == "/old":
		w.Header().Set("Location", "/about.html")
		w.WriteHeader(http.StatusMovedPermanently)
	case name == "/download":
		w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
		send(w, r, "application/octet-stream", "bin")
	case name == "/nohead.html" && r.Method == http.MethodHead:
		w.WriteHeader(http.StatusMethodNotAllowed)
	default:
		text, found := s.file(name, r.Host)
		if !found {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte("<h1>404</h1>")) // whoever asked may be gone
			return
		}
		send(w, r, types[path.Ext(name)], text)
	}
}

// file is what is served under a path.
func (s *Site) file(name, host string) (string, bool) {
	switch name {
	case "/robots.txt":
		return "User-agent: *\nDisallow: /private/\nSitemap: http://" + host + "/sitemap.xml\n", true
	case "/sitemap.xml":
		var b strings.Builder
		b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for _, p := range []string{"/orphan.html", "/about.html"} {
			if _, known := s.files[p]; known {
				b.WriteString("<url><loc>http://" + host + p + "</loc></url>")
			}
		}
		return b.String() + "</urlset>\n", true
	}
	text, found := s.files[name]
	return text, found
}

func send(w http.ResponseWriter, r *http.Request, kind, text string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(text)) // whoever asked may be gone
	}
}
