package oauth_test

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// tokenFile is a file of static tokens in a test.
type tokenFile struct {
	t    *testing.T
	path string
	n    int
}

func newTokenFile(t *testing.T, lines ...string) *tokenFile {
	f := &tokenFile{t: t, path: filepath.Join(t.TempDir(), "tokens")}
	f.write(lines...)
	return f
}

// write replaces the file as an editor does, so that it is never half written,
// with a date of its own however coarse the file system's are.
func (f *tokenFile) write(lines ...string) {
	f.t.Helper()
	next := f.path + ".new"
	if err := os.WriteFile(next, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		f.t.Fatal(err)
	}
	f.n++
	at := time.Unix(int64(1_900_000_000+f.n), 0)
	if err := os.Chtimes(next, at, at); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Rename(next, f.path); err != nil {
		f.t.Fatal(err)
	}
}

func (f *tokenFile) mode(mode fs.FileMode) {
	f.t.Helper()
	if err := os.Chmod(f.path, mode); err != nil {
		f.t.Fatal(err)
	}
}

func newToken(t *testing.T, name string, expires time.Time, scopes ...string) (token, line string) {
	t.Helper()
	token, line, err := oauth.NewStatic(name, scopes, expires)
	if err != nil {
		t.Fatal(err)
	}
	return token, line
}

// staticBench takes static tokens only.
func staticBench(t *testing.T, f *tokenFile) *bench {
	return newBench(t, func(_ *issuer, c *oauth.Config) {
		*c = oauth.Config{Static: f.path, Clock: c.Clock, Logger: c.Logger}
	})
}

func TestStaticTokens(t *testing.T) {
	at := newClock().now().Add(time.Hour)
	one, oneLine := newToken(t, "home-assistant", time.Time{}, "test:read", "test:execute")
	two, twoLine := newToken(t, "ci", at, "test:read")
	b := staticBench(t, newTokenFile(t, "# who may call", "", oneLine, "  "+twoLine+"\r", "#"+oneLine))
	want := auth.Principal{Issuer: oauth.StaticIssuer, Subject: "static:home-assistant", Scopes: []string{"test:read", "test:execute"}}
	if diff := cmp.Diff(want, b.good(one)); diff != "" {
		t.Errorf("principal (-want +got):\n%s", diff)
	}
	if p := b.good(two); !p.Expires.Equal(at) || p.ID() == b.good(one).ID() || p.IsLocal() {
		t.Errorf("principal %+v", p)
	}
	for name, token := range map[string]string{
		"another":          first(newToken(t, "ci", time.Time{}, "test:read")),
		"cut":              one[:len(one)-1],
		"longer":           one + "A",
		"upper case":       strings.ToUpper(one),
		"the prefix alone": "lgw_",
		"its hash":         strings.TrimPrefix(strings.Fields(oneLine)[2], "sha256:"),
		"its line":         strings.ReplaceAll(oneLine, " ", "."),
		"opaque":           "something",
		"a JWT":            "a.b.c",
	} {
		t.Run(name, func(t *testing.T) {
			b := *b
			b.t = t
			b.bad(oauth.InvalidToken, token)
		})
	}
	b.clock.pass(time.Hour)
	b.bad(oauth.InvalidToken, two)
	b.good(one)
	if err := b.Check(t.Context()); err != nil {
		t.Errorf("without an issuer it is not ready: %v", err)
	}
}

func first(token, _ string) string { return token }

// TestStaticTokensStayHere: no issuer ever sees one.
func TestStaticTokensStayHere(t *testing.T) {
	token, line := newToken(t, "ci", time.Time{}, "test:read")
	stranger, _ := newToken(t, "x", time.Time{}, "test:read")
	f := newTokenFile(t, line)
	b := newBench(t, func(i *issuer, c *oauth.Config) {
		introspecting(i, c)
		c.Static = f.path
	})
	b.good(token)
	b.bad(oauth.InvalidToken, stranger)
	b.bad(oauth.InvalidToken, "lgw_x")
	b.good(b.issuer.Mint(nil))
	b.hits(oauthtest.IntrospectionPath, 0)

	without := newBench(t, introspecting)
	without.bad(oauth.InvalidToken, token)
	without.hits(oauthtest.IntrospectionPath, 0)
}

func TestNewStatic(t *testing.T) {
	token, line := newToken(t, "a.b-c_9", time.Date(2031, 2, 3, 4, 5, 6, 0, time.FixedZone("", 3600)), "a:read", "b")
	if !regexp.MustCompile(`^lgw_[A-Za-z0-9_-]{43}$`).MatchString(token) {
		t.Error("the token has another form")
	}
	if !regexp.MustCompile(`^a\.b-c_9 a:read,b sha256:[0-9a-f]{64} expires=2031-02-03T03:05:06Z$`).MatchString(line) {
		t.Errorf("line %q", line)
	}
	if again, _ := newToken(t, "a", time.Time{}, "b"); again == token {
		t.Error("two tokens are the same")
	}
	for name, tt := range map[string]struct {
		name   string
		scopes []string
	}{
		"no name": {"", []string{"a"}}, "space": {"a b", []string{"a"}}, "comment": {"#a", []string{"a"}}, "long": {strings.Repeat("a", 65), []string{"a"}},
		"line break": {"a\nb", []string{"a"}}, "no scope": {"a", nil}, "empty scope": {"a", []string{""}},
		"comma": {"a", []string{"a,b"}}, "scope with a space": {"a", []string{"a b"}}, "scope with a break": {"a", []string{"a\nb"}},
	} {
		if _, _, err := oauth.NewStatic(tt.name, tt.scopes, time.Time{}); fault.From(err) == nil || fault.From(err).Kind != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestUnusableTokenFiles: a server with such a file does not start, and does not
// show what is in it.
func TestUnusableTokenFiles(t *testing.T) {
	_, line := newToken(t, "ci", time.Time{}, "a:read")
	hash := strings.Fields(line)[2]
	for name, text := range map[string]string{
		"three words":    "ci a:read secret-word",
		"two words":      "ci a:read",
		"five words":     line + " expires=2030-01-01T00:00:00Z more",
		"no expires":     line + " 2030-01-01T00:00:00Z",
		"no time":        line + " expires=tomorrow",
		"short hash":     "ci a:read sha256:secret",
		"cut hash":       line[:len(line)-2],
		"another hash":   strings.Replace(line, "sha256:", "md5:", 1),
		"a bad name":     "c/i a:read " + hash,
		"a token's name": first(newToken(t, "ci", time.Time{}, "a")) + " a:read " + hash,
		"empty scope":    "ci a:read,,b " + hash,
		"a quote":        `ci a"b ` + hash,
		"twice":          line + "\nother b:read " + hash,
		"too large":      "#" + strings.Repeat("x", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			f := newTokenFile(t, text)
			_, err := oauth.New(t.Context(), oauth.Config{Static: f.path})
			refusedFile(t, err, text)
		})
	}
	for mode, ok := range map[fs.FileMode]bool{0o600: true, 0o400: true, 0o640: true, 0o440: true, 0o644: false, 0o604: false, 0o660: false, 0o620: false, 0o602: false, 0o777: false} {
		f := newTokenFile(t, line)
		f.mode(mode)
		v, err := oauth.New(t.Context(), oauth.Config{Static: f.path})
		if ok && err != nil {
			t.Errorf("mode %o: %v", mode, err)
		}
		if !ok {
			refusedFile(t, err, line)
			if action := fault.From(err).Action; !strings.Contains(action, "chmod 600 "+f.path) {
				t.Errorf("mode %o: %s", mode, action)
			}
		}
		if v != nil {
			v.Close()
		}
	}
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		_, err := oauth.New(t.Context(), oauth.Config{Static: path})
		refusedFile(t, err, "nothing")
	}
	if _, err := oauth.New(t.Context(), oauth.Config{Static: t.TempDir()}); !strings.Contains(err.Error(), "not a file") {
		t.Errorf("of a folder it says %v", err)
	}
	none := filepath.Join(t.TempDir(), "none")
	if _, err := oauth.New(t.Context(), oauth.Config{Static: none}); !strings.Contains(fault.From(err).Action, "legwork token NAME --file "+none) {
		t.Errorf("of no file it says %v", fault.From(err).Action)
	}
}

// TestAServerSaysHowManyTokensThereAre: one that nobody can call says so when it starts.
func TestAServerSaysHowManyTokensThereAre(t *testing.T) {
	_, good := newToken(t, "ci", time.Time{}, "a:read")
	_, old := newToken(t, "old", time.Now().Add(-time.Hour), "a:read")
	for text, says := range map[string]string{
		good + "\n" + old: "level=INFO msg=\"the file of static tokens was read\"", old: "level=WARN msg=\"no token of the file is good", "": "level=WARN msg=\"no token of the file is good",
	} {
		log := &strings.Builder{}
		v, err := oauth.New(t.Context(), oauth.Config{Static: newTokenFile(t, text).path, Logger: slog.New(slog.NewTextHandler(log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		v.Close()
		if !strings.Contains(log.String(), says) {
			t.Errorf("it says %s", log)
		}
	}
}

func refusedFile(t *testing.T, err error, text string) {
	t.Helper()
	f := fault.From(err)
	if f == nil || f.Type != "invalid_token_file" {
		t.Errorf("accepted, or %v", err)
		return
	}
	for _, word := range strings.Fields(text) {
		if len(word) > 8 && strings.Contains(f.Message+f.Action+errors.Unwrap(f).Error(), word) {
			t.Errorf("it quotes the file: %s", f.Message)
		}
	}
}

// TestReload: the file is looked at once a second, and a mistake in it locks
// nobody out.
func TestReload(t *testing.T) {
	one, oneLine := newToken(t, "one", time.Time{}, "a:read")
	two, twoLine := newToken(t, "two", time.Time{}, "a:read")
	f := newTokenFile(t, oneLine)
	b := staticBench(t, f)
	b.good(one)
	f.write(twoLine)
	b.bad(oauth.InvalidToken, two) // not yet looked
	b.clock.pass(time.Second)
	b.good(two)
	b.bad(oauth.InvalidToken, one)

	later := func() { b.clock.pass(time.Second) }
	errorsTold := func(want int) {
		t.Helper()
		if n := strings.Count(b.log.String(), "level=ERROR"); n != want {
			t.Errorf("%d errors told, want %d: %s", n, want, b.log)
		}
	}
	f.write(oneLine, "half a li")
	for range 3 {
		later()
		b.good(two)
		b.bad(oauth.InvalidToken, one)
	}
	errorsTold(1)
	f.write(oneLine)
	f.mode(0o666)
	later()
	b.good(two)
	errorsTold(2)
	if err := os.Remove(f.path); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		later()
		b.good(two)
	}
	errorsTold(3)
	b.clock.pass(time.Minute) // whoever removes the file does not want its tokens taken
	for range 3 {
		b.bad(oauth.InvalidToken, two)
		later()
	}
	errorsTold(4)
	f.write(oneLine, twoLine)
	later()
	b.good(one)
	f.write("# nobody any more")
	later()
	b.bad(oauth.InvalidToken, one)
	b.bad(oauth.InvalidToken, two)
	errorsTold(4)
	later()
	b.bad(oauth.InvalidToken, one)
	if n := strings.Count(b.log.String(), "was read again"); n != 3 {
		t.Errorf("it was read again %d times, and changed for the better 3 times: %s", n, b.log)
	}
}
