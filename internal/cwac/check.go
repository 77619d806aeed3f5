package cwac

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// Check reports whether a scan could be started now: the installation and its
// interpreter when there is one, and the folder of the scans.
func (s *Server) Check(ctx context.Context) error {
	if _, err := s.engine(ctx); err != nil {
		return err
	}
	info, err := os.Stat(s.o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it is made with the first scan
	}
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder")
	}
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(s.o.Dir, ".legwork-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return unwritable(s.o.Dir, err)
	}
	return nil
}
