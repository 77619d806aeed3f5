package board

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

func TestMain(m *testing.M) { os.Exit(databases.Run(m)) }

// site is a board over real HTTP.
type site struct {
	*testing.T
	board *Board
	url   string
}

func options(t *testing.T, u store.URL) Options {
	t.Helper()
	dir := t.TempDir()
	secrets, err := LoadSecrets(dir, Secrets{})
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Database: u, Dir: dir, Secrets: secrets, DevMail: true, AllowPrivateWebhooks: true, Operators: []string{"Boss@Board.jp"},
		FeeBPS: 2000, Version: "test", Logger: slog.New(slog.DiscardHandler),
	}
}

func open(t *testing.T, o Options) *site {
	t.Helper()
	srv := httptest.NewUnstartedServer(nil)
	o.BaseURL = "http://" + srv.Listener.Addr().String()
	b, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	srv.Config.Handler = b.Handler()
	srv.Start()
	t.Cleanup(func() {
		srv.Close()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return &site{t, b, o.BaseURL}
}

// request sends a request and returns the status, the header and the body.
func (s *site) request(method, url, as string, body io.Reader, header map[string]string) (int, http.Header, string) {
	s.Helper()
	if !strings.HasPrefix(url, "http") {
		url = s.url + url
	}
	req, err := http.NewRequestWithContext(s.Context(), method, url, body)
	if err != nil {
		s.Fatal(err)
	}
	if as != "" {
		req.Header.Set("Authorization", "Bearer "+as)
	}
	for k, v := range header {
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		s.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(raw)
}

// json sends and reads JSON, and fails for anything but a success.
func (s *site) json(method, path, as string, body any) map[string]any {
	s.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		s.Fatal(err)
	}
	status, _, text := s.request(method, path, as, bytes.NewReader(raw), map[string]string{"Content-Type": "application/json"})
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil || status/100 != 2 {
		s.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	return out
}

// running has the board do its jobs until the test ends.
func (s *site) running() {
	s.Helper()
	done := make(chan error, 1)
	go func() { done <- s.board.Run(s.Context()) }()
	s.Cleanup(func() {
		if err := <-done; err != nil {
			s.Error(err)
		}
	})
}

// until asks again and again until there is an answer.
func until[T any](s *site, what string, ask func() (T, bool)) T {
	s.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(time.Minute)
	for {
		if v, ok := ask(); ok {
			return v
		}
		select {
		case <-timeout:
			s.Fatalf("no %s", what)
		case <-tick.C:
		}
	}
}

// signIn signs a person in with the code of the mailbox page; jobs must run.
func (s *site) signIn(email string) (id, session string) {
	s.Helper()
	sent := s.json("POST", "/api/humans/sign-in", "", map[string]any{"email": email})
	code := until(s, "code in the mailbox", func() (string, bool) {
		letters, err := s.board.mailbox().Letters(s.Context(), 20)
		if err != nil {
			s.Fatal(err)
		}
		for _, l := range letters {
			if strings.EqualFold(l.To, email) {
				for _, word := range strings.Fields(l.Subject + " " + l.Body) {
					word = strings.Trim(word, "。.:：")
					if len(word) >= 6 && strings.Trim(word, "0123456789") == "" {
						return word, true
					}
				}
			}
		}
		return "", false
	})
	in := s.json("POST", "/api/humans/sign-in/confirm", "", map[string]any{"verification_id": sent["verification_id"], "code": code})
	return in["me"].(map[string]any)["id"].(string), in["session"].(string)
}

func (s *site) agent() string {
	s.Helper()
	return s.json("POST", "/api/ai/accounts", "", map[string]any{"name": "Scout", "paypal_email": "scout@requester.jp"})["api_key"].(string)
}

func errand(deliverable string) map[string]any {
	return map[string]any{
		"task": "Please photograph the bakery at the station exit.", "origin_country": "US", "task_label": "real_world_verification",
		"acceptance_criteria": "The sign can be read.", "not_allowed": "Do not enter.", "budget_usd": 10, "deliverable": deliverable, "deadline_minutes": 600,
	}
}

// TestPhotosThroughTheBoard: uploads in parts, a delivery, and links that work for
// whom they are made and nobody else.
func TestPhotosThroughTheBoard(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		s := open(t, options(t, u))
		s.running()
		key := s.agent()
		me, session := s.signIn("hana@people.jp")
		_, other := s.signIn("taro@people.jp")
		id := s.json("POST", "/api/tasks", key, errand("photo"))["id"].(string)
		applied := s.json("POST", "/api/tasks/"+id+"/apply", session, map[string]any{"cover_letter": "Near.", "availability": "now"})
		s.json("POST", "/api/tasks/"+id+"/accept-application", key, map[string]any{"application_id": applied["application_id"]})

		upload := s.upload(session, picture(t))
		if status, _, text := s.request("POST", "/api/submissions", other, strings.NewReader(fmt.Sprintf(`{"task_id":%q,"type":"photo","items":[{"upload_id":%q}]}`, id, upload)), map[string]string{"Content-Type": "application/json"}); status != 404 && status != 403 {
			t.Errorf("somebody else delivers it: %d %s", status, text)
		}
		s.json("POST", "/api/submissions", session, map[string]any{"task_id": id, "type": "photo", "items": []any{map[string]any{"upload_id": upload}}})

		read := func(as string) string {
			return s.json("GET", "/api/tasks/"+id, as, nil)["task"].(map[string]any)["submission"].(map[string]any)["content_url"].(string)
		}
		agents, persons := read(key), read(session)
		status, header, body := s.request("GET", agents, "", nil, nil)
		if status != 200 || header.Get("Content-Type") != "image/jpeg" || header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(header.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("the agent's link: %d %v", status, header)
		}
		if _, err := jpeg.Decode(strings.NewReader(body)); err != nil {
			t.Errorf("what it leads to: %v", err)
		}
		if status, _, _ := s.request("GET", persons, session, nil, nil); status != 200 {
			t.Errorf("the person's link for %s: %d", me, status)
		}
		for name, as := range map[string]string{"somebody else": other, "nobody": "", "the agent": key} {
			if status, _, _ := s.request("GET", persons, as, nil, nil); status == 200 {
				t.Errorf("the person's link works for %s", name)
			}
		}
		if status, _, _ := s.request("GET", strings.Replace(agents, "/full?", "/thumb?", 1), "", nil, nil); status == 200 {
			t.Error("a link that was changed works")
		}
	})
}

// upload sends a photo in two parts.
func (s *site) upload(session string, photo []byte) string {
	s.Helper()
	size := fmt.Sprint(len(photo))
	status, header, text := s.request("POST", "/api/uploads/", session, nil, map[string]string{"Upload-Length": size, "Upload-Metadata": "kind cGhvdG8="})
	if status != 201 {
		s.Fatalf("begin an upload: %d %s", status, text)
	}
	path := "/api/uploads/" + header.Get("Location")
	half := len(photo) / 2
	s.part(path, session, 0, photo[:half])
	s.part(path, session, half, photo[half:])
	status, _, text = s.request("POST", path+"/complete", session, nil, nil)
	var kept struct{ ID string }
	if err := json.Unmarshal([]byte(text), &kept); err != nil || status/100 != 2 || kept.ID == "" {
		s.Fatalf("complete an upload: %d %s", status, text)
	}
	return kept.ID
}

func (s *site) part(path, session string, offset int, part []byte) {
	s.Helper()
	status, _, text := s.request("PATCH", path, session, bytes.NewReader(part), map[string]string{"Upload-Offset": fmt.Sprint(offset), "Content-Type": "application/offset+octet-stream"})
	if status != 204 {
		s.Fatalf("send a part: %d %s", status, text)
	}
}

func picture(t *testing.T) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 640, 480))
	for y := range 480 {
		for x := range 640 {
			m.Set(x, y, color.RGBA{uint8(x), uint8(y), uint8(x * y), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWebhooksArrive: what happens reaches the address that an agent named, signed.
func TestWebhooksArrive(t *testing.T) {
	s := open(t, options(t, databases.SQLite(t)))
	s.running()
	var mu sync.Mutex
	var got []string
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		signed := ""
		for name, v := range r.Header {
			if strings.Contains(strings.ToLower(name), "signature") {
				signed = v[0]
			}
		}
		got = append(got, signed+" "+string(raw))
	}))
	defer hook.Close()
	key := s.agent()
	s.json("POST", "/api/webhooks", key, map[string]any{"url": hook.URL})
	id := s.json("POST", "/api/tasks", key, errand("text"))["id"].(string)
	first := until(s, "delivery", func() (string, bool) {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(got, "\n"), len(got) > 0
	})
	if !strings.HasPrefix(first, "t=") || !strings.Contains(first, "v1=") || !strings.Contains(first, `"task.created"`) || !strings.Contains(first, id) {
		t.Errorf("the delivery: %s", first)
	}
	log := until(s, "log of the delivery", func() ([]any, bool) {
		hooks := s.json("GET", "/api/webhooks", key, nil)["webhooks"].([]any)
		all := s.json("GET", "/api/webhooks/"+hooks[0].(map[string]any)["id"].(string)+"/deliveries", key, nil)["deliveries"].([]any)
		return all, len(all) > 0 && all[0].(map[string]any)["state"] == "delivered"
	})
	if len(log) != 1 {
		t.Errorf("the log has %d deliveries", len(log))
	}
}

// TestOperators: the owner of a configured address is an operator, in any case of its
// letters; nobody else is.
func TestOperators(t *testing.T) {
	s := open(t, options(t, databases.SQLite(t)))
	s.running()
	_, boss := s.signIn("boss@board.jp")
	_, other := s.signIn("boss@elsewhere.jp")
	if got := s.json("GET", "/api/operator/audit", boss, nil)["problems"].([]any); len(got) != 0 {
		t.Errorf("the ledger: %v", got)
	}
	if status, _, _ := s.request("GET", "/api/operator/audit", other, nil, nil); status != 403 {
		t.Errorf("somebody else: %d", status)
	}
}

// TestRestart: another process on the same database knows keys, sessions and tasks.
func TestRestart(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		o := options(t, u)
		first := open(t, o)
		key := first.agent()
		id := first.json("POST", "/api/tasks", key, errand("text"))["id"].(string)
		again := o
		var err error
		if again.Secrets, err = LoadSecrets(o.Dir, Secrets{}); err != nil {
			t.Fatal(err)
		}
		second := open(t, again)
		if got := second.json("GET", "/api/tasks/"+id, key, nil)["task"].(map[string]any); got["id"] != id {
			t.Errorf("after the restart: %v", got)
		}
	})
}

// TestProbes: /ready turns when the board goes away, and when its database is gone.
func TestProbes(t *testing.T) {
	s := open(t, options(t, databases.SQLite(t)))
	for _, path := range []string{"/health", "/ready"} {
		if status, _, text := s.request("GET", path, "", nil, nil); status != 200 {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	s.board.Drain()
	if status, _, text := s.request("GET", "/ready", "", nil, nil); status != 503 || !strings.Contains(text, "shutting_down") {
		t.Errorf("while it stops: %d %s", status, text)
	}
	if status, _, _ := s.request("GET", "/health", "", nil, nil); status != 200 {
		t.Errorf("health while it stops: %d", status)
	}
	o, log := options(t, databases.SQLite(t)), &strings.Builder{}
	o.Logger = slog.New(slog.NewTextHandler(log, nil))
	s = open(t, o)
	if err := s.board.db.Close(); err != nil {
		t.Fatal(err)
	}
	_, path, _ := strings.Cut(string(o.Database), ":")
	status, _, text := s.request("GET", "/ready", "", nil, nil)
	if status != 503 || !strings.Contains(text, "database_unavailable") || strings.Contains(text, path) || !strings.Contains(log.String(), path) {
		t.Errorf("without its database: %d %s\nthe log: %s", status, text, log)
	}
}

// TestPages: the pages are there beside the API, and the mailbox page only when it is
// wanted.
func TestPages(t *testing.T) {
	o := options(t, databases.SQLite(t))
	s := open(t, o)
	for path, want := range map[string]int{"/": 200, "/login": 200, "/dev/mail": 200, "/ops": 303, "/nothing": 404} {
		if status, header, _ := s.request("GET", path, "", nil, nil); status != want || header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d, want %d; %v", path, status, want, header)
		}
	}
	o.DevMail, o.Database = false, databases.SQLite(t)
	if status, _, _ := open(t, o).request("GET", "/dev/mail", "", nil, nil); status != 404 {
		t.Errorf("the mailbox without the setting: %d", status)
	}
}

// TestOtherNames: a name that somebody made lead to this machine gets nothing.
func TestOtherNames(t *testing.T) {
	s := open(t, options(t, databases.SQLite(t)))
	for host, want := range map[string]int{"evil.example": 403, "evil.example:80": 403, "localhost": 200, "127.0.0.1:7": 200, "[::1]:7": 200} {
		r := httptest.NewRequest("GET", "/dev/mail", nil)
		r.Host = host
		w := httptest.NewRecorder()
		s.board.Handler().ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("under the name %s: %d, want %d", host, w.Code, want)
		}
	}
}

// TestClientAddress: what a stranger says of his address counts only when a proxy that
// the board knows passed it on, and only the last part that no proxy has.
func TestClientAddress(t *testing.T) {
	b := &Board{o: Options{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.1/32")}}}
	for name, c := range map[string]struct{ remote, forwarded, want string }{
		"direct":                 {"203.0.113.9:1", "", "203.0.113.9"},
		"direct, with a lie":     {"203.0.113.9:1", "198.51.100.1", "203.0.113.9"},
		"by a proxy":             {"10.1.2.3:1", "203.0.113.9", "203.0.113.9"},
		"by two":                 {"127.0.0.1:1", "203.0.113.9, 10.1.2.3", "203.0.113.9"},
		"by a proxy, with a lie": {"10.1.2.3:1", "1.1.1.1, 203.0.113.9", "203.0.113.9"},
		"nonsense":               {"10.1.2.3:1", "203.0.113.9, <script>", "10.1.2.3"},
		"mapped":                 {"[::ffff:203.0.113.9]:1", "", "203.0.113.9"},
		"a network of IPv6":      {"[2001:db8:1:2:3:4:5:6]:1", "", "2001:db8:1:2::/64"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := b.clientAddress(r); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestSecrets: made once, by however many processes, for their owner alone.
func TestSecrets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "board")
	all := make([]Secrets, 8)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() {
			var err error
			if all[i], err = LoadSecrets(dir, Secrets{}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, s := range all {
		if s != all[0] || len(s.Pepper) != 64 || s.Pepper == s.SigningKey {
			t.Fatalf("not the same secrets, or no good ones")
		}
	}
	file := filepath.Join(dir, "secrets.json")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v: %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".secrets-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	given := Secrets{Pepper: strings.Repeat("p", 32)}
	if got, err := LoadSecrets(dir, given); err != nil || got.Pepper != given.Pepper || got.SigningKey != all[0].SigningKey {
		t.Errorf("a given pepper: %v", err)
	}
	if _, err := LoadSecrets(dir, Secrets{Pepper: "short"}); err == nil || strings.Contains(err.Error(), "short\"") {
		t.Errorf("a short pepper: %v", err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadSecrets(dir, Secrets{}); err == nil {
		t.Error("secrets that others can read are taken")
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadSecrets(dir, Secrets{}); err == nil {
		t.Error("a file without secrets is replaced or taken")
	}
}
