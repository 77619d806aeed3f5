package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// agent is an account with its first key.
type agent struct{ id, key string }

// worker is a person with a session.
type worker struct{ id, email, session string }

var numbers = struct {
	sync.Mutex
	n int
}{}

// unique makes names that no other test of the package has.
func unique() int {
	numbers.Lock()
	defer numbers.Unlock()
	numbers.n++
	return numbers.n
}

func (b *bench) agent() agent {
	b.Helper()
	a := b.must(200, call{method: "POST", path: "/api/ai/accounts", body: map[string]any{"name": "Scout", "paypal_email": fmt.Sprintf("agent%d@requester.jp", unique())}})
	return agent{a.json["account_id"].(string), a.json["api_key"].(string)}
}

func (b *bench) worker() worker {
	b.Helper()
	return b.signIn(fmt.Sprintf("worker%d@people.jp", unique()))
}

func (b *bench) signIn(email string) worker {
	b.Helper()
	sent := b.must(200, call{method: "POST", path: "/api/humans/sign-in", body: map[string]any{"email": email}})
	in := b.must(200, call{method: "POST", path: "/api/humans/sign-in/confirm", body: map[string]any{"verification_id": sent.json["verification_id"], "code": b.mails.code(b.T, email)}})
	return worker{in.json["me"].(map[string]any)["id"].(string), email, in.json["session"].(string)}
}

func (b *bench) operator() worker {
	b.Helper()
	w := b.worker()
	if err := b.board.SetOperator(b.Context(), w.id, true); err != nil {
		b.Fatal(err)
	}
	return w
}

// errand is the body of a new task.
func errand(change ...func(map[string]any)) map[string]any {
	body := map[string]any{
		"task": "Please photograph the front of the bakery at the station exit.", "origin_country": "US", "task_label": "real_world_verification",
		"acceptance_criteria": "The sign can be read.", "not_allowed": "Do not enter the shop.", "budget_usd": 12.5, "deliverable": "text",
		"deadline_minutes": 600, "location": "Shibuya", "exact_location": "1-2-3 Dogenzaka",
	}
	for _, f := range change {
		f(body)
	}
	return body
}

func (b *bench) post(a agent, change ...func(map[string]any)) string {
	b.Helper()
	return b.must(201, call{method: "POST", path: "/api/tasks", as: a.key, body: errand(change...)}).json["id"].(string)
}

// assign has the worker apply and the agent choose.
func (b *bench) assign(a agent, w worker, id string) {
	b.Helper()
	applied := b.must(201, call{method: "POST", path: "/api/tasks/" + id + "/apply", as: w.session, body: map[string]any{"cover_letter": "I live nearby.", "availability": "today"}})
	b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/accept-application", as: a.key, body: map[string]any{"application_id": applied.json["application_id"]}})
}

// deliver has the worker submit a text.
func (b *bench) deliver(w worker, id string) answered {
	b.Helper()
	return b.must(201, call{method: "POST", path: "/api/submissions", as: w.session, body: map[string]any{"task_id": id, "type": "text", "text": "The sign says Pan no Ie."}})
}

// task reads a task as somebody; "" is nobody.
func (b *bench) task(as, id string) map[string]any {
	b.Helper()
	return b.must(200, call{method: "GET", path: "/api/tasks?task_id=" + id, as: as}).json["task"].(map[string]any)
}

// shelf keeps files in memory.
type shelf struct {
	mu    sync.Mutex
	files map[string]data.Item
	owner map[string]string
}

func newShelf() *shelf { return &shelf{files: map[string]data.Item{}, owner: map[string]string{}} }

func (s *shelf) Link(file string, viewer task.Actor) (string, time.Time) {
	return "/files/" + file + "?for=" + OwnerOf(viewer), time.Now().Add(time.Minute)
}

func (s *shelf) Take(_ context.Context, by task.Actor, kind task.Deliverable, r io.Reader) (data.Item, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return data.Item{}, err
	}
	if !strings.HasPrefix(string(raw), "picture") {
		return data.Item{}, task.Refuse(task.InvalidFileType)
	}
	sum := sha256.Sum256(raw)
	item := data.Item{Kind: kind, Upload: fmt.Sprintf("%x-%d", sum[:8], unique()), SHA256: hex.EncodeToString(sum[:]), MIME: "image/jpeg", Bytes: int64(len(raw))}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[item.Upload], s.owner[item.Upload] = item, OwnerOf(by)
	return item, nil
}

func (s *shelf) Owned(_ context.Context, by task.Actor, upload string) (data.Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owner[upload] != OwnerOf(by) {
		return data.Item{}, task.Refuse(task.NotFound)
	}
	return s.files[upload], nil
}
