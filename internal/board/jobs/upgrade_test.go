package jobs_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/store"
)

// update writes the database of the newest version of the tables once more. Keep the
// files of versions that were released as they are.
var update = flag.Bool("update", false, "write the filled database of this version")

// dumped are the tables of a filled database in an order in which rows can be
// inserted. The queue and what is worth nothing after a while is left out.
var dumped = []string{
	"humans", "human_tags", "agents", "api_keys", "tasks", "events", "offers", "applications", "submissions", "submission_items", "terms_sheets",
	"transfers", "ledger_transactions", "ledger_entries", "conversations", "messages", "reviews", "disputes",
	"webhook_endpoints", "webhook_deliveries", "simulated_transfers", "mails",
}

var versionOf = regexp.MustCompile(`board-v(\d+)\.sql$`)

// A board that was filled by an older program is brought up to date with everything
// that was in it, and goes on, on either database.
func TestAFilledBoardIsBroughtUpToDate(t *testing.T) {
	if *update {
		writeFilled(t)
	}
	files, err := filepath.Glob(filepath.Join("testdata", "board-v*.sql"))
	if err != nil || len(files) == 0 {
		t.Fatal("there is no filled database: ", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			databases.Each(t, func(t *testing.T, u store.URL) { bringUp(t, u, file) })
		})
	}
}

func bringUp(t *testing.T, u store.URL, file string) {
	version, err := strconv.ParseInt(versionOf.FindStringSubmatch(file)[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old, err := store.Open(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.MigrateTo(t.Context(), old, version); err != nil {
		t.Fatal(err)
	}
	err = old.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
		for statement := range strings.SplitSeq(string(text), ";\n") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			if _, err := tx.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%.200s: %w", statement, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	l := &live{log: &journal{}}
	l.clock.Store(time.Date(2026, 1, 5, 4, 0, 0, 0, time.UTC).UnixMilli())
	l.open(t, u)
	l.sound(t)
	all, _, err := l.Tasks(t.Context(), data.TaskFilter{Page: data.Page{Limit: 100}})
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]int{}
	for _, tk := range all {
		states[string(tk.Status)]++
		if n := len(must(l.History(t.Context(), tk.ID))(t)); n == 0 {
			t.Errorf("task %s has no history", tk.ID)
		}
	}
	if diff := cmp.Diff(map[string]int{"accepted": 1, "completed": 1, "failed": 1, "open": 1, "review_pending": 1}, states); diff != "" {
		t.Errorf("tasks (-want +got):\n%s", diff)
	}
	l.forward(9 * 24 * time.Hour)
	l.run(t)
	if err := l.jobs.Repair(t.Context(), l.Board); err != nil {
		t.Fatal(err)
	}
	for _, tk := range all {
		await(t, "every task ends", func() bool { return must(l.Task(t.Context(), tk.ID))(t).Status.Terminal() })
	}
	l.idle(t)
	l.sound(t)
}

// writeFilled makes a board with a task in every state and writes its rows down.
func writeFilled(t *testing.T) {
	u := databases.SQLite(t)
	l := newLive(t, u)
	l.run(t)
	address, _ := hook(t)
	if _, _, err := l.jobs.Hooks.Create(t.Context(), l.agent.ID, address, nil); err != nil {
		t.Fatal(err)
	}
	ann := l.signIn(t, "ann")
	done, waiting := l.accepted(t, ann), l.accepted(t, ann)
	l.accepted(t, ann)
	l.submit(t, ann, done.ID)
	l.submit(t, ann, waiting.ID)
	must(l.Approve(t.Context(), l.agent, data.Approval{TaskID: done.ID}))(t)
	usd := 10.0
	draft := task.Draft{
		Text: "窓口で営業時間を聞く; 'それだけ'", Label: "bot_blocker_ops", OriginCountry: "JP", AcceptanceCriteria: "Hours of all weekdays",
		NotAllowed: "Nothing else", BudgetUSD: &usd, Deliverable: "text",
	}
	must(l.CreateTask(t.Context(), l.agent, data.NewTask{Draft: draft}))(t)
	given := must(l.CreateTask(t.Context(), l.agent, data.NewTask{Draft: draft}))(t)
	must(l.Cancel(t.Context(), l.agent, data.Cancellation{TaskID: given.ID}))(t)
	l.idle(t)
	text, version := "", number(t, l.db, "SELECT MAX(version_id) FROM goose_db_version")
	for _, table := range dumped {
		text += dump(t, l.db, table)
	}
	if err := os.MkdirAll("testdata", 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", fmt.Sprintf("board-v%d.sql", version)), []byte(text), 0o600); err != nil {
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

func number(t *testing.T, db *store.DB, query string) (n int64) {
	t.Helper()
	err := db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error { return tx.QueryRow(ctx, query).Scan(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}
