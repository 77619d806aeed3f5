package bounty

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// profiles are the accounts that were connected, one file each, readable by the user of
// the machine alone. A file's name is a hash of whose it is: callers see their own, and
// an account of one board is never shown to another.
type profiles struct{ dir string }

// profile is one of them.
type profile struct {
	Board     string `json:"board"`
	Name      string `json:"profile"`
	AccountID string `json:"account_id"`
	APIKey    string `json:"api_key"`
	Email     string `json:"paypal_email"`
}

// place is where a profile is: whose it is, for which board, and its name.
type place struct{ owner, board, name string }

var profileName = lazyregexp.New(`^[a-z0-9][a-z0-9._-]{0,39}$`)

func (p place) check() error {
	if profileName.MatchString(p.name) {
		return nil
	}
	return refuse("invalid_request", "profile must be 1 to 40 of a-z, 0-9, dot, - and _.", rest.FieldError{Field: "profile", Code: "invalid_value"})
}

func (s *profiles) path(p place) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", p.owner, p.board, p.name))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16])+".json")
}

// load reads a profile; nil when there is none.
func (s *profiles) load(p place) (*profile, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if s.dir == "" {
		return nil, nil
	}
	path := s.path(p)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unusable(p, err)
	}
	if !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fault.New(fault.Conflict, "profile_unsafe", fmt.Sprintf("The file of profile %s can be read by others, so its key is not used.", p.name),
			"Have the person who runs this server set its mode to 0600, and renew the key if others may have read it.").
			WithCause(fmt.Errorf("%s has the mode %v", filepath.Base(path), info.Mode()))
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, unusable(p, err)
	}
	var out profile
	if json.Unmarshal(raw, &out) != nil || out.Board != p.board || out.AccountID == "" || out.APIKey == "" {
		return nil, unusable(p, errors.New("the file is no profile of this board"))
	}
	return &out, nil
}

// save writes a profile, whole or not at all.
func (s *profiles) save(p place, v profile) (err error) {
	v.Board, v.Name = p.board, p.name
	raw, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		err = os.MkdirAll(s.dir, 0o700)
	}
	if err != nil {
		return fmt.Errorf("keep the profile: %w", err)
	}
	path := s.path(p)
	next := path + "." + rand.Text()
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("keep the profile: %w", err)
	}
	_, err = f.Write(raw)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep the profile: %w", err), os.Remove(next))
	}
	return nil
}

func unusable(p place, err error) error {
	return fault.New(fault.Failed, "profile_unusable", fmt.Sprintf("The stored account %s cannot be read.", p.name),
		"Give ai_account_id and ai_api_key, or call connect_agent_account again.").WithCause(err)
}
