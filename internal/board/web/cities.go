package web

import (
	"net/http"

	"github.com/legwork-mcp/legwork/internal/board/place"
)

// cities are the municipalities of a prefecture as options of a list, for a page on
// which another prefecture is chosen. They change with the program only.
func (v *visit) cities() error {
	p, ok := place.Find(v.r.PathValue("prefecture"))
	if !ok {
		return v.done("/me", "")
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "private, max-age=86400")
	v.w.WriteHeader(http.StatusOK)
	return v.site.pages[v.lang]["profile"].ExecuteTemplate(v.w, "cities", p.Municipalities())
}
