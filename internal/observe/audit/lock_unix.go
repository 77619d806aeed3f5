//go:build unix

package audit

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock keeps every other writer out until it is released or its process ends.
func lock(path string) (release func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock of the audit log: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errInUse
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock the audit log: %w", err), f.Close())
	}
	return f.Close, nil
}
