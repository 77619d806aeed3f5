package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

// canary is a password with characters that are written in several ways.
const canary = "hunter2 s3cr3t"

// says is all that an error tells anybody, the log included.
func says(err error) string {
	var all strings.Builder
	for ; err != nil; err = errors.Unwrap(err) {
		fmt.Fprintf(&all, "%v|%+v|%#v|%q\n", err, err, err, err)
		var f *fault.Error
		if errors.As(err, &f) {
			fmt.Fprintln(&all, f.Message, f.Action, f.Cause)
		}
	}
	return all.String()
}

// tellTale is a server that refuses every login and quotes the password (which a
// real one does not know).
func tellTale(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			refuse(conn)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() { _ = ln.Close(); <-done })
	return ln.Addr().String()
}

// refuse speaks the protocol of Postgres as far as needed: no to encryption, then
// an ErrorResponse (PostgreSQL documentation, 55.7).
func refuse(conn net.Conn) {
	request := make([]byte, 1024)
	if n, err := conn.Read(request); err == nil && n == 8 {
		_, _ = conn.Write([]byte("N"))
		_, _ = conn.Read(request)
	}
	fields := "SFATAL\x00C28P01\x00Mwrong: " + canary + " or hunter2%20s3cr3t\x00\x00"
	length := len(fields) + 4
	_, _ = conn.Write(append([]byte{'E', 0, 0, byte(length >> 8), byte(length)}, fields...))
}

func TestAPasswordIsNeverShown(t *testing.T) {
	at := tellTale(t)
	urls := map[string]string{
		"in its place":      "postgres://ann:hunter2%20s3cr3t@" + at + "/db",
		"as a parameter":    "postgres://ann@" + at + "/db?sslmode=disable&password=hunter2+s3cr3t",
		"not escaped":       "postgres://ann:hunter2 s3cr3t@" + at + "/db",
		"with a slash":      "postgres://ann:1/hunter2s3cr3t@" + at + "/db",
		"with a question":   "postgres://ann:1?hunter2s3cr3t@" + at + "/db",
		"with a hash":       "postgres://ann:1#hunter2s3cr3t@" + at + "/db",
		"with a percent":    "postgres://ann:%hunter2s3cr3t@" + at + "/db",
		"the other scheme":  "postgresql://ann:hunter2%20s3cr3t@" + at + "/db?connect_timeout=1",
		"an unknown scheme": "mysql://ann:hunter2s3cr3t@" + at + "/db",
		"no scheme":         "ann:hunter2s3cr3t@" + at,
		"a bad port":        "postgres://ann:hunter2%20s3cr3t@" + at + "0000/db",
		"a bad option":      "postgres://ann:hunter2%20s3cr3t@" + at + "/db?sslmode=hunter2",
	}
	for name, text := range urls {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			u := store.URL(text)
			raw, err := json.Marshal(map[string]any{"u": u, "p": &u})
			if err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			slog.New(slog.NewJSONHandler(&log, nil)).Info("open", "url", u)
			shown := string(raw) + log.String() + fmt.Sprintf("%v %s %q %x %#v %d %+v", u, u, u, u, u, u, []any{u})
			db, err := store.Open(t.Context(), u)
			if err == nil {
				if !strings.Contains(text, "ann:hunter2s3cr3t") {
					t.Error("it opens")
				}
				_ = db.Close()
			}
			shown += says(err)
			for _, secret := range []string{"hunter2", "s3cr3t", fmt.Sprintf("%x", "hunter2"), canary} {
				if strings.Contains(shown, secret) {
					t.Errorf("it shows %q:\n%s", secret, shown)
				}
			}
		})
	}
}

func TestAURLShowsWhatIsNoSecret(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://ann:pw@db.example:5432/legwork":           "postgres://ann:***@db.example:5432/legwork",
		"postgres://ann@db.example/legwork":                   "postgres://ann@db.example/legwork",
		"postgres://ann:pw@db.example/legwork?password=x&a=b": "postgres://ann:***@db.example/legwork?***",
		"sqlite:/var/lib/legwork.db":                          "sqlite:/var/lib/legwork.db",
		"legwork.db":                                          "legwork.db",
		"":                                                    "",
	} {
		if got := store.URL(text).String(); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
}

func TestUnusableDatabases(t *testing.T) {
	dir := t.TempDir()
	notADatabase := filepath.Join(dir, "letter.txt")
	if err := os.WriteFile(notADatabase, bytes.Repeat([]byte("Dear reader, "), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		url  string
		kind fault.Kind
	}{
		"nothing":            {"", fault.Invalid},
		"only a scheme":      {"sqlite:", fault.Invalid},
		"another scheme":     {"mysql://host/db", fault.Invalid},
		"memory":             {"sqlite::memory:", fault.Invalid},
		"a URI":              {"file:/tmp/x?mode=memory", fault.Invalid},
		"a folder":           {dir, fault.Unavailable},
		"below a file":       {notADatabase + "/x.db", fault.Unavailable},
		"another format":     {notADatabase, fault.Unavailable},
		"nobody listens":     {"postgres://ann@" + filepath.Base(dir) + ".invalid/db", fault.Unavailable},
		"no such socket":     {"postgres:///db?host=" + dir, fault.Unavailable},
		"no such database":   {strings.Replace(reveal(databases.Postgres(t)), "/test", "/gone", 1), fault.Unavailable},
		"not a Postgres URL": {"postgres://host:port/db", fault.Invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			db, err := store.Open(t.Context(), store.URL(tt.url))
			if err == nil {
				_ = db.Close()
				t.Fatal("it opens")
			}
			if f := fault.From(err); f.Kind != tt.kind || f.Message == "" || f.Action == "" {
				t.Errorf("%v, want a fault of kind %s", err, tt.kind)
			}
		})
	}
}

// A path is a path, whatever is in it.
func TestPathsAreNotOptions(t *testing.T) {
	for _, name := range []string{"a?_pragma=journal_mode(DELETE)&mode=memory.db", "50%25 #1 & more.db", "ünïcode 帳簿.db"} {
		path := filepath.Join(t.TempDir(), "new folder", name)
		db := storetest.Open(t, store.URL(path))
		if db.Engine() != store.SQLite {
			t.Errorf("%s is %s", name, db.Engine())
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s can be read by others: %v", name, info.Mode())
		}
		var mode string
		err = db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return tx.QueryRow(ctx, "PRAGMA journal_mode").Scan(&mode)
		})
		if err != nil || mode != "wal" {
			t.Errorf("%s: journal mode %s, %v", name, mode, err)
		}
	}
}

func TestPing(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		db, err := store.Open(t.Context(), u)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if err := db.Ping(t.Context()); fault.From(err) == nil || fault.From(err).Type != "database_unavailable" {
			t.Errorf("a closed database answers: %v", err)
		}
	})
}

// Replicas that start at once, each with connections of its own.
func TestMigrationsRunOnce(t *testing.T) {
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no migrations: %v", err)
	}
	databases.Each(t, func(t *testing.T, u store.URL) {
		results := make(chan int, 6)
		var wg sync.WaitGroup
		for range cap(results) {
			db, err := store.Open(t.Context(), u)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			wg.Go(func() {
				n, err := db.Migrate(t.Context())
				if err != nil {
					t.Error(says(err))
				}
				results <- n
			})
		}
		wg.Wait()
		close(results)
		var all []int
		sum := 0
		for n := range results {
			all, sum = append(all, n), sum+n
		}
		if sum != len(files) {
			t.Errorf("migrations were applied %v times, want each of %d once", all, len(files))
		}
	})
}

func TestANewerDatabaseIsRefused(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		db := storetest.Open(t, u)
		exec(t, db, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, TRUE)")
		_, err := db.Migrate(t.Context())
		if f := fault.From(err); f == nil || f.Type != "database_too_new" {
			t.Errorf("%v", err)
		}
	})
}

// reveal is the text of a URL of a test, which has no password.
func reveal(u store.URL) string { return string(u) }
