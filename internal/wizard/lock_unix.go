//go:build unix

package wizard

import (
	"errors"
	"os"
	"syscall"
)

// lock waits until no other writer, in this process or another one, is at work.
// The system releases the lock when its holder dies.
func lock(root *os.Root) (unlock func(), err error) {
	file, err := root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { file.Close() }, nil
}
