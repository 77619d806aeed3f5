package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// profile is the temporary directory of one browser process. The file "owner"
// in it stays locked as long as this program lives, so that another one can
// tell an abandoned profile from one in use, in any process namespace.
type profile struct {
	dir  string
	lock *os.File
}

const profilePrefix = "legwork-browser-"

// localState switches HTTP authentication off: full Chromium would ask for a
// password in a window that nobody sees, and the page would wait for ever.
const localState = `{"auth": {"schemes": "none"}}`

// newProfile makes a profile below parent, and removes abandoned ones there.
func newProfile(parent string) (*profile, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	parent, err := filepath.Abs(parent) // browsers have folders of their own to be in
	if err == nil {
		err = os.MkdirAll(parent, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("making the folder for profiles: %w", err)
	}
	removeAbandoned(parent)
	dir, err := os.MkdirTemp(parent, profilePrefix)
	if err != nil {
		return nil, fmt.Errorf("making a profile: %w", err)
	}
	p := &profile{dir: dir}
	draft := filepath.Join(dir, "owner.new")
	if p.lock, err = os.OpenFile(draft, os.O_CREATE|os.O_RDWR, 0o600); err == nil {
		if _, err = tryLock(p.lock); err == nil {
			// Only a locked file ever has the final name.
			err = os.Rename(draft, filepath.Join(dir, "owner"))
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "Local State"), []byte(localState), 0o600)
	}
	if err != nil {
		p.remove()
		return nil, fmt.Errorf("preparing a profile: %w", err)
	}
	return p, nil
}

// remove deletes the profile. Helpers of a killed browser may still write for
// a moment, so deleting is tried again a few times; what is left after that is
// abandoned and goes at the next start.
func (p *profile) remove() {
	if p.lock != nil {
		_ = p.lock.Close()
	}
	for range 20 {
		if os.RemoveAll(p.dir) == nil {
			return
		}
	}
}

// abandonedAfter is for profiles that died before they had an owner file.
const abandonedAfter = time.Hour

func removeAbandoned(parent string) {
	dirs, err := filepath.Glob(filepath.Join(parent, profilePrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		if abandoned(dir) {
			_ = os.RemoveAll(dir)
		}
	}
}

func abandoned(dir string) bool {
	owner, err := os.Open(filepath.Join(dir, "owner"))
	if err != nil {
		info, err := os.Stat(dir)
		return err == nil && time.Since(info.ModTime()) > abandonedAfter
	}
	defer owner.Close()
	free, err := tryLock(owner)
	return err == nil && free
}
