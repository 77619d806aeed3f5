package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// files keeps photos in memory.
type files struct {
	mu   sync.Mutex
	byID map[string][]byte
}

func newFiles(*testing.T) *files { return &files{byID: map[string][]byte{}} }

// Keep implements Files.
func (f *files) Keep(_ context.Context, _ task.Actor, file File) (data.Item, error) {
	raw, err := io.ReadAll(file.Body)
	if err != nil {
		return data.Item{}, err
	}
	if _, err := jpeg.DecodeConfig(bytes.NewReader(raw)); err != nil {
		refusal := task.Refuse(task.InvalidFileType)
		if bytes.Contains(raw[:min(len(raw), 16)], []byte("ftypheic")) {
			refusal = refusal.WithData("format", "heic")
		}
		return data.Item{}, refusal
	}
	sum := sha256.Sum256(raw)
	id := hex.EncodeToString(sum[:])
	f.mu.Lock()
	defer f.mu.Unlock()
	f.byID[id] = raw
	return data.Item{Kind: file.Kind, Upload: id, SHA256: id, MIME: "image/jpeg", Bytes: int64(len(raw))}, nil
}

// Links implements Files.
func (f *files) Links(_ context.Context, _ task.Actor, i data.Item) (Links, error) {
	return Links{Full: "/files/" + i.Upload, Thumb: "/files/" + i.Upload}, nil
}

// withFiles serves the files beside the pages.
func withFiles(pages http.Handler, f Files) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", pages)
	mux.HandleFunc("GET /files/{id}", func(w http.ResponseWriter, r *http.Request) {
		kept := f.(*files)
		kept.mu.Lock()
		defer kept.mu.Unlock()
		w.Header().Set("Content-Type", "image/jpeg")
		_, _ = w.Write(kept.byID[strings.TrimSpace(r.PathValue("id"))])
	})
	return mux
}

// photo is a JPEG of one colour.
func photo(t *testing.T, shade uint8) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 320, 240))
	for y := range 240 {
		for x := range 320 {
			m.Set(x, y, color.RGBA{shade, uint8(x / 2), uint8(y), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
