package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/legwork-mcp/legwork/internal/store"
)

type boardBackupCmd struct {
	File string `arg:"" help:"The new file. It must not be there yet."`
	DB   string `name:"db" placeholder:"URL" help:"Database of the board. Default: the board_database_url of the settings, or a file in board_dir."`
}

// Run copies the database of a board, which may be in use, and says what else a
// backup needs.
func (c boardBackupCmd) Run(ctx context.Context, a *app) error {
	a.override("board_database_url", c.DB)
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	from := store.URL(cmp.Or(cfg.BoardDatabaseURL, "sqlite:"+filepath.Join(cfg.BoardDir, "board.db")))
	if err := store.Backup(ctx, from, c.File); err != nil {
		return err
	}
	fmt.Fprintf(a.std.Out, `The database as it was a moment ago: %s
Copy these after it, too: %s (what people delivered)
and once, to another place: %s (without it no key and no session is known)
To restore, put all three back and run 'legwork board'.
`, c.File, filepath.Join(cfg.BoardDir, "media"), filepath.Join(cfg.BoardDir, "secrets.json"))
	return nil
}
