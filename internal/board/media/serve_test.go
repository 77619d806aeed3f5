package media_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/media"
)

// who is how the tests say who sends a request.
func who(r *http.Request) string { return r.Header.Get("Test-Who") }

func serve(t *testing.T, s *media.Store) *httptest.Server {
	mux := http.NewServeMux()
	mux.Handle("/files/", http.StripPrefix("/files", s.Files(who)))
	mux.Handle("/uploads/", http.StripPrefix("/uploads", s.Uploads(func(r *http.Request) (string, error) { return who(r), nil })))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

type answer struct {
	status int
	header http.Header
	body   string
}

func send(t *testing.T, method, address, as string, change func(*http.Request)) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Test-Who", as)
	if change != nil {
		change(r)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(body)}
}

func TestLinks(t *testing.T) {
	at := now
	s := open(t, func(o *media.Options) { o.Now = func() time.Time { return at } })
	server := serve(t, s)
	f := put(t, s, photo(false), asJPEG(scene(64, 48), 90))
	other := put(t, s, photo(false), asJPEG(scene(50, 48), 90))
	base := server.URL + "/files/"
	link := func(g media.Grant) string { path, _ := s.Link(f.ID, g); return base + path }
	review := media.Grant{Viewer: "agent:a1", Purpose: "review", For: time.Minute}
	bearer := media.Grant{Purpose: "content", For: time.Minute}
	edit := func(change func(*url.URL, url.Values)) string {
		u, err := url.Parse(link(review))
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		change(u, q)
		u.RawQuery = q.Encode()
		return u.String()
	}
	for _, c := range []struct {
		name, address, as string
		after             time.Duration
		status            int
		reason            string
	}{
		{"the viewer", link(review), "agent:a1", 0, 200, ""},
		{"a thumbnail", link(media.Grant{Viewer: "agent:a1", Purpose: "list", Variant: media.Thumb, For: time.Minute}), "agent:a1", 0, 200, ""},
		{"another viewer", link(review), "agent:a2", 0, 403, "forbidden"},
		{"nobody", link(review), "", 0, 403, "unauthorized"},
		{"for whoever holds it", link(bearer), "", 0, 200, ""},
		{"held by somebody else", link(bearer), "human:h9", 0, 200, ""},
		{"a second before the end", link(review), "agent:a1", 59 * time.Second, 200, ""},
		{"at the end", link(review), "agent:a1", time.Minute, 410, "link_expired"},
		{"asked for a week", link(media.Grant{Purpose: "content", For: 7 * 24 * time.Hour}), "", media.MaxLink, 410, "link_expired"},
		{"longer than signed", edit(func(_ *url.URL, q url.Values) { q.Set("e", strconv.FormatInt(now.Add(time.Hour).Unix(), 10)) }), "agent:a1", 0, 403, "forbidden"},
		{"for another purpose", edit(func(_ *url.URL, q url.Values) { q.Set("p", "download") }), "agent:a1", 0, 403, "forbidden"},
		{"made a bearer's", edit(func(_ *url.URL, q url.Values) { q.Set("b", "0") }), "", 0, 403, "forbidden"},
		{"of another file", edit(func(u *url.URL, _ url.Values) { u.Path = "/files/" + other.ID + "/full" }), "agent:a1", 0, 403, "forbidden"},
		{"of another variant", edit(func(u *url.URL, _ url.Values) { u.Path = strings.Replace(u.Path, "full", "thumb", 1) }), "agent:a1", 0, 403, "forbidden"},
		{"without a signature", edit(func(_ *url.URL, q url.Values) { q.Del("s") }), "agent:a1", 0, 403, "forbidden"},
		{"the bare file", base + f.ID + "/full", "agent:a1", 0, 403, "forbidden"},
		{"a directory", base, "agent:a1", 0, 403, "forbidden"},
		{"a path of the disk", base + "..%2f..%2frecords%2f" + f.ID + ".json", "agent:a1", 0, 403, "forbidden"},
	} {
		t.Run(c.name, func(t *testing.T) {
			at = now.Add(c.after)
			defer func() { at = now }()
			got := send(t, "GET", c.address, c.as, nil)
			if got.status != c.status || got.header.Get("X-Reason") != c.reason {
				t.Errorf("%d %s: %.80q", got.status, got.header.Get("X-Reason"), got.body)
			}
			for k, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'", "Cache-Control": "private, no-store",
			} {
				if c.status != 301 && got.header.Get(k) != want {
					t.Errorf("%s is %q", k, got.header.Get(k))
				}
			}
		})
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		if got := send(t, method, link(bearer), "", nil); got.status != 405 {
			t.Errorf("%s: %d", method, got.status)
		}
	}
}

func TestServedAs(t *testing.T) {
	s := open(t, nil)
	server := serve(t, s)
	data := movie("qt  ")
	f := put(t, s, video(), data)
	path, ends := s.Link(f.ID, media.Grant{Purpose: "download", For: time.Minute})
	if !ends.Equal(now.Add(time.Minute)) {
		t.Errorf("it ends at %v", ends)
	}
	address := server.URL + "/files/" + path
	whole := send(t, "GET", address, "", nil)
	part := send(t, "GET", address, "", func(r *http.Request) { r.Header.Set("Range", "bytes=4-11") })
	head := send(t, "HEAD", address, "", nil)
	got := []any{whole.status, len(whole.body), whole.header.Get("Content-Type"), whole.header.Get("Content-Disposition"), part.status, part.body, head.status, head.header.Get("Content-Length")}
	want := []any{200, len(data), "video/quicktime", `attachment; filename="video-` + f.SHA256[:8] + `.mov"`, 206, "ftypqt  ", 200, strconv.Itoa(len(data))}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	thumb, _ := s.Link(f.ID, media.Grant{Purpose: "list", Variant: media.Thumb, For: time.Minute})
	if got := send(t, "GET", server.URL+"/files/"+thumb, "", func(r *http.Request) { r.Header.Set("Accept-Language", "ja,en;q=0.5") }); got.status != 404 || !strings.Contains(got.body, "見つからない") {
		t.Errorf("a thumbnail of a video: %d %q", got.status, got.body)
	}
}

// TestTus speaks to the uploads as a client of tus.io does.
func TestTus(t *testing.T) {
	s := open(t, nil)
	server := serve(t, s)
	base := server.URL + "/uploads/"
	data := asJPEG(scene(64, 48), 90)
	encode := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	create := func(size, meta string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Upload-Length", size); r.Header.Set("Upload-Metadata", meta) }
	}
	if got := send(t, "POST", base, "", create("10", "")); got.status != 403 {
		t.Errorf("nobody: %d", got.status)
	}
	for _, c := range []struct{ size, meta, reason string }{
		{"", "kind " + encode("photo"), "missing_file"}, {"99999999999", "kind " + encode("photo"), "file_too_large"}, {"10", "", "invalid_request"},
		{"-5", "kind " + encode("photo"), "missing_file"}, {"10", "kind !!!", "invalid_request"},
	} {
		if got := send(t, "POST", base, worker, create(c.size, c.meta)); got.header.Get("X-Reason") != c.reason {
			t.Errorf("%+v: %d %s", c, got.status, got.header.Get("X-Reason"))
		}
	}
	meta := "filename " + encode("../../../etc/cron.d/x\r\nSet-Cookie: a=b") + ",filetype " + encode("text/html") + ",kind " + encode("photo")
	made := send(t, "POST", base, worker, create(strconv.Itoa(len(data)), meta))
	id := made.header.Get("Location")
	if made.status != 201 || len(id) != 32 || made.header.Get("Tus-Resumable") != "1.0.0" || made.header.Get("Upload-Expires") == "" {
		t.Fatalf("create: %+v", made)
	}
	patch := func(offset int, part []byte, typ string) answer {
		return send(t, "PATCH", base+id, worker, func(r *http.Request) {
			r.Header.Set("Upload-Offset", strconv.Itoa(offset))
			r.Header.Set("Content-Type", typ)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(part)), int64(len(part))
		})
	}
	const octets = "application/offset+octet-stream"
	var got []any
	for _, a := range []answer{
		patch(0, data[:500], octets), patch(0, data[:500], octets), patch(500, data[500:600], "text/html"),
		send(t, "HEAD", base+id, worker, nil), send(t, "HEAD", base+id, "human:h2", nil), send(t, "POST", base+id+"/complete", worker, nil),
		patch(500, data[500:], octets), send(t, "HEAD", base+id, worker, nil),
	} {
		got = append(got, a.status, a.header.Get("Upload-Offset"))
	}
	size := strconv.Itoa(len(data))
	if diff := cmp.Diff([]any{204, "500", 409, "", 400, "", 200, "500", 404, "", 409, "", 204, size, 200, size}, got); diff != "" {
		t.Error(diff)
	}
	done := send(t, "POST", base+id+"/complete", worker, nil)
	if done.status != 200 || !strings.Contains(done.body, `"mime":"image/jpeg"`) || strings.Contains(done.body, "private") || strings.Contains(done.body, worker) {
		t.Errorf("complete: %d %s", done.status, done.body)
	}
	if got := send(t, "DELETE", base+id, worker, nil); got.status != 404 {
		t.Errorf("remove what is complete: %d", got.status)
	}
	if f, err := s.File(id); err != nil || f.MIME != "image/jpeg" {
		t.Errorf("stored %+v (%v)", f, err)
	}
}
