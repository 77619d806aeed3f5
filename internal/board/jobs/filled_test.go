package jobs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/store"
)

// writeFilled makes a board with a task in every state and rows in every table, and
// writes them down.
func writeFilled(t *testing.T) {
	u := databases.SQLite(t)
	l := newLive(t, u)
	l.run(t)
	address, _ := hook(t)
	if _, _, err := l.jobs.Hooks.Create(t.Context(), l.agent.ID, address, nil); err != nil {
		t.Fatal(err)
	}
	ann := l.signIn(t, "ann")
	l.fillPerson(t, ann)
	l.fillTasks(t, ann)
	l.fillOthers(t, ann)
	l.idle(t)
	text, version, there := "", number(t, l.db, "SELECT MAX(version_id) FROM goose_db_version"), tables(t, l.db)
	for _, table := range filled {
		if slices.Contains(there, table) {
			rows := dump(t, l.db, table)
			if rows == "" {
				t.Errorf("%s is empty", table)
			}
			text += rows
		}
	}
	if err := os.MkdirAll("testdata", 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", fmt.Sprintf("board-v%d.sql", version)), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fillPerson has somebody say everything about themselves that one can.
func (l *live) fillPerson(t *testing.T, by task.Actor) {
	t.Helper()
	p := must(l.Person(t.Context(), by.ID))(t)
	p.Prefecture, p.City, p.Areas, p.Skills, p.Languages, p.Bio = "東京都", "渋谷区", []string{"東京都"}, []string{"写真"}, []string{"ja"}, "It's me; 'hello'"
	p.Instant = data.Instant{On: true, Cap: 100, QuietFrom: 60, QuietTo: 120, Floors: data.Caps{"USD": 100}}
	for day := range 7 {
		p.Instant.Hours = append(p.Instant.Hours, data.Hours{Day: time.Weekday(day), From: 0, To: 1440})
	}
	must(l.SavePerson(t.Context(), p))(t)
	if err := l.LinkIdentity(t.Context(), by.ID, data.Identity{Provider: "https://issuer.example", Subject: "ann-1"}); err != nil {
		t.Fatal(err)
	}
}

// fillTasks brings tasks into every state.
func (l *live) fillTasks(t *testing.T, ann task.Actor) {
	t.Helper()
	ctx := t.Context()
	photo := data.Item{Kind: task.Photo, Upload: "u1", SHA256: strings.Repeat("0a", 32), MIME: "image/jpeg", Bytes: 1234}
	delivered := func() string {
		id := l.accepted(t, ann).ID
		must(l.Submit(ctx, ann, data.Delivery{TaskID: id, Type: task.Text, Text: "It is open until 21:00", Items: []data.Item{photo}}))(t)
		return id
	}
	reject := func(id string) {
		must(l.Reject(ctx, l.agent, data.Rejection{TaskID: id, Code: task.CriteriaNotMet, Text: because}))(t)
	}
	l.accepted(t, ann)
	done, revised, appeal, disputed, waiting := delivered(), delivered(), delivered(), delivered(), delivered()
	must(l.Approve(ctx, l.agent, data.Approval{TaskID: done}))(t)
	must(l.Rate(ctx, l.agent, data.Rating{TaskID: done, Stars: 5, Comment: "Quick; 'good'"}))(t)
	must(l.Rate(ctx, ann, data.Rating{TaskID: done, Stars: 4}))(t)
	must(l.RequestRevision(ctx, l.agent, data.Revision{TaskID: revised, Text: because}))(t)
	reject(appeal)
	reject(disputed)
	must(l.OpenDispute(ctx, ann, data.NewDispute{TaskID: disputed, Text: because}))(t)
	if err := l.KeepChecks(ctx, l.agent, data.Approval{TaskID: waiting, Checks: map[string]bool{"acceptance_checked": true}, Note: "seen"}); err != nil {
		t.Fatal(err)
	}
	usd := 10.0
	draft := task.Draft{
		Text: "窓口で営業時間を聞く; 'それだけ'", Label: "bot_blocker_ops", OriginCountry: "JP", AcceptanceCriteria: "Hours of all weekdays",
		NotAllowed: "Nothing else", BudgetUSD: &usd, Deliverable: "text", Place: task.Place{Prefecture: "東京都"},
	}
	post := func(n data.NewTask) string { return must(l.CreateTask(ctx, l.agent, n))(t).ID }
	open := post(data.NewTask{Draft: draft})
	post(data.NewTask{Draft: draft, Hold: &data.Hold{Class: "otp_relay", Excerpt: "コード"}})
	must(l.Cancel(ctx, l.agent, data.Cancellation{TaskID: post(data.NewTask{Draft: draft})}))(t)
	must(l.Apply(ctx, ann, data.NewApplication{TaskID: open, CoverLetter: "me", Availability: "now"}))(t)
	must(l.OfferTask(ctx, post(data.NewTask{Draft: draft}), 10*24*time.Hour))(t)
}

// fillOthers writes the rows that no task has.
func (l *live) fillOthers(t *testing.T, ann task.Actor) {
	t.Helper()
	ctx := t.Context()
	some, _, err := l.Tasks(ctx, data.TaskFilter{Page: data.Page{Limit: 1}, Statuses: []task.Status{task.ReviewPending}})
	if err != nil || len(some) != 1 {
		t.Fatal(some, err)
	}
	started := must(l.StartConversation(ctx, l.agent, data.NewConversation{TaskID: some[0].ID, Body: "Is it open; 'now'?"}))(t)
	must(l.SendMessage(ctx, ann, data.NewMessage{ConversationID: started.Conversation.ID, Body: "はい。"}))(t)
	must(l.FileReport(ctx, data.Report{By: ann, TaskID: some[0].ID, Class: "other", Text: "Something is odd here."}))(t)
	key := data.RequestKey{Principal: "agent:" + l.agent.ID, Operation: "POST /api/tasks/x/extend-deadline", Key: "k1", Hash: "h"}
	working, _, err := l.Tasks(ctx, data.TaskFilter{Page: data.Page{Limit: 1}, Statuses: []task.Status{task.Accepted}})
	if err != nil || len(working) != 1 {
		t.Fatal(working, err)
	}
	_, _, err = data.Once(ctx, l.Board, key, func(ctx context.Context) (task.Task, error) {
		return l.ExtendDeadline(ctx, l.agent, data.Extension{TaskID: working[0].ID, DeadlineAt: working[0].DeadlineAt.Add(time.Minute)})
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.jobs.Reconcile(ctx, &stage{audit: []string{"the escrow of a task holds money: task1"}}); err != nil {
		t.Fatal(err)
	}
	err = l.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error { // of packages beside this one
		for _, statement := range []string{
			"INSERT INTO push_devices (id, human_id, name, endpoint, p256dh, auth, created_ms) VALUES ('p1', '" + ann.ID + "', 'Phone', 'https://push.example/1', 'BA', 'AA', 1)",
			"INSERT INTO rate_limits (limit_key, tat_ns) VALUES ('agent:a', 1767582000000000000)",
		} {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	l.endSignIn(t)
}

// endSignIn is the one row of ended_sign_ins.
func (l *live) endSignIn(t *testing.T) {
	t.Helper()
	if err := l.EndSignIn(t.Context(), "req.a.b", l.now().Add(365*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
}

// dump is the rows of a table as statements for both databases.
func dump(t *testing.T, db *store.DB, table string) string {
	t.Helper()
	var lines []string
	err := db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
		rows, err := tx.Query(ctx, "SELECT * FROM "+table+" ORDER BY rowid")
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		columns, err := rows.ColumnTypes()
		if err != nil {
			return err
		}
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				return err
			}
			var names, literals []string
			for i, c := range columns {
				names = append(names, c.Name())
				literals = append(literals, literal(values[i], c.DatabaseTypeName()))
			}
			lines = append(lines, "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(literals, ", ")+");\n")
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(table, err)
	}
	return strings.Join(lines, "")
}

// literal is a value as both databases read it.
func literal(v any, declared string) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case int64:
		if declared == "BOOLEAN" {
			return strings.ToUpper(strconv.FormatBool(v != 0))
		}
	}
	return strings.ToUpper(fmt.Sprint(v))
}
