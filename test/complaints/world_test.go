package complaints

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/api"
	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/webhook"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

func TestMain(m *testing.M) { os.Exit(databases.Run(m)) }

// world is a board over real HTTP whose time the tests set. Its jobs are kept, and
// run when a test says so.
type world struct {
	*testing.T
	url   string
	board *data.Board
	log   *lockedBuffer
	agent string // key of an agent's account

	mu   sync.Mutex
	at   time.Time
	jobs []data.Job
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

func (w *world) forward(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(d)
}

// Enqueue implements data.Outbox.
func (w *world) Enqueue(_ context.Context, _ store.Tx, j data.Job) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.jobs = append(w.jobs, j)
	return nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, log: &lockedBuffer{}, at: time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)}
	db := storetest.Open(t, databases.SQLite(t)).WithClock(w.now)
	var err error
	w.board, err = data.Open(db, data.Options{Pepper: []byte(strings.Repeat("pepper", 6)), Provider: money.NewFake(), Outbox: w, Operators: []string{"op@people.example"}})
	if err != nil {
		t.Fatal(err)
	}
	hooks := webhook.New(db, webhook.Options{
		Key: []byte(strings.Repeat("key!", 8)), Types: api.EventTypes(), NewID: func() string { return "id" },
		Later: func(context.Context, store.Tx, string) error { return nil },
	})
	server := httptest.NewServer(api.New(api.Options{
		Board: w.board, Webhooks: hooks, Version: "test", Clock: w.now,
		Logger: slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}))
	t.Cleanup(server.Close)
	w.url = server.URL
	w.agent = w.connect("Ada's agent", "ada@agents.example")
	return w
}

// object is a JSON object of an answer.
type object map[string]any

func (o object) text(key string) string { s, _ := o[key].(string); return s }

func (o object) object(key string) object { m, _ := o[key].(map[string]any); return m }

func (o object) list(key string) (all []object) {
	list, _ := o[key].([]any)
	for _, v := range list {
		m, _ := v.(map[string]any)
		all = append(all, m)
	}
	return all
}

// do sends a request as the holder of a key or session, and returns status and body.
func (w *world) do(as, call string, body object) (int, object) {
	w.Helper()
	return w.doKeyed(as, call, body, "")
}

func (w *world) doKeyed(as, call string, body object, key string) (int, object) {
	w.Helper()
	method, path, _ := strings.Cut(call, " ")
	var r io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			w.Fatal(err)
		}
		r = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(w.Context(), method, w.url+path, r)
	if err != nil {
		w.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if as != "" {
		req.Header.Set("Authorization", "Bearer "+as)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		w.Fatal(err)
	}
	var out object
	if err := json.Unmarshal(raw, &out); err != nil {
		w.Fatalf("%s answers %q", call, raw)
	}
	return res.StatusCode, out
}

// must is do for calls that work.
func (w *world) must(as, call string, body object) object {
	w.Helper()
	status, out := w.do(as, call, body)
	if status >= 300 {
		w.Fatalf("%s: %d %v", call, status, out)
	}
	return out
}

// refused wants a refusal with the reason, and that it says in words what to do.
func (w *world) refused(as, call string, body object, reason string) object {
	w.Helper()
	status, out := w.do(as, call, body)
	if status < 400 || out.text("reason") != reason {
		w.Errorf("%s: %d %v, want the reason %s", call, status, out, reason)
	}
	return out
}

func (w *world) connect(name, email string) string {
	w.Helper()
	return w.must("", "POST /api/ai/accounts", object{"name": name, "paypal_email": email}).text("api_key")
}

// person signs somebody in and returns the session.
func (w *world) person(name string) string {
	w.Helper()
	sent := w.must("", "POST /api/humans/sign-in", object{"email": name + "@people.example"})
	w.mu.Lock()
	var code string
	for _, j := range w.jobs {
		if j.Mail != nil && strings.HasPrefix(j.Mail.To, name+"@") {
			code = j.Mail.Values["code"]
		}
	}
	w.mu.Unlock()
	session := w.must("", "POST /api/humans/sign-in/confirm", object{"verification_id": sent.text("verification_id"), "code": code}).text("session")
	w.must(session, "POST /api/me", object{"handle": name, "instant": object{"on": false, "quiet_from": 0, "quiet_to": 0, "cap": 20}})
	return session
}

func errand(change object) object {
	o := object{
		"task": "Look whether the shop is open and note the hours.", "origin_country": "US", "task_label": "real_world_verification",
		"acceptance_criteria": "The hours on the door, as written.", "not_allowed": "Do not enter.", "budget_usd": 10, "deliverable": "text", "deadline_minutes": 600,
	}
	for k, v := range change {
		o[k] = v
	}
	return o
}

func (w *world) post(change object) string {
	w.Helper()
	return w.must(w.agent, "POST /api/tasks", errand(change)).text("id")
}

func (w *world) apply(session, id string) string {
	w.Helper()
	return w.must(session, "POST /api/tasks/"+id+"/apply", object{"cover_letter": "I live near.", "availability": "today"}).text("application_id")
}

// accepted is an errand that the person works on.
func (w *world) accepted(session string) string {
	w.Helper()
	id := w.post(nil)
	w.must(w.agent, "POST /api/tasks/"+id+"/accept-application", object{"application_id": w.apply(session, id)})
	return id
}

func (w *world) submit(session, id, text string) {
	w.Helper()
	w.must(session, "POST /api/submissions", object{"task_id": id, "type": "text", "text": text})
}

// delivered is an errand that waits for a review.
func (w *world) delivered(session string) string {
	w.Helper()
	id := w.accepted(session)
	w.submit(session, id, "Open from 9 to 21.")
	return id
}

// task is the errand as somebody reads it.
func (w *world) task(as, id string) object {
	w.Helper()
	return w.must(as, "GET /api/tasks/"+id+"?lang=ja", nil).object("task")
}

// balance is what the person earned, in cents.
func (w *world) balance(session string) float64 {
	w.Helper()
	usd, _ := w.must(session, "GET /api/me", nil).object("balance")["USD"].(float64)
	return usd
}

// due runs the jobs of the kind whose time has come.
func (w *world) due(kind task.Job, run func(ctx context.Context, id string) error) (ran int) {
	w.Helper()
	w.mu.Lock()
	jobs := append([]data.Job(nil), w.jobs...)
	at := w.at
	w.mu.Unlock()
	for _, j := range jobs {
		if j.Kind == kind && !j.At.After(at) {
			if err := run(w.Context(), j.ID); err != nil && task.ReasonOf(err) == "" {
				w.Errorf("%s: %v", kind, err)
			}
			ran++
		}
	}
	return ran
}

func names(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("p%02d", i))
	}
	return all
}
