package jobs_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

// update writes the filled database of the version that the tables have now: do so
// before a migration is added. Keep the files of older versions as they are.
var update = flag.Bool("update", false, "write the filled database of this version")

// filled are all tables of a board in an order in which rows can be inserted. Those of
// the queue and of the migrations are left out: they come with the program.
var filled = []string{
	"humans", "human_tags", "human_hours", "human_identities", "sessions", "push_devices", "agents", "api_keys", "codes", "code_sources", "ended_sign_ins",
	"tasks", "events", "offers", "applications", "submissions", "submission_items", "terms_sheets", "review_checks", "reports", "transfers",
	"ledger_transactions", "ledger_entries", "spending", "request_keys", "conversations", "messages", "reviews", "disputes", "webhook_endpoints",
	"webhook_deliveries", "webhook_attempts", "simulated_transfers", "reconciliations", "mails", "mailbox", "rate_limits",
}

var versionOf = regexp.MustCompile(`board-v(\d+)\.sql$`)

// A board that was filled by an older program is brought up to date with everything
// that was in it, and goes on, on either database.
func TestAFilledBoardIsBroughtUpToDate(t *testing.T) {
	if *update {
		writeFilled(t)
	}
	for version, file := range filledFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			databases.Each(t, func(t *testing.T, u store.URL) { bringUp(t, u, file, version) })
		})
	}
}

// There is a filled database of the version before the newest one, with rows in each
// of its tables: what the newest migration does to them is seen above.
func TestTheFilledBoardIsOfThePreviousVersion(t *testing.T) {
	db := storetest.Open(t, databases.SQLite(t))
	files := filledFiles(t)
	newest := slices.Max(slices.Collect(maps.Keys(files)))
	if n := number(t, db, fmt.Sprint("SELECT COUNT(*) FROM goose_db_version WHERE version_id > ", newest)); n > 1 {
		t.Errorf("%d migrations are newer than the newest filled database: write one with -update before a migration is added", n)
	}
	text, err := os.ReadFile(files[newest])
	if err != nil {
		t.Fatal(err)
	}
	old := unmigrated(t, databases.SQLite(t))
	if err := store.MigrateTo(t.Context(), old, newest); err != nil {
		t.Fatal(err)
	}
	for _, table := range tables(t, old) {
		if !strings.Contains(string(text), "INSERT INTO "+table+" (") {
			t.Errorf("%s has no row in %s", table, files[newest])
		}
	}
	for _, table := range tables(t, db) {
		if !slices.Contains(filled, table) {
			t.Errorf("the table %s is not in the list of those that are filled", table)
		}
	}
}

// filledFiles are the filled databases by the version of their tables.
func filledFiles(t *testing.T) map[int64]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "board-v*.sql"))
	if err != nil || len(names) == 0 {
		t.Fatal("there is no filled database: ", err)
	}
	files := map[int64]string{}
	for _, name := range names {
		version, err := strconv.ParseInt(versionOf.FindStringSubmatch(name)[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		files[version] = name
	}
	return files
}

// tables are those of a board in a SQLite file.
func tables(t *testing.T, db *store.DB) (names []string) {
	t.Helper()
	err := db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
		rows, err := tx.Query(ctx, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'river%' AND name NOT LIKE 'sqlite%' AND name <> 'goose_db_version'")
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			names = append(names, name)
		}
		return rows.Err()
	})
	if err != nil || len(names) == 0 {
		t.Fatal("the tables: ", names, err)
	}
	return names
}

func bringUp(t *testing.T, u store.URL, file string, version int64) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old := unmigrated(t, u)
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
	before := content(t, old, string(text))
	l := &live{log: &journal{}}
	l.clock.Store(time.Date(2026, 1, 5, 4, 0, 0, 0, time.UTC).UnixMilli())
	l.open(t, u)
	if diff := cmp.Diff(before, content(t, l.db, string(text))); diff != "" {
		t.Errorf("rows (-before +after the migrations):\n%s", diff)
	}
	l.sound(t)
	all, _, err := l.Tasks(t.Context(), data.TaskFilter{Page: data.Page{Limit: 100}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tk := range all {
		if n := len(must(l.History(t.Context(), tk.ID))(t)); n == 0 {
			t.Errorf("task %s has no history", tk.ID)
		}
	}
	l.forward(9 * 24 * time.Hour)
	l.run(t)
	if err := l.jobs.Repair(t.Context(), l.Board); err != nil {
		t.Fatal(err)
	}
	for _, tk := range all {
		if tk.SubState == task.Disputed { // nothing but a decision ends it
			must(l.Resolve(t.Context(), task.Actor{Kind: task.Operator, ID: "operator"}, data.Resolution{TaskID: tk.ID, Completed: true, Worker: 500, Note: because}))(t)
		}
		await(t, "every task ends", func() bool { return must(l.Task(t.Context(), tk.ID))(t).Status.Terminal() })
	}
	l.idle(t)
	l.sound(t)
}

// unmigrated is a database as it is, without the migrations of this program.
func unmigrated(t *testing.T, u store.URL) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

const because = "The hours of Sunday cannot be read on it."

// content is how many rows each table has that the file fills, and how many tasks each
// state.
func content(t *testing.T, db *store.DB, text string) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	for _, table := range filled {
		if strings.Contains(text, "INSERT INTO "+table+" (") {
			out[table] = number(t, db, "SELECT COUNT(*) FROM "+table)
		}
	}
	for _, status := range []string{"open", "accepted", "review_pending", "completed", "failed"} {
		if out[status] = number(t, db, "SELECT COUNT(*) FROM tasks WHERE status = '"+status+"'"); out[status] == 0 {
			t.Errorf("no task is %s", status)
		}
	}
	return out
}

func number(t *testing.T, db *store.DB, query string) (n int64) {
	t.Helper()
	err := db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error { return tx.QueryRow(ctx, query).Scan(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}
