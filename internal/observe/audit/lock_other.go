//go:build !unix

package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// lock keeps every other writer out until it is released. After a crash the file
// must be removed by hand.
func lock(path string) (release func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, errInUse
	}
	if err != nil {
		return nil, fmt.Errorf("make the lock of the audit log: %w", err)
	}
	return func() error { return errors.Join(f.Close(), os.Remove(path)) }, nil
}
