package auth_test

import (
	"testing"

	"github.com/legwork-mcp/legwork/internal/auth"
)

// TestAnIdentifiedPrincipalThatIsChangedIsAnother: what was worked out is not taken for
// that of another subject, issuer or client.
func TestAnIdentifiedPrincipalThatIsChangedIsAnother(t *testing.T) {
	p := auth.Principal{Issuer: "https://a", Client: "c"}.Identified()
	if got, want := p.ID(), (auth.Principal{Issuer: "https://a", Client: "c"}).ID(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for name, change := range map[string]func(*auth.Principal){
		"issuer":  func(p *auth.Principal) { p.Issuer = "https://b" },
		"subject": func(p *auth.Principal) { p.Subject = "s" },
		"client":  func(p *auth.Principal) { p.Client = "d" },
		"nobody":  func(p *auth.Principal) { *p = auth.Principal{} },
	} {
		q := p
		change(&q)
		if want := (auth.Principal{Issuer: q.Issuer, Subject: q.Subject, Client: q.Client}).ID(); q.ID() != want || q.ID() == p.ID() {
			t.Errorf("%s: got %q, want %q", name, q.ID(), want)
		}
	}
}
