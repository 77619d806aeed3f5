package board

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// minSecret is the fewest characters of a secret that somebody chose.
const minSecret = 32

// Secrets are what a board must keep to itself, and must keep: with another pepper no
// key and no session is known any more.
type Secrets struct {
	// Pepper goes into the hashes of keys, sessions and codes.
	Pepper string `json:"pepper"`
	// SigningKey signs links to files, and what pages hand out to get back.
	SigningKey string `json:"signing_key"`
}

// LoadSecrets returns the given secrets, and for those that are empty what is kept in
// secrets.json of the folder, which only its owner may read. The first call makes it;
// several processes that make it at once all get the same one.
func LoadSecrets(dir string, given Secrets) (Secrets, error) {
	for name, s := range map[string]string{"pepper": given.Pepper, "signing key": given.SigningKey} {
		if s != "" && len(s) < minSecret {
			return Secrets{}, fault.New(fault.Invalid, "invalid_setting", fmt.Sprintf("The %s of the board is too short to be a secret.", name),
				fmt.Sprintf("Use %d characters or more, such as 'openssl rand -hex 32' makes them.", minSecret))
		}
	}
	if given.Pepper != "" && given.SigningKey != "" {
		return given, nil
	}
	kept, err := keptSecrets(filepath.Join(dir, "secrets.json"))
	if err != nil {
		return Secrets{}, err
	}
	if given.Pepper == "" {
		given.Pepper = kept.Pepper
	}
	if given.SigningKey == "" {
		given.SigningKey = kept.SigningKey
	}
	return given, nil
}

func keptSecrets(file string) (Secrets, error) {
	s, err := readSecrets(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	raw, err := json.Marshal(Secrets{newSecret(), newSecret()})
	if err != nil {
		return Secrets{}, fmt.Errorf("write the board's secrets: %w", err)
	}
	if err := writeOnce(file, append(raw, '\n')); err != nil {
		return Secrets{}, fault.New(fault.Denied, "secrets_unusable", "The secrets of the board could not be written to "+file+".",
			"Check the folder and its permissions.").WithCause(err)
	}
	return readSecrets(file)
}

func newSecret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(b)
}

// writeOnce makes the file with its whole content, unless it is there already.
func writeOnce(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".secrets-*") // mode 0600
	if err != nil {
		return fmt.Errorf("make a file: %w", err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // linked, or of no use
	_, err = tmp.Write(content)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", tmp.Name(), err)
	}
	if err := os.Link(tmp.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("name the file: %w", err)
	}
	return nil
}

func readSecrets(file string) (Secrets, error) {
	info, err := os.Stat(file)
	if err != nil {
		return Secrets{}, fmt.Errorf("look at the board's secrets: %w", err)
	}
	if loose(info) {
		return Secrets{}, fault.New(fault.Denied, "secrets_readable", "Others on this machine may read "+file+".",
			"Run 'chmod 600' on it, and replace the secrets if somebody may have read them.")
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return Secrets{}, fmt.Errorf("read the board's secrets: %w", err)
	}
	var s Secrets
	if err := json.Unmarshal(raw, &s); err != nil || len(s.Pepper) < minSecret || len(s.SigningKey) < minSecret {
		return Secrets{}, fault.New(fault.Invalid, "secrets_unusable", "The file "+file+" does not hold the secrets of a board.",
			"Bring back the copy of your backup: with new secrets no key and no session is known any more.")
	}
	return s, nil
}

// loose reports whether others may read the file, where systems say so.
func loose(info fs.FileInfo) bool {
	return os.PathSeparator == '/' && info.Mode().Perm()&0o077 != 0
}
