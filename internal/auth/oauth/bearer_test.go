package oauth_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/fault"
)

func TestBearer(t *testing.T) {
	for name, tt := range map[string]struct {
		headers []string
		token   string
		code    oauth.Code
	}{
		"a token":             {[]string{"Bearer abc.DEF-_~+/1=="}, "abc.DEF-_~+/1==", ""},
		"lower case":          {[]string{"bearer abc"}, "abc", ""},
		"upper case":          {[]string{"BEARER abc"}, "abc", ""},
		"more spaces":         {[]string{"Bearer   abc "}, "abc", ""},
		"no header":           {nil, "", oauth.NoToken},
		"an empty header":     {[]string{""}, "", oauth.NoToken},
		"another scheme":      {[]string{"Basic YTpi"}, "", oauth.NoToken},
		"DPoP":                {[]string{"DPoP abc"}, "", oauth.NoToken},
		"the token alone":     {[]string{"abc"}, "", oauth.NoToken},
		"a longer scheme":     {[]string{"BearerX abc"}, "", oauth.NoToken},
		"a tab":               {[]string{"Bearer\tabc"}, "", oauth.NoToken},
		"two headers":         {[]string{"Bearer abc", "Bearer def"}, "", oauth.InvalidRequest},
		"one of two is empty": {[]string{"Bearer abc", ""}, "", oauth.InvalidRequest},
		"two schemes":         {[]string{"Basic YTpi", "Bearer abc"}, "", oauth.InvalidRequest},
		"two in one":          {[]string{"Bearer abc, Bearer def"}, "", oauth.InvalidToken},
		"two tokens":          {[]string{"Bearer abc def"}, "", oauth.InvalidToken},
		"nothing after":       {[]string{"Bearer"}, "", oauth.InvalidToken},
		"spaces after":        {[]string{"Bearer   "}, "", oauth.InvalidToken},
		"padding alone":       {[]string{"Bearer =="}, "", oauth.InvalidToken},
		"padding inside":      {[]string{"Bearer a=b"}, "", oauth.InvalidToken},
		"quotes":              {[]string{`Bearer "abc"`}, "", oauth.InvalidToken},
		"a line break":        {[]string{"Bearer abc\r\nX: y"}, "", oauth.InvalidToken},
		"NUL":                 {[]string{"Bearer abc\x00"}, "", oauth.InvalidToken},
		"not ASCII":           {[]string{"Bearer abcé"}, "", oauth.InvalidToken},
	} {
		t.Run(name, func(t *testing.T) {
			h := http.Header{"Authorization": tt.headers, "X-Authorization": {"Bearer no"}, "Proxy-Authorization": {"Bearer no"}}
			if tt.headers == nil {
				h.Del("Authorization")
			}
			got, err := oauth.Bearer(h)
			var e *oauth.Error
			errors.As(err, &e)
			if got != tt.token || (err == nil) != (tt.code == "") || e != nil && e.Code != tt.code {
				t.Errorf("token %q, error %+v", got, e)
			}
		})
	}
}

func TestFacesOfARefusal(t *testing.T) {
	for code, want := range map[oauth.Code]struct {
		status    int
		kind      fault.Kind
		challenge string
	}{
		oauth.NoToken:        {401, fault.Denied, `Bearer scope="a:read b", resource_metadata="https://x/m"`},
		oauth.InvalidRequest: {400, fault.Invalid, `Bearer error="invalid_request", error_description="why", scope="a:read b", resource_metadata="https://x/m"`},
		oauth.InvalidToken:   {401, fault.Denied, `Bearer error="invalid_token", error_description="why", scope="a:read b", resource_metadata="https://x/m"`},
		oauth.InsufficientScope: {
			403, fault.Denied,
			`Bearer error="insufficient_scope", error_description="why", scope="a:execute", resource_metadata="https://x/m"`,
		},
	} {
		e := &oauth.Error{Code: code, Description: "why", Scopes: []string{"a:execute"}}
		if e.Status() != want.status || fault.From(e).Kind != want.kind || fault.From(e).Type != string(code) || fault.From(e).Action == "" {
			t.Errorf("%s: status %d, fault %+v", code, e.Status(), fault.From(e))
		}
		if diff := cmp.Diff(want.challenge, e.Challenge("https://x/m", "a:read", "b").String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
	}
	cause := errors.New("secret cause")
	e := &oauth.Error{Code: oauth.Unavailable, RetryAfter: time.Minute, Cause: cause}
	if e.Status() != 503 || fault.From(e).RetryAfter != time.Minute || !errors.Is(e, cause) || strings.Contains(e.Error(), "secret") {
		t.Errorf("unavailable: %+v, %v", fault.From(e), e)
	}
	if e := oauth.Insufficient("a:execute", "b"); e.Code != oauth.InsufficientScope || len(e.Scopes) != 2 {
		t.Errorf("insufficient: %+v", e)
	}
}

// TestChallengeInjection: whatever the fields hold, the header is one line of
// well-formed parameters.
func TestChallengeInjection(t *testing.T) {
	c := oauth.Challenge{
		ResourceMetadata: "https://x/\" y, error=\"none\r\nSet-Cookie: a=b\\",
		Scopes:           []string{"ok", `a"b`, "c\r\nd", "e f", "", "é", `g\`},
		Error:            "invalid_token\", scope=\"admin", Description: "why\r\n\r\n<html>\x00\x7fé\"",
	}
	want := `Bearer error="invalid_token', scope='admin", error_description="why<html>'", scope="ok", resource_metadata="https://x/'%20y,%20error='noneSet-Cookie:%20a=b'"`
	if diff := cmp.Diff(want, c.String()); diff != "" {
		t.Errorf("challenge (-want +got):\n%s", diff)
	}
	if got := (oauth.Challenge{}).String(); got != "Bearer" {
		t.Errorf("of nothing: %q", got)
	}
}

var wellFormed = regexp.MustCompile(`^Bearer( [a-z_]+="[\x20-\x21\x23-\x5b\x5d-\x7e]+"(, [a-z_]+="[\x20-\x21\x23-\x5b\x5d-\x7e]+")*)?$`)

func FuzzChallenge(f *testing.F) {
	f.Add("https://x/", "a b", "invalid_token", "why")
	f.Add("\r\n", `"`, `\`, "\x00é")
	f.Fuzz(func(t *testing.T, metadata, scope, code, description string) {
		got := oauth.Challenge{ResourceMetadata: metadata, Scopes: []string{scope, scope}, Error: code, Description: description}.String()
		if !wellFormed.MatchString(got) {
			t.Errorf("%q", got)
		}
	})
}

func FuzzBearer(f *testing.F) {
	for _, s := range []string{"Bearer abc", "bearer  a.b.c==", "Basic x", "Bearer a b", "Bearer =", "", "Bearer \x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		token, err := oauth.Bearer(http.Header{"Authorization": {header}})
		var e *oauth.Error
		switch {
		case err != nil && (token != "" || !errors.As(err, &e) || e.Status() != 401):
			t.Errorf("%q: token %q, %v", header, token, err)
		case err == nil && (token == "" || !strings.HasSuffix(strings.TrimRight(header, " "), token) || strings.ContainsAny(token, " ,\"\r\n\t\x00")):
			t.Errorf("%q: token %q", header, token)
		}
		if err != nil && len(header) > 20 && strings.Contains(err.Error(), header) {
			t.Errorf("the error quotes the header: %v", err)
		}
	})
}

func TestMetadata(t *testing.T) {
	raw, err := json.Marshal(oauth.Metadata{
		Resource: "https://api.example/mcp", AuthorizationServers: []string{"https://login.example/"},
		Scopes: []string{"a:read", "offline_access", "a:execute"}, Name: "Legwork", Documentation: "https://api.example/docs",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"resource":"https://api.example/mcp","authorization_servers":["https://login.example/"],` +
		`"scopes_supported":["a:read","a:execute"],"bearer_methods_supported":["header"],` +
		`"resource_name":"Legwork","resource_documentation":"https://api.example/docs"}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	scopes := []string{"offline_access", "x"}
	if _, err := json.Marshal(oauth.Metadata{Resource: "r", Scopes: scopes}); err != nil || scopes[0] != "offline_access" {
		t.Errorf("the caller's list was changed to %v (%v)", scopes, err)
	}
	for path, want := range map[string]string{
		"": "/.well-known/oauth-protected-resource", "/": "/.well-known/oauth-protected-resource",
		"/mcp": "/.well-known/oauth-protected-resource/mcp", "/mcp/runner": "/.well-known/oauth-protected-resource/mcp/runner",
	} {
		if got := oauth.WellKnownPath(path); got != want {
			t.Errorf("the metadata of %q is at %s", path, got)
		}
	}
}
