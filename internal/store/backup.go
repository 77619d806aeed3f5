package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Backup writes a copy of the database at u to a new file, readable for its owner only,
// while others read and write: the copy is the state of one moment, with every
// transaction that was committed before the call. The file is there when it is whole and
// not before. Of SQLite it is a database, of Postgres an archive for Restore.
func Backup(ctx context.Context, u URL, path string) error {
	copied := func(to string) error { return archiveInto(ctx, u, to) }
	if !u.postgres() {
		from, err := u.file()
		if err != nil {
			return err
		}
		if _, err := os.Stat(from); err != nil {
			return fault.New(fault.NotFound, "database_not_found", fmt.Sprintf("There is no database at %s.", from), "Name the database with its URL.").WithCause(err)
		}
		copied = func(to string) error { return copyInto(ctx, from, to) }
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Conflict, "backup_exists", "There is something at "+path+" already.", "Choose a name that is free; a backup replaces nothing.")
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".backup-*") // mode 0600
	if err != nil {
		return unwritable(path, err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // renamed, or of no use
	if err := tmp.Close(); err != nil {
		return unwritable(path, err)
	}
	if err := copied(tmp.Name()); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("back up the database: %w", ctx.Err())
		}
		var told *fault.Error
		if errors.As(err, &told) {
			return told
		}
		return unwritable(path, err)
	}
	if err := os.Link(tmp.Name(), path); err != nil { // unlike a rename it replaces nothing
		return unwritable(path, err)
	}
	return syncFolder(filepath.Dir(path))
}

// copyInto copies one file into another, checks the copy and brings it to the disk.
// The connection is one of its own: nobody waits for it.
func copyInto(ctx context.Context, from, to string) (err error) {
	source, err := sql.Open("sqlite", dsn(from, url.Values{}))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	if _, err := source.ExecContext(ctx, "VACUUM INTO $1", to); err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	written, err := sql.Open("sqlite", dsn(to, url.Values{"_query_only": {"1"}}))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, written.Close()) }()
	var sound string
	if err := written.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
		return fmt.Errorf("check the copy: %q: %w", sound, err)
	}
	f, err := os.OpenFile(to, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncFolder makes the name of a new file last.
func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return unwritable(path, err)
	}
	_ = dir.Sync() // some systems have nothing to do here
	return dir.Close()
}

func unwritable(path string, err error) error {
	return fault.New(fault.Failed, "backup_failed", "The backup could not be written to "+path+".",
		"Check the folder, its permissions and the space that is left.").WithCause(err)
}
