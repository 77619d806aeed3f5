package auth_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/auth"
)

func TestHas(t *testing.T) {
	tests := map[string]struct {
		granted, asked string
		want           bool
	}{
		"the same":                   {"runner:read", "runner:read", true},
		"execute includes read":      {"runner:execute", "runner:read", true},
		"scan includes read":         {"cwac:scan", "cwac:read", true},
		"read does not scan":         {"cwac:read", "cwac:scan", false},
		"post includes read":         {"bounty:post", "bounty:read", true},
		"read does not execute":      {"runner:read", "runner:execute", false},
		"another server's execute":   {"scout:execute", "runner:read", false},
		"a longer name":              {"x:runner:execute", "runner:read", false},
		"a prefix":                   {"runner:read", "runner:read:all", false},
		"a prefix that was granted":  {"runner:read:all", "runner:read", false},
		"the name alone":             {"runner", "runner:read", false},
		"upper case":                 {"RUNNER:READ", "runner:read", false},
		"upper case execute":         {"runner:EXECUTE", "runner:read", false},
		"a letter that folds":        {"\u017fcout:execute", "scout:read", false},
		"a star":                     {"*", "runner:read", false},
		"a star of one server":       {"runner:*", "runner:read", false},
		"white space":                {" runner:read", "runner:read", false},
		"two in one":                 {"a runner:read", "runner:read", false},
		"the word of the local user": {"local", "runner:read", false},
		"execute without a name":     {":execute", ":read", false},
		"nothing granted":            {"", "runner:read", false},
		"nothing asked":              {"runner:read", "", false},
		"nothing asked nor granted":  {"", "", false},
		"other actions stand alone":  {"scout:execute", "scout:discover", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := auth.Principal{Issuer: "https://i.example/", Subject: "ann", Scopes: []string{"other:read", tt.granted}}
			if got := p.Has(tt.asked); got != tt.want {
				t.Errorf("%q has %q: %v, want %v", tt.granted, tt.asked, got, tt.want)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	p := auth.Principal{Issuer: "https://i.example/", Subject: "ann", Scopes: []string{"a:execute", "b:read"}}
	got := auth.Missing(p, "a:read", "b:execute", "a:execute", "c", "b:read")
	if diff := cmp.Diff([]string{"b:execute", "c"}, got); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	if got := auth.Missing(p); got != nil {
		t.Errorf("of no scopes %q are missing", got)
	}
	if got := auth.Missing(auth.Local(), "a:read", "z"); got != nil {
		t.Errorf("the local user lacks %q", got)
	}
}

// TestOnlyTheLocalUserIsLocal: nothing that a token could say makes a caller the
// user of this machine.
func TestOnlyTheLocalUserIsLocal(t *testing.T) {
	for _, p := range []auth.Principal{
		{}, {Subject: "local"}, {Issuer: "local"}, {Issuer: "https://i.example/", Subject: "local"},
		{Issuer: "Local", Subject: "local"}, {Issuer: "local", Subject: "local", Client: "c"}, {Client: "local"},
	} {
		if p.IsLocal() || p.Has("a:read") || p.ID() == auth.Local().ID() {
			t.Errorf("%+v passes for the local user", p)
		}
	}
	if l := auth.Local(); !l.IsLocal() || !l.Has("a:read") || l.ID() != "local" || l.Has("") {
		t.Errorf("the local user is %+v", l)
	}
}

func TestIDsNeverMeet(t *testing.T) {
	long := strings.Repeat("x", 1<<16)
	all := []auth.Principal{
		auth.Local(),
		{Issuer: "https://a/", Subject: "1"}, {Issuer: "https://a", Subject: "1"}, {Issuer: "https://a", Subject: "/1"},
		{Issuer: "https://b/", Subject: "1"}, {Issuer: "https://a/", Subject: "2"}, {Issuer: "https://a/", Client: "1"},
		{Issuer: "https://a/", Subject: "cli:1"}, {Issuer: "https://a/1", Subject: ""}, {Subject: "https://a/1"},
		{Issuer: "https://a/", Subject: "A"}, {Issuer: "https://a/", Subject: "a"}, {Issuer: "https://a/", Subject: "a\x00"},
		{Issuer: "https://a/", Subject: "\xff"}, {Issuer: "https://a/", Subject: "\xfe"}, {Issuer: "https://a/", Subject: "\ufffd"},
		{Issuer: "https://a/", Subject: long}, {Issuer: "https://a/", Subject: long + "x"}, {Subject: "local"},
		{Issuer: "https://a/", Subject: auth.Principal{Issuer: "https://a/", Subject: "1"}.ID()},
	}
	seen := map[string]int{}
	for i, p := range all {
		id := p.ID()
		if other, ok := seen[id]; ok {
			t.Errorf("%d and %d have the id %q", other, i, id)
		}
		seen[id] = i
		if len(id) > 47 {
			t.Errorf("the id %q is long", id)
		}
	}
	if id := (auth.Principal{Issuer: "https://a/"}).ID(); id != "" {
		t.Errorf("nobody has the id %q", id)
	}
}

// TestIDStaysTheSame: what was bound with one token is reached with the next.
func TestIDStaysTheSame(t *testing.T) {
	a := auth.Principal{Issuer: "https://a/", Subject: "ann", Client: "one", Scopes: []string{"x"}, Session: "s", Expires: time.Unix(9, 0)}
	b := auth.Principal{Issuer: "https://a/", Subject: "ann", Client: "two"}
	const want = "sub:yoC44jhtPW5ek1s0f87Gzhc_Bu5KbDY1TwYbr0bcr48" // files of earlier versions are bound to it
	if a.ID() != want || b.ID() != want {
		t.Errorf("%q and %q, want %q", a.ID(), b.ID(), want)
	}
}

func TestExpired(t *testing.T) {
	at := time.Unix(1000, 0)
	if p := (auth.Principal{Expires: at}); p.Expired(at.Add(-1)) || !p.Expired(at) {
		t.Error("the proof does not end when it ends")
	}
	if (auth.Principal{}).Expired(at) {
		t.Error("what has no end has ended")
	}
}
