package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/store"
)

// admitted is what a server with these settings, and a file of tokens, says to
// them.
func admitted(t *testing.T, env ...string) (serve.Options, error) {
	t.Helper()
	home := t.TempDir()
	tokens := filepath.Join(home, "tokens")
	if err := os.WriteFile(tokens, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := &app{std: Streams{Err: os.Stderr, Environ: append([]string{"HOME=" + home, "LEGWORK_TOKENS_FILE=" + tokens}, env...)}}
	kit, err := a.open()
	if err != nil {
		return serve.Options{}, err
	}
	defer kit.close(t.Context())
	o := kit.serveOptions(kit.servers())
	done, err := kit.admit(t.Context(), "127.0.0.1:1", &o)
	if err == nil {
		done()
	}
	return o, err
}

// TestClumsySettingsAreRefused: a setting that would quietly protect less, or keep
// everybody out, is refused at start.
func TestClumsySettingsAreRefused(t *testing.T) {
	for setting, says := range map[string]string{
		"LEGWORK_RATE_LIMITS=federalrunner_execute_wizzard=5/1h":   "Did you mean federalrunner_execute_wizard?",
		"LEGWORK_RATE_LIMITS=ALL=5/1h":                             "the name of a tool",
		"LEGWORK_RATE_LIMITS=all=10/1h":                            "lets nobody call",
		"LEGWORK_RATE_LIMITS=all=100/1h:burst=19":                  "burst of at least 20",
		"LEGWORK_ALLOWED_ORIGINS=https://a.example/":               "no web origin",
		"LEGWORK_ALLOWED_ORIGINS=https://a.example,b.example":      "no web origin",
		"LEGWORK_ALLOWED_ORIGINS=https://A.example":                "no web origin",
		"LEGWORK_ALLOWED_ORIGINS=*":                                "no web origin",
		"MCP_SERVER_URL=https://a.example#x":                       "not the address of a server",
		"MCP_SERVER_URL=https://a.example/mcp":                     "not the address of a server",
		"MCP_SERVER_URL=https://a.example?":                        "not the address of a server",
		"MCP_SERVER_URL=https://hunter2@a.example":                 "not the address of a server",
		"MCP_SERVER_URL=a.example:443":                             "not the address of a server",
		"MCP_SERVER_URL=httpx://a.example":                         "not the address of a server",
		"AUTH0_DOMAIN=https://t.example/":                          "not a domain",
		"LEGWORK_DATABASE_URL=hunter2":                             "which kind of database",
		"LEGWORK_DATABASE_URL=db.example:5432/legwork?pw=hunter2":  "which kind of database",
		"LEGWORK_DATABASE_URL=mysql://u:hunter2@127.0.0.1/legwork": "not known",
	} {
		t.Run(setting, func(t *testing.T) {
			t.Chdir(t.TempDir())
			_, err := admitted(t, setting)
			if err == nil {
				t.Fatal("it is accepted")
			}
			f := fault.From(err)
			if text := f.Error() + " " + f.Action; f.Type != "invalid_setting" || !strings.Contains(text, says) || strings.Contains(text, "hunter2") {
				t.Errorf("%s: %s", f.Type, text)
			}
		})
	}
}

// TestUsableSettingsAreTaken: what is right is not refused with it.
func TestUsableSettingsAreTaken(t *testing.T) {
	for _, setting := range []string{
		"LEGWORK_RATE_LIMITS=federalscout_probe_page=5/1h,all=20/1h,*=off", "LEGWORK_RATE_LIMITS=all=off", "LEGWORK_RATE_LIMITS=off",
		"LEGWORK_ALLOWED_ORIGINS=https://a.example, http://localhost:3000,chrome-extension://abc,null",
		"MCP_SERVER_URL=https://A.example:8443/", "MCP_SERVER_URL=http://127.0.0.1:8080",
		"LEGWORK_DATABASE_URL=sqlite:calls.db",
	} {
		t.Run(setting, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if _, err := admitted(t, setting); err != nil {
				t.Error(fault.From(err))
			}
		})
	}
}

// TestNamesOfTheServerInTokens: a client asks for a token for the address that it
// uses, and such a token is taken.
func TestNamesOfTheServerInTokens(t *testing.T) {
	t.Parallel()
	endpoints := []serve.Endpoint{{Path: "/"}, {Path: "/mcp"}}
	for _, tt := range []struct {
		c    config.Config
		addr string
		want string
	}{
		{config.Config{ServerURL: "https://a.example/", Audience: "forms"}, "127.0.0.1:80", "forms https://a.example/ https://a.example/mcp https://a.example"},
		{config.Config{}, "127.0.0.1:80", "http://127.0.0.1:80/ http://127.0.0.1:80/mcp http://127.0.0.1:80 " +
			"http://localhost:80/ http://localhost:80/mcp http://localhost:80 http://[::1]:80/ http://[::1]:80/mcp http://[::1]:80"},
	} {
		if got := strings.Join(audiences(&tt.c, tt.addr, endpoints), " "); got != tt.want {
			t.Errorf("%s", got)
		}
	}
}

// TestNobodyHoldsAllExplorations: where there are several callers, one of them has
// at most half of the places.
func TestNobodyHoldsAllExplorations(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		env    []string
		hosted bool
		each   int
	}{
		"this machine":      {nil, true, 8},
		"tokens":            {[]string{"LEGWORK_TOKENS_FILE=tokens"}, true, 4},
		"an issuer":         {[]string{"LEGWORK_ISSUER=https://login.example/"}, true, 4},
		"one place":         {[]string{"LEGWORK_TOKENS_FILE=tokens", "LEGWORK_SCOUT_SESSIONS=1"}, true, 1},
		"tokens over stdio": {[]string{"LEGWORK_TOKENS_FILE=tokens"}, false, 8},
	} {
		t.Run(name, func(t *testing.T) {
			a := &app{std: Streams{Err: os.Stderr, Environ: append([]string{"HOME=" + t.TempDir()}, tt.env...)}, hosted: tt.hosted}
			cfg, err := a.settings()
			if err != nil {
				t.Fatal(err)
			}
			if got := scoutSettings(cfg, a.several(cfg)).PerCaller; got != tt.each {
				t.Errorf("%d of %d", got, cfg.ScoutSessions)
			}
		})
	}
}

// TestDoctorLeavesTheDatabaseAsItIs: the servers that run may need its older tables.
func TestDoctorLeavesTheDatabaseAsItIs(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	a := &app{std: Streams{Err: os.Stderr, Environ: []string{"HOME=" + home, "LEGWORK_DATABASE_URL=sqlite:" + filepath.Join(home, "calls.db")}}}
	kit, err := a.open()
	if err != nil {
		t.Fatal(err)
	}
	defer kit.close(t.Context())
	if err := kit.checkDatabase(t.Context()); err != nil {
		t.Fatal(err)
	}
	db, err := kit.database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	steps, err := db.Migrate(t.Context())
	if err := errors.Join(err, db.Close()); err != nil || steps == 0 {
		t.Errorf("%d steps were left to make (%v): the check has made them", steps, err)
	}
}

// TestEveryToolHasALimit: a new tool of any server cannot be called without end by
// somebody who has a token.
func TestEveryToolHasALimit(t *testing.T) {
	a := &app{std: Streams{Err: os.Stderr, Environ: []string{"HOME=" + t.TempDir()}}}
	kit, err := a.open()
	if err != nil {
		t.Fatal(err)
	}
	defer kit.close(t.Context())
	tools := kit.tools()
	l, err := limits("", tools)
	if err != nil || len(tools) < 40 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	for _, b := range tools {
		if limit, limited := l.Of(b.Spec); !limited || limit.Check() != nil {
			t.Errorf("%s: %v", b.Spec.Name, limit)
		}
	}
}

// TestReadyOnlyWithAllThatCallsNeed: a replica whose database is gone takes no calls,
// and says so to whoever hands them out.
func TestReadyOnlyWithAllThatCallsNeed(t *testing.T) {
	t.Parallel()
	up := func(context.Context) error { return nil }
	down := func(context.Context) error { return errors.New("the database is gone") }
	for name, tt := range map[string]struct {
		checks []func(context.Context) error
		ready  bool
	}{
		"all": {[]func(context.Context) error{up, up}, true}, "the first is down": {[]func(context.Context) error{down, up}, false},
		"the last is down": {[]func(context.Context) error{up, down}, false},
	} {
		if err := allReady(tt.checks...)(t.Context()); (err == nil) != tt.ready {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAnOutageDoesNotTellWhereTheDatabaseIs: /ready answers anybody, and the log tells
// whoever runs the server.
func TestAnOutageDoesNotTellWhereTheDatabaseIs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "counts.db")
	db, err := store.Open(t.Context(), store.URL("sqlite:"+path))
	if err != nil {
		t.Fatal(err)
	}
	log := &strings.Builder{}
	ready := (&kit{log: slog.New(slog.NewJSONHandler(log, nil))}).reached(db)
	if err := errors.Join(ready(t.Context()), db.Close()); err != nil {
		t.Fatal(err)
	}
	f := fault.From(ready(t.Context()))
	if f == nil || f.Type != "database_unavailable" || f.Action == "" || strings.Contains(f.Error()+f.Action, "counts.db") {
		t.Errorf("it says %v", f)
	}
	if !strings.Contains(log.String(), path) || !strings.Contains(log.String(), "closed") {
		t.Errorf("the log does not tell: %s", log)
	}
}

// TestTextOfSitesOnTerminals: it stays on its line, and turns nothing around.
func TestTextOfSitesOnTerminals(t *testing.T) {
	t.Parallel()
	if got := plainLine("K\u00e4se \u03b1\n\x1b[2J\u202e\u0085\u200b"); got != "K\u00e4se \u03b1??[2J???" {
		t.Errorf("it is %q", got)
	}
}
