package board

import (
	"net/netip"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/signin"
	"github.com/legwork-mcp/legwork/internal/reach"
)

// SignIn are the accounts elsewhere that people may sign in with.
type SignIn struct {
	// Google and LINE are offered when they have an id.
	Google, LINE Client
	// Issuer is any other issuer of OpenID Connect, and IssuerName what people call it.
	Issuer, IssuerName string
	Other              Client
}

// Client is the board at an issuer.
type Client struct{ ID, Secret string }

// issuerTime bounds one question to an issuer.
const issuerTime = 15 * time.Second

// desk is where people sign in with them, or nil for none.
func (s SignIn) desk(base string, clock func() time.Time) (*signin.Desk, error) {
	var all []signin.Provider
	if s.Google != (Client{}) {
		all = append(all, signin.Google(s.Google.ID, s.Google.Secret))
	}
	if s.LINE != (Client{}) {
		all = append(all, signin.LINE(s.LINE.ID, s.LINE.Secret))
	}
	if s.Issuer != "" || s.Other != (Client{}) {
		all = append(all, signin.Other(s.IssuerName, s.Issuer, s.Other.ID, s.Other.Secret))
	}
	if len(all) == 0 {
		return nil, nil
	}
	// Who runs the board chose the issuers, so that they may be in its own network.
	dialer := &reach.Dialer{Allow: func(netip.AddrPort) bool { return true }}
	return signin.New(signin.Options{Providers: all, Base: base, Client: reach.NewClient(dialer, nil, issuerTime), Clock: clock})
}
