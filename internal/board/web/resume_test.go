package web

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/words"
)

// badLine stands between a phone and the board: it drops the first piece of a
// file, and keeps the third waiting until the phone gives up.
type badLine struct {
	board   http.Handler
	mu      sync.Mutex
	begun   int
	pieces  int
	waiting chan struct{}
	release chan struct{}
}

// ServeHTTP implements http.Handler.
func (l *badLine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	if r.Method == http.MethodPost && r.URL.Path == uploadsPath {
		l.begun++
	}
	piece := 0
	if r.Method == http.MethodPatch {
		l.pieces++
		piece = l.pieces
	}
	l.mu.Unlock()
	switch piece {
	case 1:
		panic(http.ErrAbortHandler) // the connection breaks
	case 3:
		close(l.waiting)
		<-l.release
		panic(http.ErrAbortHandler)
	default:
		l.board.ServeHTTP(w, r)
	}
}

// noise is a photo that does not shrink: several pieces of an upload.
func noise(t *testing.T) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 1500, 1500))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = uint8(r.Uint32())
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	if b.Len() < 2<<20 || b.Len() > 14<<20 {
		t.Fatalf("the photo has %d bytes", b.Len())
	}
	return b.Bytes()
}

// A connection that breaks costs a piece; a page that is loaded anew goes on with
// the upload that was begun.
func TestUploadsGoOnWhereTheyStopped(t *testing.T) {
	w := newWorld(t)
	worker, _ := w.worker("hana@example.org")
	made := w.assigned(worker, nil)
	pages, err := New(Options{Board: w.board, Media: w.media, Secret: bytes.Repeat([]byte("s"), 32), Clock: w.now})
	if err != nil {
		t.Fatal(err)
	}
	line := &badLine{board: pages, waiting: make(chan struct{}), release: make(chan struct{})}
	site := serve(t, line)
	release := sync.OnceFunc(func() { close(line.release) })
	t.Cleanup(release) // before the server closes
	p := &person{t: t, tab: open(t, site, "ja"), site: site, lang: words.Ja}
	p.signIn(w, "hana@example.org")
	raw := noise(t)
	path := "/me/tasks/" + made.ID
	choose := func() {
		p.visit(path)
		p.call(giveFiles, []any{"#submit-files", []string{base64.StdEncoding.EncodeToString(raw)}}, nil)
		p.focus("form[action$='/submit'] button")
	}
	choose()
	if err := p.tab.Press(patience(t), "", "Enter"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-line.waiting:
	case <-patience(t).Done():
		t.Fatal("the third piece never came")
	}
	choose()
	release()
	p.press("form[action$='/submit'] button")
	p.reads(words.Ja.Say("done.delivered"))
	subs, err := w.board.Submissions(t.Context(), made.ID)
	if err != nil || len(subs) != 1 || len(subs[0].Items) != 1 {
		t.Fatalf("delivered %+v, %v", subs, err)
	}
	if kept, err := w.media.File(subs[0].Items[0].Upload); err != nil || kept.Width != 1500 || kept.Height != 1500 {
		t.Errorf("the photo is %+v, %v", kept, err)
	}
	line.mu.Lock()
	defer line.mu.Unlock()
	if line.begun != 1 || line.pieces < 4 {
		t.Errorf("%d uploads were begun, %d pieces were sent", line.begun, line.pieces)
	}
}
