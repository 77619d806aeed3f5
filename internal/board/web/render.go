package web

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/legwork-mcp/legwork/internal/board/place"
	"github.com/legwork-mcp/legwork/internal/board/words"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed assets
var assetFiles embed.FS

// pages are the parsed templates of every language by the name of their file.
type pages map[words.Lang]map[string]*template.Template

// shared are the templates that every page may use.
var shared = []string{"layout.html", "parts.html"}

func parsePages() (pages, error) {
	names, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("list the templates: %w", err)
	}
	all := pages{}
	for _, l := range words.Langs {
		all[l] = map[string]*template.Template{}
		base, err := template.New("base").Funcs(functions(l)).ParseFS(templateFiles, "templates/"+shared[0], "templates/"+shared[1])
		if err != nil {
			return nil, fmt.Errorf("parse the shared templates: %w", err)
		}
		for _, name := range names {
			t, err := base.Clone()
			if err == nil {
				t, err = t.ParseFS(templateFiles, name)
			}
			if err != nil {
				return nil, fmt.Errorf("parse %s: %w", name, err)
			}
			all[l][strings.TrimSuffix(path.Base(name), ".html")] = t
		}
	}
	return all, nil
}

func functions(l words.Lang) template.FuncMap {
	return template.FuncMap{
		"t": l.Say, "has": l.Has, "moment": l.Moment, "day": l.Day, "span": l.Span, "until": l.Until, "money": l.Money,
		"iso":    func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"glyph":  func(status string) string { return glyphs[status] },
		"asset":  assetURL,
		"langof": func(text string) template.HTMLAttr { return langAttribute(l, text) },
		"prefecture": func(code string) string {
			p, ok := place.Find(code)
			if !ok {
				return code
			}
			return p.Name(string(l))
		},
		"roman": func(prefecture, city string) string {
			p, _ := place.Find(prefecture)
			m, _ := p.Municipality(city)
			return romanized(l, m)
		},
		"romanized": func(m place.Municipality) string { return romanized(l, m) },
		"sound":     func(m place.Municipality) string { return cmp.Or(romanized(l, m), m.Kana) },
		"arg":       arguments, "describedby": describedBy(l),
		"add": func(a, b int) int { return a + b },
		"numbers": func(n int) []int {
			all := make([]int, n)
			for i := range all {
				all[i] = i + 1
			}
			return all
		},
	}
}

// romanized is a municipality's name for who reads no Japanese; pages in Japanese need
// none. The name in kanji stands beside it: it is what the signs on the spot say.
func romanized(l words.Lang, m place.Municipality) string {
	if l == words.Ja {
		return ""
	}
	return m.En
}

// glyphs stand before the word of a state, so that colour never tells alone.
var glyphs = map[string]string{
	"open": "○", "selecting": "◔", "accepted": "◑", "revision": "↩", "review_pending": "◕", "appeal": "△", "disputed": "◇",
	"completed": "✓", "failed": "✕", "held": "‖", "not_chosen": "−", "withdrawn": "−",
}

// arguments are names and values in turn, for a template that takes several.
func arguments(pairs ...any) (map[string]any, error) {
	m := map[string]any{
		"need": false, "type": "", "max": "", "auto": "", "mode": "", "class": "", "min": "", "list": "", "any": "", "options": []option(nil),
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("argument %d has no name", i/2)
		}
		m[name] = pairs[i+1]
	}
	return m, nil
}

// describedBy names the hint and the error of a field (WCAG 2.2, 3.3.1).
func describedBy(l words.Lang) func(map[string]any) string {
	return func(a map[string]any) string {
		f, _ := a["f"].(*form)
		name := fmt.Sprint(a["name"])
		var ids []string
		if l.Has(fmt.Sprint(a["k"]) + ".hint") {
			ids = append(ids, f.Name+"-"+name+"-hint")
		}
		if f.Errors[name] != "" {
			ids = append(ids, f.Name+"-"+name+"-error")
		}
		return strings.Join(ids, " ")
	}
}

// langAttribute marks text that people wrote in the other language of the page
// (WCAG 2.2, 3.1.2). Its language is told by its letters.
func langAttribute(page words.Lang, text string) template.HTMLAttr {
	l := words.En
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }) {
		l = words.Ja
	} else if !strings.ContainsFunc(text, unicode.IsLetter) {
		return ""
	}
	if l == page {
		return ""
	}
	return template.HTMLAttr(` lang="` + string(l) + `"`)
}

// assetHashes let browsers keep an asset for good: its address changes with it.
var assetHashes = hashAssets()

func hashAssets() map[string]string {
	hashes := map[string]string{}
	entries, err := assetFiles.ReadDir("assets")
	if err != nil {
		panic(err) // the files are embedded
	}
	for _, e := range entries {
		raw, err := assetFiles.ReadFile("assets/" + e.Name())
		if err != nil {
			panic(err) // the files are embedded
		}
		sum := sha256.Sum256(raw)
		hashes[e.Name()] = hex.EncodeToString(sum[:6])
	}
	return hashes
}

func assetURL(name string) string { return "/assets/" + name + "?v=" + assetHashes[name] }

func serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	hash, known := assetHashes[name]
	if !known {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", `"`+hash+`"`)
	if r.URL.Query().Get("v") == hash {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeFileFS(w, r, assetFiles, "assets/"+name)
}

// render writes a page. The whole page is made before anything is sent, so that
// a template that fails gives an error page and not half a page.
func (s *Site) render(w http.ResponseWriter, p *page) error {
	t, ok := s.pages[p.Lang][p.template]
	if !ok {
		return fmt.Errorf("render %s: there is no such template", p.template)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "content", p); err != nil {
		return fmt.Errorf("render %s: %w", p.template, err)
	}
	p.Content = template.HTML(b.String()) // the template has escaped it
	p.Form.summary(p.Lang.Say)
	b.Reset()
	if err := t.ExecuteTemplate(&b, "layout", p); err != nil {
		return fmt.Errorf("render %s: %w", p.template, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", string(p.Lang))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(p.status)
	_, _ = b.WriteTo(w) // a broken connection is the reader's
	return nil
}
