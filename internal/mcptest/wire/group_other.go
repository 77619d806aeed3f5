//go:build unix && !linux

package wire

import "syscall"

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// family is not known here: nothing portable lists processes.
func family(int) []relative { return nil }

func descendants(int) []relative { return nil }

func marked(string, olderProcesses) []relative { return nil }

func olderNow() olderProcesses { return nil }

func groupLives(int) bool { return true }

func (relative) alive() bool { return false }

func (*relative) weigh() {}
