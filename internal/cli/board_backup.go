package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/legwork-mcp/legwork/internal/board"
	"github.com/legwork-mcp/legwork/internal/store"
)

type boardBackupCmd struct {
	File string `arg:"" help:"The new file. It must not be there yet."`
	DB   string `name:"db" placeholder:"URL" help:"Database of the board. Default: the board_database_url of the settings, or a file in board_dir."`
}

// Run copies the database of a board, which may be in use, and says what else a
// backup needs.
func (c boardBackupCmd) Run(ctx context.Context, a *app) error {
	cfg, err := a.boardSettings(c.DB)
	if err != nil {
		return err
	}
	if err := store.Backup(ctx, boardDatabase(cfg), c.File); err != nil {
		return err
	}
	fmt.Fprintf(a.std.Out, `The database as it was a moment ago: %s
Copy these after it, too: %s (what people delivered)
and once, to another place: %s (without it no key and no session is known)
To restore, put all three back and run 'legwork board'; a backup of Postgres is put
into an empty database by 'legwork board restore'.
`, c.File, filepath.Join(cfg.BoardDir, "media"), filepath.Join(cfg.BoardDir, "secrets.json"))
	return nil
}

type boardRestoreCmd struct {
	File string `arg:"" help:"A file that 'legwork board backup' made of a Postgres database."`
	DB   string `name:"db" placeholder:"URL" help:"An empty Postgres database. Default: the board_database_url of the settings."`
}

// Run makes the tables of a board in an empty database and fills them.
func (c boardRestoreCmd) Run(ctx context.Context, a *app) error {
	_, o, err := a.board(c.DB)
	if err != nil {
		return err
	}
	if err := board.Restore(ctx, o, c.File); err != nil {
		return err
	}
	fmt.Fprintln(a.std.Out, "Restored. With its files and secrets.json back in place, run 'legwork board'.")
	return nil
}
