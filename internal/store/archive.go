package store

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// archived is the list of contents of a copy of a Postgres database.
type archived struct {
	Version int64    `json:"version"` // of the migrations
	Tables  []column `json:"tables"`  // in an order in which they can be filled
}

// column is a table with its columns, quoted as SQL has them.
type column struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
}

const contents = "contents.json"

// tablesSQL are the tables of the schema with their columns, without what says which
// migrations were applied: whoever restores has applied them.
const tablesSQL = `SELECT quote_ident(c.relname), array_agg(quote_ident(a.attname) ORDER BY a.attnum)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
AND c.relname NOT IN ('goose_db_version', 'river_migration') GROUP BY c.relname ORDER BY c.relname`

// needsSQL are the pairs of a table and another one that has to be filled before it.
const needsSQL = `SELECT quote_ident(f.relname), quote_ident(t.relname) FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
WHERE k.contype = 'f' AND f.oid <> t.oid AND f.relnamespace = current_schema()::regnamespace`

// archivePostgres writes every table as it was at one moment into a new archive, as COPY
// has it. It needs no program of Postgres on this machine.
func archivePostgres(ctx context.Context, u URL, to io.Writer) error {
	conn, err := pgx.Connect(ctx, string(u))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // nothing is pending
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	list, err := listTables(ctx, tx)
	if err != nil {
		return err
	}
	archive := zip.NewWriter(to)
	w, err := archive.Create(contents)
	if err == nil {
		err = json.NewEncoder(w).Encode(list)
	}
	for _, t := range list.Tables {
		if err != nil {
			break
		}
		if w, err = archive.Create(t.Table); err == nil {
			_, err = conn.PgConn().CopyTo(ctx, w, "COPY "+t.sql()+" TO STDOUT")
		}
	}
	return errors.Join(err, archive.Close())
}

func (c column) sql() string {
	text := c.Table + " ("
	for i, name := range c.Columns {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text + ")"
}

// listTables finds the tables and their order.
func listTables(ctx context.Context, tx pgx.Tx) (archived, error) {
	var list archived
	if err := tx.QueryRow(ctx, "SELECT MAX(version_id) FROM goose_db_version WHERE is_applied").Scan(&list.Version); err != nil {
		return list, fmt.Errorf("read the version of the tables: %w", err)
	}
	rows, err := tx.Query(ctx, tablesSQL)
	if err != nil {
		return list, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[column])
	if err != nil {
		return list, fmt.Errorf("list the tables: %w", err)
	}
	if rows, err = tx.Query(ctx, needsSQL); err != nil {
		return list, err
	}
	needs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Table, First string }])
	if err != nil {
		return list, fmt.Errorf("list what the tables refer to: %w", err)
	}
	done := map[string]bool{}
	for len(all) > 0 {
		before := len(all)
		all = slices.DeleteFunc(all, func(c column) bool {
			for _, n := range needs {
				if n.Table == c.Table && !done[n.First] {
					return false
				}
			}
			done[c.Table] = true
			list.Tables = append(list.Tables, c)
			return true
		})
		if len(all) == before {
			return list, fmt.Errorf("the table %s refers to itself over others", all[0].Table)
		}
	}
	return list, nil
}

// Restore fills an empty Postgres database, whose tables are of the version of the
// backup, from a file that Backup made of another one: all of it or nothing.
func Restore(ctx context.Context, u URL, path string) error {
	if !u.postgres() {
		return fault.New(fault.Unsupported, "restore_by_copy", "A SQLite database is restored by putting its file back.", "Copy the backup to the place of the database while nothing runs.")
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		return fault.New(fault.Invalid, "backup_unreadable", "The backup at "+path+" cannot be read.", "Name a file that 'legwork board backup' made.").WithCause(err)
	}
	defer func() { _ = archive.Close() }()
	conn, err := pgx.Connect(ctx, string(u))
	if err != nil {
		return u.unavailable(ctx, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return u.fill(ctx, tx, &archive.Reader) })
}

// fill copies the tables of an archive into a database that has the same ones, empty.
func (u URL) fill(ctx context.Context, tx pgx.Tx, archive *zip.Reader) error {
	var kept archived
	if err := readContents(archive, &kept); err != nil {
		return fault.New(fault.Invalid, "backup_unreadable", "The backup has no list of its contents.", "Name a file that 'legwork board backup' made.").WithCause(err)
	}
	here, err := listTables(ctx, tx)
	if err != nil {
		return u.unavailable(ctx, err)
	}
	if here.Version != kept.Version {
		return fault.New(fault.Conflict, "backup_of_another_version", fmt.Sprintf("The backup has version %d of the tables, the database version %d.", kept.Version, here.Version),
			"Restore with the program that made the backup, then run the newer one.")
	}
	for _, t := range kept.Tables {
		if !slices.ContainsFunc(here.Tables, func(c column) bool {
			return c.Table == t.Table && slices.Equal(slices.Sorted(slices.Values(c.Columns)), slices.Sorted(slices.Values(t.Columns)))
		}) {
			return fault.New(fault.Conflict, "backup_of_another_version", "The database has no such table as "+t.Table+" of the backup.", "Restore with the program that made the backup.")
		}
		if err := u.fillTable(ctx, tx, archive, t); err != nil {
			return err
		}
	}
	return nil
}

func readContents(archive *zip.Reader, into *archived) error {
	f, err := archive.Open(contents)
	if err != nil {
		return err
	}
	return errors.Join(json.NewDecoder(f).Decode(into), f.Close())
}

// fillTable fills one table and moves the counter of its ids past them.
func (u URL) fillTable(ctx context.Context, tx pgx.Tx, archive *zip.Reader, t column) error {
	var some bool
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM "+t.Table+")").Scan(&some); err != nil {
		return u.unavailable(ctx, err)
	}
	if some {
		return fault.New(fault.Conflict, "database_not_empty", "There is something in the database already: "+t.Table+".", "Restore into a new, empty database; a restore replaces nothing.")
	}
	f, err := archive.Open(t.Table)
	if err != nil {
		return fault.New(fault.Invalid, "backup_unreadable", "The backup lacks the table "+t.Table+".", "Use another backup.").WithCause(err)
	}
	_, err = tx.Conn().PgConn().CopyFrom(ctx, f, "COPY "+t.sql()+" FROM STDIN")
	if err := errors.Join(err, f.Close()); err != nil {
		return u.unavailable(ctx, fmt.Errorf("fill %s: %w", t.Table, err))
	}
	if !slices.Contains(t.Columns, "id") {
		return nil
	}
	_, err = tx.Exec(ctx, "SELECT setval(s, (SELECT COALESCE(MAX(CAST(CAST(id AS TEXT) AS BIGINT)), 0) + 1 FROM "+t.Table+"), FALSE) FROM (SELECT pg_get_serial_sequence($1, 'id') AS s) AS q WHERE s IS NOT NULL", t.Table)
	if err != nil {
		return u.unavailable(ctx, fmt.Errorf("count on in %s: %w", t.Table, err))
	}
	return nil
}

// archiveInto writes the copy of a Postgres database and brings it to the disk.
func archiveInto(ctx context.Context, u URL, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	if err := archivePostgres(ctx, u, f); err != nil {
		return errors.Join(u.unavailable(ctx, err), f.Close())
	}
	return errors.Join(f.Sync(), f.Close())
}
