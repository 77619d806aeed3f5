package media_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// cut reads some bytes and then fails, as a phone in a tunnel does.
type cut struct {
	data  io.Reader
	after int64
}

func (c *cut) Read(p []byte) (int, error) {
	if c.after == 0 {
		return 0, errors.New("connection lost")
	}
	n, err := c.data.Read(p[:min(int64(len(p)), c.after)])
	c.after -= int64(n)
	return n, err
}

func TestResume(t *testing.T) {
	data := asJPEG(scene(320, 240), 90)
	size := int64(len(data))
	s := open(t, nil)
	u, err := s.Create(t.Context(), media.New{Owner: worker, Kind: media.Photo, Size: size})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(worker, u.ID, 0, &cut{bytes.NewReader(data), 1000}); err == nil || fault.From(err).Type != "upload_conflict" {
		t.Fatalf("a lost connection is %v: the log would take it for a defect", err)
	}
	u, err = s.Upload(worker, u.ID)
	if err != nil || u.Offset != 1000 {
		t.Fatalf("offset %d (%v)", u.Offset, err)
	}
	for name, do := range map[string]func() error{
		"upload_conflict": func() error { _, err := s.Append(worker, u.ID, 500, bytes.NewReader(data)); return err },
		"not_found":       func() error { _, err := s.Upload("human:h2", u.ID); return err },
	} {
		if err := do(); err == nil || fault.From(err).Type != name {
			t.Errorf("%v, want %s", err, name)
		}
	}
	if _, err := s.Complete(t.Context(), worker, u.ID); err == nil || fault.From(err).Data["detail"] != "incomplete" {
		t.Errorf("complete before the end: %v", err)
	}
	if _, err := s.Append(worker, u.ID, 1000, bytes.NewReader(data[1000:])); err != nil {
		t.Fatal(err)
	}
	f, err := s.Complete(t.Context(), worker, u.ID)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if f.Original != hex.EncodeToString(sum[:]) || f.ID != u.ID {
		t.Errorf("stored %+v", f)
	}
	again, err := s.Complete(t.Context(), worker, u.ID)
	if err != nil || again.SHA256 != f.SHA256 {
		t.Errorf("asked again: %+v (%v)", again, err)
	}
	if _, err := s.Complete(t.Context(), "human:h2", u.ID); err == nil || fault.From(err).Type != "not_found" {
		t.Errorf("another one asks: %v", err)
	}
}

func TestUploadRefusals(t *testing.T) {
	s := open(t, func(o *media.Options) { o.MaxPhoto, o.MaxVideo, o.MaxOpen = 1000, 5000, 2 })
	create := func(kind media.Kind, size int64) string {
		u, err := s.Create(t.Context(), media.New{Owner: worker, Kind: kind, Size: size})
		if err != nil {
			return fault.From(err).Type
		}
		return u.ID
	}
	for _, c := range []struct {
		kind media.Kind
		size int64
		want string
	}{
		{media.Photo, 1001, "file_too_large"}, {media.Video, 5001, "file_too_large"}, {media.Photo, 0, "missing_file"},
		{media.Photo, -1, "missing_file"}, {"../x", 10, "invalid_request"}, {"", 10, "invalid_request"},
	} {
		if got := create(c.kind, c.size); got != c.want {
			t.Errorf("%s of %d: %s, want %s", c.kind, c.size, got, c.want)
		}
	}
	first := create(media.Video, 4)
	create(media.Video, 4)
	if got := create(media.Video, 4); got != "too_many_uploads" {
		t.Errorf("a third: %s", got)
	}
	if _, err := s.Append(worker, first, 0, strings.NewReader("12345")); err == nil || fault.From(err).Data["detail"] != "announced" {
		t.Errorf("more than announced: %v", err)
	}
	if u, err := s.Upload(worker, first); err != nil || u.Offset != 4 {
		t.Errorf("offset %d (%v)", u.Offset, err)
	}
	if err := s.Discard("human:h2", first); err == nil {
		t.Error("another one removes it")
	}
	if err := s.Discard(worker, first); err != nil {
		t.Error(err)
	}
	if got := create(media.Video, 4); len(got) != 32 {
		t.Errorf("after one is gone: %s", got)
	}
	for _, id := range []string{"", "../../etc/passwd", "..", first + "/..", strings.ToUpper(first), first, "\x00"} {
		if _, err := s.Upload(worker, id); err == nil || fault.From(err).Type != "not_found" {
			t.Errorf("%q: %v", id, err)
		}
		if _, err := s.File(id); err == nil || fault.From(err).Type != "not_found" {
			t.Errorf("file %q: %v", id, err)
		}
	}
}

// TestDailyBound: what is stored and what is announced count together, for each owner
// alone, and no longer than the day.
func TestDailyBound(t *testing.T) {
	at := now
	data := movie("isom")
	size := int64(len(data))
	s := open(t, func(o *media.Options) { o.Now = func() time.Time { return at }; o.MaxDaily, o.MaxVideo = 3*size, size })
	create := func(owner string) error {
		_, err := s.Create(t.Context(), media.New{Owner: owner, Kind: media.Video, Size: size})
		return err
	}
	put(t, s, video(), data)
	put(t, s, video(), data)
	if err := create(worker); err != nil {
		t.Errorf("the third: %v", err)
	}
	if err := create(worker); err == nil || fault.From(err).Type != "too_many_uploads" || fault.From(err).Data["detail"] != "daily" {
		t.Errorf("the fourth: %v", err)
	}
	if err := create("human:h2"); err != nil {
		t.Errorf("another owner: %v", err)
	}
	at = now.Add(21*time.Hour + time.Minute) // past midnight UTC, the announced one is still open
	if err := create(worker); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

// TestDailyBoundOfAllProcesses: two stores of one folder count together, and so does one
// that was started again; nothing of it is kept when the day is long over.
func TestDailyBoundOfAllProcesses(t *testing.T) {
	at, dir := now, t.TempDir()
	data := movie("isom")
	size := int64(len(data))
	another := func() *media.Store {
		return open(t, func(o *media.Options) {
			o.Dir, o.Now, o.MaxDaily, o.MaxVideo = dir, func() time.Time { return at }, 3*size, size
		})
	}
	first, second := another(), another()
	put(t, first, video(), data)
	put(t, second, video(), data)
	put(t, first, video(), data)
	for name, s := range map[string]*media.Store{"the first": first, "the second": second, "one that starts": another()} {
		if _, err := s.Create(t.Context(), media.New{Owner: worker, Kind: media.Video, Size: size}); err == nil || fault.From(err).Data["detail"] != "daily" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := second.Create(t.Context(), media.New{Owner: "human:h2", Kind: media.Video, Size: size}); err != nil {
		t.Errorf("another owner: %v", err)
	}
	at = time.Now().Add(49 * time.Hour)
	if _, err := first.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "usage")); err != nil || len(left) != 0 {
		t.Errorf("%d counts are left: %v", len(left), err)
	}
}

// TestManyAtOnceInTwoProcesses: the bound on unfinished uploads holds for stores of one
// folder together, also when they begin at the same time.
func TestManyAtOnceInTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	var stores []*media.Store
	for range 4 {
		stores = append(stores, open(t, func(o *media.Options) { o.Dir, o.MaxOpen = dir, 5 }))
	}
	var wg sync.WaitGroup
	var made atomic.Int64
	for i := range 40 {
		wg.Go(func() {
			if _, err := stores[i%len(stores)].Create(t.Context(), media.New{Owner: worker, Kind: media.Photo, Size: 10}); err == nil {
				made.Add(1)
			}
		})
	}
	wg.Wait()
	if made.Load() != 5 {
		t.Errorf("%d unfinished uploads, want 5", made.Load())
	}
}

// TestOneWriter: many senders of one upload at once, one of them wins each offset,
// and the file is what one sender sent.
func TestOneWriter(t *testing.T) {
	data := movie("isom")
	s := open(t, nil)
	u, err := s.Create(t.Context(), media.New{Owner: worker, Kind: media.Video, Size: int64(len(data))})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for range 50 {
		wg.Go(func() {
			if _, err := s.Append(worker, u.ID, 0, bytes.NewReader(data)); err == nil {
				mu.Lock()
				won++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d senders won", won)
	}
	ids := map[string]bool{}
	for range 20 {
		wg.Go(func() {
			f, err := s.Complete(t.Context(), worker, u.ID)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				ids[f.ID+f.SHA256] = true
			} else if fault.From(err).Type != "upload_conflict" {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(ids) != 1 {
		t.Errorf("completed as %v", ids)
	}
}

// held is a sender that says when it is asked and ends when it is let go.
type held struct{ asked, letGo chan struct{} }

func (h held) Read(p []byte) (int, error) {
	h.asked <- struct{}{}
	<-h.letGo
	return 0, io.EOF
}

func TestBusy(t *testing.T) {
	s := open(t, nil)
	u, err := s.Create(t.Context(), media.New{Owner: worker, Kind: media.Photo, Size: 100})
	if err != nil {
		t.Fatal(err)
	}
	h := held{make(chan struct{}), make(chan struct{})}
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = s.Append(worker, u.ID, 0, h) })
	<-h.asked
	_, appended := s.Append(worker, u.ID, 0, strings.NewReader("x"))
	_, completed := s.Complete(t.Context(), worker, u.ID)
	for what, err := range map[string]error{"append": appended, "complete": completed, "discard": s.Discard(worker, u.ID)} {
		if err == nil || fault.From(err).Data["detail"] != "busy" {
			t.Errorf("%s while another sends: %v", what, err)
		}
	}
	close(h.letGo)
	wg.Wait()
	if err := s.Discard(worker, u.ID); err != nil {
		t.Error(err)
	}
}

// TestRefusedUploadIsGone: what was refused is not kept for a second try.
func TestRefusedUploadIsGone(t *testing.T) {
	var dir string
	s := open(t, func(o *media.Options) { dir = o.Dir })
	u, err := s.Create(t.Context(), media.New{Owner: worker, Kind: media.Photo, Size: 4})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(worker, u.ID, 0, strings.NewReader("text")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Complete(t.Context(), worker, u.ID); err == nil || fault.From(err).Type != "invalid_file_type" {
		t.Errorf("got %v", err)
	}
	if left := everyFile(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSweep(t *testing.T) {
	var dir string
	at := now
	clock := func(o *media.Options) { dir = o.Dir; o.Now = func() time.Time { return at } }
	s := open(t, clock)
	kept := put(t, s, photo(false), asJPEG(scene(64, 48), 90))
	u, err := s.Create(t.Context(), media.New{Owner: worker, Kind: media.Photo, Size: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"temp/left", "files/ab/ab00.jpg"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o700), os.WriteFile(filepath.Join(dir, path), []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	at = time.Now() // what the files are dated by
	if n, err := s.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("the first sweep removed %d (%v)", n, err)
	}
	at = at.Add(media.DefaultAbandoned + time.Minute)
	if n, err := s.Sweep(t.Context()); n != 5 || err != nil { // the count of the day too
		t.Errorf("the second sweep removed %d (%v)", n, err)
	}
	if _, err := s.Upload(worker, u.ID); err == nil {
		t.Error("the abandoned upload is still there")
	}
	if f, err := s.File(kept.ID); err != nil || f.SHA256 != kept.SHA256 {
		t.Errorf("the stored photo: %v", err)
	}
	if n := len(contents(t, dir)); n != 2 {
		t.Errorf("%d files are left", n)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Sweep(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a sweep that is cancelled: %v", err)
	}
}

// TestKill ends a process with the signal that cannot be caught while it takes
// uploads. Afterwards every record has its files, and a sweep takes the rest.
func TestKill(t *testing.T) {
	if dir := os.Getenv("MEDIA_TEST_KILL"); dir != "" {
		takeUploads(dir)
	}
	dir := t.TempDir()
	for round := range 3 {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKill$")
		cmd.Env = append(os.Environ(), "MEDIA_TEST_KILL="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// so many photos were stored; the next one is under way
		if _, err := io.ReadFull(out, make([]byte, 5+3*round)); err != nil {
			t.Errorf("the process stored nothing: %v", err)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	s, err := media.Open(media.Options{Dir: dir, Key: signingKey, Now: func() time.Time { return time.Now().Add(25 * time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	records := 0
	stored := contents(t, dir)
	for _, path := range everyFile(t, dir) {
		rel, _ := filepath.Rel(dir, path)
		if strings.HasPrefix(rel, "uploads") || strings.HasPrefix(rel, "temp") {
			t.Errorf("left behind: %s", rel)
		}
		if !strings.HasPrefix(rel, "records") {
			continue
		}
		records++
		f, err := s.File(strings.TrimSuffix(filepath.Base(rel), ".json"))
		if err != nil {
			t.Errorf("%s: %v", rel, err)
			continue
		}
		sum := sha256.Sum256(stored[f.SHA256+".jpg"])
		if hex.EncodeToString(sum[:]) != f.SHA256 || stored[f.SHA256+".thumb.jpg"] == nil {
			t.Errorf("the files of %s are not what its record says", f.ID)
		}
	}
	if records < 15 || len(stored) > 2*records {
		t.Errorf("%d records, %d files", records, len(stored))
	}
}

// takeUploads stores photos for ever, and says so with a byte each.
func takeUploads(dir string) {
	s, err := media.Open(media.Options{Dir: dir, Key: signingKey, Now: time.Now})
	for i := 0; err == nil; i++ {
		var f media.File
		if f, err = s.Put(context.Background(), media.New{Owner: worker, Kind: media.Photo}, bytes.NewReader(asJPEG(scene(64+i%400, 48), 90))); err == nil && f.ID != "" {
			_, err = os.Stdout.Write([]byte{'.'})
		}
	}
	_ = json.NewEncoder(os.Stderr).Encode(err.Error())
	os.Exit(1)
}

func TestOpenNeeds(t *testing.T) {
	good := media.Options{Dir: t.TempDir(), Key: signingKey, Now: time.Now}
	for name, change := range map[string]func(*media.Options){
		"no directory": func(o *media.Options) { o.Dir = "" },
		"short key":    func(o *media.Options) { o.Key = signingKey[:31] },
		"no clock":     func(o *media.Options) { o.Now = nil },
		"a file":       func(o *media.Options) { o.Dir = os.Args[0] },
	} {
		o := good
		change(&o)
		if _, err := media.Open(o); err == nil {
			t.Errorf("%s: it opens", name)
		}
	}
}

// An owner who begins many uploads at once has no more of them than one after the other.
func TestManyUploadsAtOnceAreCounted(t *testing.T) {
	s := open(t, func(o *media.Options) { o.MaxOpen = 3 })
	const callers = 60
	results := make(chan error, callers)
	start := make(chan struct{})
	for range callers {
		go func() {
			<-start
			_, err := s.Create(t.Context(), media.New{Owner: worker, Kind: media.Photo, Size: 100})
			results <- err
		}()
	}
	close(start)
	made := 0
	for range callers {
		switch err := <-results; {
		case err == nil:
			made++
		case fault.From(err).Type != "too_many_uploads":
			t.Error(err)
		}
	}
	if made != 3 {
		t.Errorf("%d uploads began, want 3", made)
	}
}
