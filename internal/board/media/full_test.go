//go:build linux

package media_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// TestNoRoomForAPart: a disk without room is said, what arrived is kept, and the upload
// goes on when there is room again.
func TestNoRoomForAPart(t *testing.T) {
	var dir string
	var log bytes.Buffer
	s := open(t, func(o *media.Options) { dir, o.Logger = o.Dir, slog.New(slog.NewTextHandler(&log, nil)) })
	data := movie("isom")
	u, err := s.Create(t.Context(), media.New{Owner: worker, Kind: media.Video, Size: int64(len(data))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(worker, u.ID, 0, bytes.NewReader(data[:10])); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(dir, "uploads", u.ID+".part")
	if err := os.Rename(part, part+".aside"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", part); err != nil { // every write to it finds no room
		t.Fatal(err)
	}
	srv := serve(t, s)
	got := send(t, "PATCH", srv.URL+"/uploads/"+u.ID, worker, func(r *http.Request) {
		r.Header.Set("Content-Type", "application/offset+octet-stream")
		r.Header.Set("Upload-Offset", "0")
		r.Body = io.NopCloser(bytes.NewReader(data))
	})
	if got.status != 503 || got.header.Get("X-Reason") != "storage_full" || strings.Contains(got.body, "dev") {
		t.Errorf("%d %s %q", got.status, got.header.Get("X-Reason"), got.body)
	}
	if !strings.Contains(log.String(), "no space left on device") || !strings.Contains(log.String(), "storage_full") {
		t.Errorf("the log: %s", log.String())
	}
	if err := os.Rename(part+".aside", part); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(worker, u.ID, 10, bytes.NewReader(data[10:])); err != nil {
		t.Error(err)
	}
	if _, err := s.Complete(t.Context(), worker, u.ID); err != nil {
		t.Error(err)
	}
}

// TestNoRoomToFinish: whoever sent everything does not send it again because the disk was
// full in that moment.
func TestNoRoomToFinish(t *testing.T) {
	var dir string
	s := open(t, func(o *media.Options) { dir = o.Dir })
	put(t, s, video(), movie("isom"))
	counts, err := filepath.Glob(filepath.Join(dir, "usage", "*"))
	if err != nil || len(counts) != 1 {
		t.Fatalf("%d counts: %v", len(counts), err)
	}
	data := movie("mp42")
	u, err := s.Create(t.Context(), media.New{Owner: worker, Kind: media.Video, Size: int64(len(data))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(worker, u.ID, 0, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(counts[0], counts[0]+".aside"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", counts[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Complete(t.Context(), worker, u.ID); err == nil || fault.From(err).Type != "storage_full" {
		t.Errorf("without room: %v", err)
	}
	if _, err := s.File(u.ID); err == nil {
		t.Error("it is stored although it is not counted")
	}
	if err := os.Rename(counts[0]+".aside", counts[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Complete(t.Context(), worker, u.ID); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
