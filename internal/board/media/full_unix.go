//go:build unix

package media

import (
	"errors"
	"syscall"
)

// full reports whether an error says that there is no room left for files.
func full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
