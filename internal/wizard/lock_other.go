//go:build !unix

package wizard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// lock refuses to write while another writer is at work: without a lock that
// ends with its holder, waiting could last for ever.
func lock(root *os.Root) (unlock func(), err error) {
	file, err := root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("another program is writing; if none is, remove %s", lockFile)
	}
	if err != nil {
		return nil, err
	}
	return func() {
		file.Close()
		root.Remove(lockFile)
	}, nil
}
