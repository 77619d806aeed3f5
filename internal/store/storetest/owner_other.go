//go:build !unix

package storetest

import "syscall"

// chooseOwner leaves the processes to the user of the tests.
func chooseOwner(...string) (*syscall.SysProcAttr, error) { return nil, nil }
