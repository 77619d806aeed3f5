package flows

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/legwork-mcp/legwork/internal/store"
)

// callers is how many ask for the same at once, half of them each board.
const callers = 100

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
		})
	}
	all.Wait()
	return out
}

// TestTwoBoardsOnOneDatabase: of a hundred callers of two processes who want what only one
// can have, one gets it, whichever process was asked, and a retry key makes one task.
func TestTwoBoardsOnOneDatabase(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		secrets := "LEGWORK_BOARD_DIR=" + t.TempDir()
		boards := []*board{startBoard(t, u, secrets), startBoard(t, u, secrets)}
		owner := &person{board: boards[0]}
		owner.session = owner.must(t, "POST", "/api/ai/accounts", args{"name": "Owner", "paypal_email": "two@agents.test"}).string("api_key")
		workers := []*person{boards[0].signIn(t, "first@people.test"), boards[1].signIn(t, "second@people.test")}

		made := map[string]int{}
		for _, r := range atOnce(t, boards, owner.session, "once", "/api/tasks", func(int) args { return asTask("real_world_verification", "text", nil) }) {
			if r.status != http.StatusCreated && r.body.string("reason") != "idempotency_in_progress" {
				t.Errorf("posting with one key: %d %v", r.status, r.body)
			}
			if r.status == http.StatusCreated {
				made[r.body.string("id")]++
			}
		}
		if len(made) != 1 {
			t.Fatalf("one key made the tasks %v", made)
		}
		var task string
		for id := range made {
			task = id
		}
		for _, w := range workers {
			w.apply(t, task)
		}
		var applied []string
		for _, a := range owner.must(t, "GET", "/api/tasks/"+task+"/applications", nil).at("applications").([]any) {
			applied = append(applied, args(a.(map[string]any)).string("id"))
		}
		if len(applied) != len(workers) {
			t.Fatalf("the applications are %v", applied)
		}
		var won []string
		for n, r := range atOnce(t, boards, owner.session, "", "/api/tasks/"+task+"/accept-application", func(n int) args {
			return args{"application_id": applied[n/2%2]} // both at each board
		}) {
			switch r.status {
			case http.StatusOK:
				won = append(won, applied[n/2%2])
			case http.StatusConflict:
			default:
				t.Errorf("choosing an applicant: %d %v", r.status, r.body)
			}
		}
		if len(won) != 1 {
			t.Fatalf("%d callers chose an applicant: %v", len(won), won)
		}
		for n, w := range workers { // at the board that did not sign them in
			w.board = boards[1-n]
			state, _ := w.must(t, "GET", "/api/tasks/"+task+"/apply", nil).at("application", "status").(string)
			if chosen := state == "accepted"; chosen != (applied[n] == won[0]) || !slices.Contains([]string{"accepted", "declined"}, state) {
				t.Errorf("application %s is %s, and %s was chosen", applied[n], state, won[0])
			}
		}
	})
}
