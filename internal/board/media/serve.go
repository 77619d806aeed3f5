package media

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Files serves what links lead to; mount it with http.StripPrefix. Viewer says
// who sends a request, empty for nobody.
func (s *Store) Files(viewer func(*http.Request) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harmless(w.Header())
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "Only GET and HEAD.", http.StatusMethodNotAllowed)
			return
		}
		id, variant, err := s.check(strings.TrimPrefix(r.URL.Path, "/"), r.URL.Query(), viewer(r))
		if err == nil {
			err = s.serve(w, r, id, variant)
		}
		if err != nil {
			s.fail(w, r, err)
		}
	})
}

// harmless sets what keeps a browser from running anything that it is sent: the
// type is ours, scripts and frames are off, other sites may not embed it.
func harmless(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "private, no-store")
}

func (s *Store) serve(w http.ResponseWriter, r *http.Request, id string, variant Variant) error {
	f, err := s.File(id)
	if err != nil {
		return err
	}
	path, typ, disposition := s.content(f), f.MIME, "inline"
	if variant == Thumb {
		if f.Kind != Photo {
			return errNotFound()
		}
		path, typ = s.thumb(f), "image/jpeg"
	}
	if r.URL.Query().Get("p") == "download" {
		disposition = "attachment"
	}
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return errNotFound()
	}
	if err != nil {
		return fmt.Errorf("media: open a file: %w", err)
	}
	defer in.Close()
	h := w.Header()
	h.Set("Content-Type", typ)
	h.Set("Content-Disposition", fmt.Sprintf(`%s; filename="%s-%s.%s"`, disposition, f.Kind, f.SHA256[:8], extensions[typ]))
	h.Set("ETag", `"`+f.SHA256+"-"+string(variant)+`"`)
	http.ServeContent(w, r, "", time.Time{}, in)
	return nil
}

// fail answers with the message in the language that the client prefers. What is nobody's
// fault who calls goes to the log.
func (s *Store) fail(w http.ResponseWriter, r *http.Request, err error) {
	h := w.Header()
	for _, k := range []string{"Content-Disposition", "ETag"} {
		h.Del(k)
	}
	lang := "en"
	if strings.HasPrefix(r.Header.Get("Accept-Language"), "ja") {
		lang = "ja"
	}
	h.Set("Content-Language", lang)
	f := fault.From(err)
	if status := fault.HTTPStatus(f); status >= http.StatusInternalServerError {
		s.o.Logger.ErrorContext(r.Context(), "a request for a file failed", "method", r.Method, "reason", f.Type, "error_id", f.Data["error_id"], "error", f.Cause)
	}
	h.Set("X-Reason", f.Type)
	if f.RetryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64((f.RetryAfter+time.Second-1)/time.Second), 10))
	}
	http.Error(w, Explain(f, lang), fault.HTTPStatus(f))
}
