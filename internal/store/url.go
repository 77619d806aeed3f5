package store

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// URL says where the database is: postgres://USER:PASSWORD@HOST/NAME, sqlite:PATH,
// or the path of a SQLite file alone. It prints without its password everywhere.
type URL string

// mask is what a password looks like.
const mask = "***"

// The schemes that name an engine.
var (
	postgresSchemes = []string{"postgres://", "postgresql://"}
	sqliteScheme    = "sqlite:"
)

// String is the URL without its passwords: who, where and which database. One
// that cannot be read is masked as a whole, since nobody knows where in it the
// password is.
func (u URL) String() string {
	if !u.postgres() {
		if strings.Contains(string(u), "@") || strings.Contains(string(u), "://") {
			return mask
		}
		return string(u)
	}
	p, ok := u.parse()
	if !ok {
		return postgresSchemes[0] + mask
	}
	var text strings.Builder
	text.WriteString(p.Scheme + "://")
	if name := p.User.Username(); name != "" {
		text.WriteString(url.PathEscape(name))
		if _, has := p.User.Password(); has {
			text.WriteString(":" + mask)
		}
		text.WriteString("@")
	}
	text.WriteString(p.Host + p.EscapedPath())
	if p.RawQuery != "" {
		text.WriteString("?" + mask) // options can be passwords too
	}
	return text.String()
}

// GoString masks for %#v.
func (u URL) GoString() string { return u.String() }

// Format masks for every verb.
func (u URL) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, u.String()) }

// MarshalText masks for every text encoding, JSON among them.
func (u URL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// LogValue masks in logs.
func (u URL) LogValue() slog.Value { return slog.StringValue(u.String()) }

func (u URL) postgres() bool {
	for _, scheme := range postgresSchemes {
		if strings.HasPrefix(string(u), scheme) {
			return true
		}
	}
	return false
}

// parse reads a Postgres URL. It refuses one with an @ where none belongs: that is
// the rest of a password whose special characters were not escaped.
func (u URL) parse() (*url.URL, bool) {
	p, err := url.Parse(string(u))
	if err != nil || p.Fragment != "" || strings.Contains(p.Host+p.Path+p.RawQuery, "@") {
		return nil, false
	}
	return p, true
}

// secrets are the parts of the URL that may be passwords, as they are and as they
// are written.
func (u URL) secrets() []string {
	p, ok := u.parse()
	if !u.postgres() || !ok {
		return nil
	}
	var found []string
	if s, has := p.User.Password(); has {
		_, written, _ := strings.Cut(p.User.String(), ":")
		found = append(found, s, written)
	}
	for name, values := range p.Query() {
		if strings.Contains(name, "password") || strings.Contains(name, "secret") || strings.Contains(name, "key") {
			found = append(found, values...)
		}
	}
	var out []string
	for _, s := range found {
		if s != "" {
			out = append(out, s, url.QueryEscape(s), url.PathEscape(s))
		}
	}
	return out
}

// file is the absolute path of a SQLite database.
func (u URL) file() (string, error) {
	path := strings.TrimPrefix(string(u), sqliteScheme)
	switch {
	case path == "":
		return "", invalidURL("It is empty.")
	case strings.Contains(path, "://") || strings.HasPrefix(path, "file:"):
		return "", invalidURL("Its scheme is not known.")
	case strings.Contains(path, ":memory:") || strings.ContainsRune(path, 0):
		return "", invalidURL("A database that several connections share must be a file.")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("database path: %w", err)
	}
	return abs, nil
}

// invalidURL never quotes the URL.
func invalidURL(why string) error {
	return fault.New(fault.Invalid, "invalid_setting", "The database URL is not usable. "+why,
		"Write sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME.")
}

// unavailable is the fault for a database that cannot be used now, unless it was
// the caller who gave up.
func (u URL) unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("use the database: %w", ctx.Err())
	}
	return fault.New(fault.Unavailable, "database_unavailable", fmt.Sprintf("The database %v cannot be used.", u),
		"Check that it runs, that the URL is right, and that this program may use it.").WithCause(u.scrub(err))
}

// scrubbed is an error whose text does not hold the URL's passwords. What caused
// it is out of reach, since its text may hold them.
type scrubbed struct {
	text     string
	conflict bool // see conflicted
}

// Error is the text without passwords.
func (e *scrubbed) Error() string { return e.text }

// scrub takes the passwords out of the text of err.
func (u URL) scrub(err error) error {
	text := err.Error()
	for _, s := range u.secrets() {
		text = strings.ReplaceAll(text, s, mask)
	}
	return &scrubbed{text, conflicted(err)}
}
