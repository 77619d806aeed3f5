package cwac

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/nearest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// The most patterns of one list, and the bytes of one.
const (
	maxPatterns = 50
	maxPattern  = 500
)

// narrow puts what the caller says of the pages to look at into the configuration:
// patterns, consent banners, a login. CWAC knows none of it, and a scan of more than
// was asked for is refused.
func (s *Server) narrow(ctx context.Context, e *engine, in ScanIn) error {
	asked := slices.DeleteFunc([]string{"include", "exclude", "consent", "login"}, func(name string) bool {
		return name == "include" && len(in.Include) == 0 || name == "exclude" && len(in.Exclude) == 0 ||
			name == "consent" && in.Consent != "dismiss" || name == "login" && in.Login == ""
	})
	if len(asked) == 0 {
		return nil
	}
	if e.kind != results.EngineLegwork {
		return fault.New(fault.Invalid, "engine_cannot", "A CWAC installation has no "+strings.Join(asked, ", ")+".",
			"Leave that out, or unset CWAC_PATH to scan with the engine of this program.")
	}
	for _, list := range [][]string{in.Include, in.Exclude} {
		if err := checkPatterns(list); err != nil {
			return err
		}
	}
	l := &e.config.Legwork
	l.Include, l.Exclude, l.Consent = in.Include, in.Exclude, in.Consent
	if in.Login == "" {
		return nil
	}
	var err error
	l.Login, err = s.login(ctx, in.Login)
	return err
}

func checkPatterns(list []string) error {
	wrong := len(list) > maxPatterns
	for _, p := range list {
		wrong = wrong || strings.TrimSpace(p) == "" || len(p) > maxPattern
	}
	if wrong {
		return fault.New(fault.Invalid, "invalid_pattern", fmt.Sprintf("include and exclude take at most %d patterns of 1 to %d bytes.", maxPatterns, maxPattern),
			"Give paths such as /docs/ or /*.html$.")
	}
	return nil
}

// loginName is what names of logins look like: nothing else becomes part of a path.
var loginName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$`)

// loginsDir is the folder of logins below that of the scans.
const loginsDir = "logins"

// login refers the engine to the file of a login. The server looks into it only to
// say that it is wrong, before the scan and not in the middle of it; no copy is made.
func (s *Server) login(ctx context.Context, name string) (json.RawMessage, error) {
	if !tool.Caller(ctx).IsLocal() {
		return nil, fault.New(fault.Denied, "login_not_yours", "Logins belong to the user of the machine that this server runs on.", "Scan without login.")
	}
	if !loginName.MatchString(name) {
		return nil, s.unknownLogin(name)
	}
	path, err := filepath.Abs(filepath.Join(s.o.Dir, loginsDir, name+".json"))
	if err != nil {
		return nil, fmt.Errorf("find a login: %w", err)
	}
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, s.unknownLogin(name)
	}
	if s.o.CheckLogin != nil {
		if err := s.o.CheckLogin(path); err != nil {
			return nil, err
		}
	}
	return json.Marshal(map[string]string{"file": path})
}

func (s *Server) unknownLogin(name string) error {
	var have []string
	entries, _ := os.ReadDir(filepath.Join(s.o.Dir, loginsDir)) // without the folder there are none
	for _, e := range entries {
		n, ok := strings.CutSuffix(e.Name(), ".json")
		if info, err := os.Stat(filepath.Join(s.o.Dir, loginsDir, e.Name())); ok && loginName.MatchString(n) && err == nil && info.Mode().IsRegular() {
			have = append(have, n)
		}
	}
	action := "The user of this machine puts it there as NAME.json; docs/scanning.md says what it holds. There is none yet."
	if len(have) > 0 {
		action = "Use one of: " + strings.Join(have[:min(len(have), 20)], ", ") + "."
	}
	if near := nearest.Name(name, have); near != "" {
		action = "Did you mean " + near + "? " + action
	}
	return fault.New(fault.NotFound, "login_not_found", fmt.Sprintf("There is no login %q in %s.", clip(quiet(name), 60), filepath.Join(s.o.Dir, loginsDir)), action)
}
