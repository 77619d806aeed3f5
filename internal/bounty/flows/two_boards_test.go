package flows

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/legwork-mcp/legwork/internal/store"
)

// callers is how many ask for the same at once, half of them each board.
const callers = 100

// accepted stands for the status of an answer of call_human with somebody in it.
const accepted = -1

// reply is what a caller got.
type reply struct {
	status int
	body   args
}

// atOnce has all callers post the same to the boards in turns.
func atOnce(t *testing.T, boards []*board, key, retry, path string, body func(n int) args) []reply {
	t.Helper()
	out := make([]reply, callers)
	var all sync.WaitGroup
	for n := range callers {
		all.Go(func() {
			raw, err := json.Marshal(body(n))
			if err != nil {
				t.Error(err)
				return
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, boards[n%len(boards)].url+path, bytes.NewReader(raw))
			if err != nil {
				t.Error(err)
				return
			}
			req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + key}}
			if key == "" {
				req.Header.Del("Authorization")
			}
			if retry != "" {
				req.Header.Set("Idempotency-Key", retry)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			out[n].status = res.StatusCode
			if err := json.NewDecoder(res.Body).Decode(&out[n].body); err != nil {
				t.Error(err)
			}
			if out[n].body.string("status") == "accepted" && out[n].body.string("task_id") != "" && path == "/api/call_human" {
				out[n].status = accepted
			}
		})
	}
	all.Wait()
	return out
}

// twoBoards are two processes on one database, with an owner and workers.
type twoBoards struct {
	*testing.T
	boards  []*board
	owner   *person
	workers []*person
}

func startTwo(t *testing.T, u store.URL) *twoBoards {
	t.Helper()
	env := []string{"LEGWORK_BOARD_DIR=" + t.TempDir(), "LEGWORK_BOARD_CALLS_PER_MINUTE=100000", "LEGWORK_BOARD_DAILY_CAP_JPY=1000000"}
	b := &twoBoards{T: t, boards: []*board{startBoard(t, u, env...), startBoard(t, u, env...)}}
	b.owner = &person{board: b.boards[0]}
	b.owner.session = b.owner.must(t, "POST", "/api/ai/accounts", args{"name": "Owner", "paypal_email": "two@agents.test"}).string("api_key")
	for n, name := range []string{"first", "second", "third"} {
		b.workers = append(b.workers, b.boards[n%2].signIn(t, name+"@people.test"))
	}
	return b
}

// race has all callers post the same as somebody; one wins with the status, and each of
// the others is told one of the reasons.
func (b *twoBoards) race(as, path string, body func(n int) args, won int, reasons ...string) (winner int) {
	b.Helper()
	wins := 0
	for n, r := range atOnce(b.T, b.boards, as, "", path, body) {
		if r.status == won {
			winner, wins = n, wins+1
		} else if !slices.Contains(reasons, r.body.string("reason")) {
			b.Errorf("%s, caller %d: %d %v", path, n, r.status, r.body)
		}
	}
	if wins != 1 {
		b.Fatalf("%d of %d callers of %s won", wins, callers, path)
	}
	return winner
}

// TestTwoBoardsOnOneDatabase: of a hundred callers of two processes who want what only one
// can have, one gets it, whichever process was asked, and a retry key makes one task.
func TestTwoBoardsOnOneDatabase(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := startTwo(t, u)
		task := b.postOnce()
		b.choose(task)
		b.pay(task)
		b.rotate()
		b.call()
		b.connect()
	})
}

func same(body args) func(int) args { return func(int) args { return body } }

// postOnce posts a task with one retry key.
func (b *twoBoards) postOnce() (task string) {
	b.Helper()
	made := map[string]int{}
	for n, r := range atOnce(b.T, b.boards, b.owner.session, "once", "/api/tasks", same(asTask("real_world_verification", "text", nil))) {
		if r.status != http.StatusCreated {
			b.Errorf("posting with one key, caller %d: %d %v", n, r.status, r.body)
		}
		task = r.body.string("id")
		made[task]++
	}
	if len(made) != 1 || task == "" {
		b.Fatalf("one key made the tasks %v", made)
	}
	return task
}

// choose has two people apply, again and again, and one chosen.
func (b *twoBoards) choose(task string) {
	b.Helper()
	two := b.workers[:2]
	for _, w := range two {
		b.race(w.session, "/api/tasks/"+task+"/apply", same(args{"cover_letter": "I live near.", "availability": "today"}), http.StatusCreated, "already_applied")
	}
	var applied []string
	for _, a := range b.owner.must(b.T, "GET", "/api/tasks/"+task+"/applications", nil).at("applications").([]any) {
		applied = append(applied, args(a.(map[string]any)).string("id"))
	}
	if len(applied) != len(two) {
		b.Fatalf("the applications are %v", applied)
	}
	chosen := func(n int) string { return applied[n/2%2] } // both at each board
	won := chosen(b.race(b.owner.session, "/api/tasks/"+task+"/accept-application", func(n int) args { return args{"application_id": chosen(n)} },
		http.StatusOK, "already_assigned", "application_not_pending"))
	for n, w := range two { // at the board that did not sign them in
		w.board = b.boards[1-n]
		mine := w.must(b.T, "GET", "/api/tasks/"+task+"/apply", nil)
		want := "declined"
		if mine.string("application", "id") == won {
			want = "accepted"
			b.workers[0], b.workers[1] = w, b.workers[1-n] // who has the task comes first
		}
		if state := mine.string("application", "status"); state != want {
			b.Errorf("application %s is %s, and %s was chosen", mine.string("application", "id"), state, won)
		}
	}
}

// pay has one delivery of many attempts approved many times, and paid once.
func (b *twoBoards) pay(task string) {
	b.Helper()
	worker := b.workers[0]
	b.race(worker.session, "/api/submissions", same(args{"task_id": task, "type": "text", "text": "From nine to twelve."}), http.StatusCreated, "not_assigned", "invalid_task_status")
	for n, r := range atOnce(b.T, b.boards, b.owner.session, "", "/api/tasks/"+task+"/approve", same(args{})) {
		if r.status != http.StatusOK || r.body.string("status") != "completed" {
			b.Errorf("approving, caller %d: %d %v", n, r.status, r.body)
		}
	}
	await(b.T, "the pay-out", func() bool { return worker.moved(b.T)["pay_out"] > 0 })
	if got := worker.moved(b.T); got["release"] != 1200 || got["pay_out"] != 1200 {
		b.Errorf("the worker got %v, want 1200 yen once", got)
	}
}

// rotate has a key followed by one other.
func (b *twoBoards) rotate() {
	b.Helper()
	key := b.owner.must(b.T, "POST", "/api/ai/keys", args{"name": "second"}).string("id")
	b.race(b.owner.session, "/api/ai/keys/"+key+"/rotate", same(args{}), http.StatusOK, "not_found")
	if n := len(b.owner.must(b.T, "GET", "/api/ai/keys", nil).at("keys").([]any)); n != 3 {
		b.Errorf("%d keys, want the first, the second and its successor", n)
	}
}

// call has one person, who takes one task at a time, asked for at once by everybody.
func (b *twoBoards) call() {
	b.Helper()
	worker := b.workers[2]
	worker.must(b.T, "POST", "/api/me", args{"instant": args{"on": true, "cap": 1}})
	stop := worker.sayYes(b.T)
	b.race(b.owner.session, "/api/call_human", func(n int) args {
		return asTask("real_world_verification", "text", args{"amount_minor": 800, "consent_wait_seconds": 8, "client_ref": fmt.Sprint("call", n)})
	}, accepted, "no_human_available")
	if n := stop(); n != 1 {
		b.Errorf("the one person took %d tasks, and takes one at a time", n)
	}
}

// connect has an account made for one address.
func (b *twoBoards) connect() {
	b.Helper()
	keys := 0
	for n, r := range atOnce(b.T, b.boards, "", "", "/api/ai/accounts", same(args{"name": "Many", "paypal_email": "many@agents.test"})) {
		if r.body.string("api_key") != "" {
			keys++
		} else if !slices.Contains([]string{"verification_required", "rate_limited"}, cmp.Or(r.body.string("reason"), r.body.string("status"))) {
			b.Errorf("connecting, caller %d: %d %v", n, r.status, r.body)
		}
	}
	if keys != 1 {
		b.Errorf("%d keys for one address", keys)
	}
}
