package media

import (
	"encoding/base64"
	"encoding/json"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// tusVersion is the version of the protocol for resumable uploads (tus.io) whose
// core and creation parts Uploads speaks, so that its clients work.
const tusVersion = "1.0.0"

// Uploads takes files in parts; mount it with http.StripPrefix. Owner says who
// sends a request; without one it is refused, and so is one for which Owner has an
// error, such as TooOften. The answers:
//
//	POST   /              Upload-Length, Upload-Metadata kind [keep_place]: 201, Location
//	HEAD   /{id}          Upload-Offset, Upload-Length, Upload-Expires
//	PATCH  /{id}          Upload-Offset, application/offset+octet-stream: 204
//	POST   /{id}/complete the stored file as JSON: id, kind, mime, bytes, sha256, width, height
//	DELETE /{id}          204
func (s *Store) Uploads(owner func(*http.Request) (string, error)) http.Handler {
	mux := http.NewServeMux()
	for pattern, answer := range map[string]func(http.ResponseWriter, *http.Request, string) error{
		"POST /{$}": s.tusCreate, "HEAD /{id}": s.tusOffset, "PATCH /{id}": s.tusAppend,
		"POST /{id}/complete": s.tusComplete, "DELETE /{id}": s.tusDiscard,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			harmless(w.Header())
			w.Header().Set("Tus-Resumable", tusVersion)
			who, err := owner(r)
			switch {
			case err != nil:
			case who == "":
				err = errLogin()
			default:
				err = answer(w, r, who)
			}
			if err != nil {
				s.fail(w, r, err)
			}
		})
	}
	return mux
}

func (s *Store) tusCreate(w http.ResponseWriter, r *http.Request, owner string) error {
	size, err := strconv.ParseInt(r.Header.Get("Upload-Length"), 10, 64)
	if err != nil {
		return errEmpty()
	}
	meta := metadata(r.Header.Get("Upload-Metadata"))
	u, err := s.Create(r.Context(), New{Owner: owner, Kind: Kind(meta["kind"]), Size: size, KeepPlace: meta["keep_place"] == "true"})
	if err != nil {
		return err
	}
	w.Header().Set("Location", u.ID)
	s.where(w, u)
	w.WriteHeader(http.StatusCreated)
	return nil
}

// metadata reads "kind cGhvdG8=,keep_place dHJ1ZQ==". The name of the file may be
// in it; nobody looks at it.
func metadata(header string) map[string]string {
	meta := map[string]string{}
	for pair := range strings.SplitSeq(header, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(pair), " ")
		if text, err := base64.StdEncoding.DecodeString(value); err == nil {
			meta[key] = string(text)
		}
	}
	return meta
}

func (s *Store) where(w http.ResponseWriter, u Upload) {
	h := w.Header()
	h.Set("Upload-Offset", strconv.FormatInt(u.Offset, 10))
	h.Set("Upload-Length", strconv.FormatInt(u.Size, 10))
	h.Set("Upload-Expires", u.ExpiresAt.UTC().Format(http.TimeFormat))
}

func (s *Store) tusOffset(w http.ResponseWriter, r *http.Request, owner string) error {
	u, err := s.Upload(owner, r.PathValue("id"))
	if err == nil {
		s.where(w, u)
	}
	return err
}

// Patience is how long a part of an upload, or a form with files, may take to arrive:
// the server's own limit is meant for requests without a body of 200 MB.
const Patience = 10 * time.Minute

func (s *Store) tusAppend(w http.ResponseWriter, r *http.Request, owner string) error {
	if typ, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); typ != "application/offset+octet-stream" {
		return errType("body")
	}
	offset, err := strconv.ParseInt(r.Header.Get("Upload-Offset"), 10, 64)
	if err != nil {
		return errConflict("offset", "The offset is missing.", "送信の開始位置がありません。")
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(Patience)) // not every server can
	u, err := s.Append(owner, r.PathValue("id"), offset, r.Body)
	if err != nil {
		return err
	}
	s.where(w, u)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Store) tusComplete(w http.ResponseWriter, r *http.Request, owner string) error {
	f, err := s.Complete(r.Context(), owner, r.PathValue("id"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(f.Public())
}

func (s *Store) tusDiscard(w http.ResponseWriter, r *http.Request, owner string) error {
	if err := s.Discard(owner, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// Public is what may be told of a file to those who may see it.
type Public struct {
	ID     string `json:"id"`
	Kind   Kind   `json:"kind"`
	MIME   string `json:"mime"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Width  int    `json:"width,omitempty"`
	Height int    `json:"height,omitempty"`
}

// Public leaves out the owner, the private record and what is like it.
func (f File) Public() Public {
	return Public{f.ID, f.Kind, f.MIME, f.Bytes, f.SHA256, f.Width, f.Height}
}
