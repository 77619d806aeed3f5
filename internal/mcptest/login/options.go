package login

import (
	"context"
	"crypto"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// Grant is how a token is got.
type Grant string

// The grants.
const (
	// AuthorizationCode has a person log in (RFC 6749, 4.1) with PKCE (RFC 7636).
	AuthorizationCode Grant = "authorization_code"
	// ClientCredentials is for a program of its own (RFC 6749, 4.4; MCP extension
	// io.modelcontextprotocol/oauth-client-credentials).
	ClientCredentials Grant = "client_credentials"
	// Bearer takes a token that somebody else got.
	Bearer Grant = "bearer"
)

// The ways in which a client says who it is at the token endpoint (OpenID Connect Core
// 1.0, 9).
const (
	MethodNone  = "none"
	MethodPost  = "client_secret_post"
	MethodBasic = "client_secret_basic"
	MethodJWT   = "private_key_jwt"
)

// Options say who logs in, and how.
type Options struct {
	// URL is the address of the server under test.
	URL string
	// HTTPClient sends all requests; its guard decides what may be reached. Its redirect
	// policy and cookies are not used.
	HTTPClient *http.Client
	Grant      Grant

	// Client is one that is registered already. An empty ID is none.
	Client Client
	// Document is the address of a client id metadata document that names the redirect
	// address of Person; it is used where the authorization server takes such documents
	// (MCP 2025-11-25, Client ID Metadata Documents). Empty is none.
	Document string
	// NoRegistration leaves out dynamic registration (RFC 7591).
	NoRegistration bool
	// Name is what a registration calls this client; empty is "legwork".
	Name string

	// Scopes are asked for instead of those that the server names.
	Scopes []string
	// Audience is sent to authorization servers that want the name of the API under
	// that name, such as Auth0.
	Audience string
	// Resource is sent as the resource (RFC 8707) instead of what the metadata names;
	// NoResource sends none, for issuers that refuse it.
	Resource   string
	NoResource bool
	// NoRefresh asks for no refresh token.
	NoRefresh bool
	// Issuer chooses among the authorization servers of the metadata; empty is the
	// first.
	Issuer string

	// Person is shown the link of the code flow.
	Person Person
	// Token gives the token of Bearer, each time that one is needed.
	Token func(context.Context) (string, error)

	// Timeout bounds each request; 0 is 15 s.
	Timeout time.Duration
	// StepUps bounds how often one operation asks for more scopes; 0 is 2.
	StepUps int
	// Logger gets what happens, without contents; nil is silence.
	Logger *slog.Logger
	// Now is the clock; nil is the system's.
	Now func() time.Time
}

// Client is a client that an authorization server knows.
type Client struct {
	ID     string
	Secret string
	// Key signs for MethodJWT: *ecdsa.PrivateKey (ES256, ES384, ES512), *rsa.PrivateKey
	// (RS256) or ed25519.PrivateKey (EdDSA). KeyID names it; empty leaves kid out.
	Key   crypto.Signer
	KeyID string
	// Method is how it says who it is; empty chooses what the server takes.
	Method string
	// Issuer is the only authorization server that may see it; empty is any. Credentials
	// of one authorization server mean nothing at another (MCP 2026-07-28,
	// Authorization Server Binding).
	Issuer string
}

// Link is where a person logs in.
type Link struct {
	URL      string // whole, to be opened in a browser
	State    string // that must come back
	Redirect string // where the browser comes back to
	Issuer   string // who will ask for the login
	Scopes   []string
}

// Person is whoever can open a link.
type Person interface {
	// Redirect is the address to which the browser will come back.
	Redirect(context.Context) (string, error)
	// Ask shows the link and gives the parameters with which the browser came back. It
	// fails with ErrPending when that has not happened yet and will later.
	Ask(context.Context, Link) (url.Values, error)
}

// ErrPending says that a person has the link and has not logged in yet. The next
// Authorize asks again, with the same link.
var ErrPending = errors.New("nobody has logged in yet")

// New makes a login that has not begun.
func New(o Options) (*Login, error) {
	u, err := url.Parse(o.URL)
	wrong := ""
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		wrong = "the address of the server is no http or https address"
	case o.HTTPClient == nil:
		wrong = "there is no HTTP client"
	case o.Grant == Bearer && o.Token == nil:
		wrong = "the grant bearer needs a token"
	case o.Grant == AuthorizationCode && o.Person == nil:
		wrong = "the grant authorization_code needs a person who can open a link"
	case o.Grant == ClientCredentials && (o.Client.ID == "" || o.Client.Secret == "" && o.Client.Key == nil):
		wrong = "the grant client_credentials needs a client with an id and with a secret or a key"
	case o.Grant != Bearer && o.Grant != AuthorizationCode && o.Grant != ClientCredentials:
		wrong = fmt.Sprintf("there is no grant %q", o.Grant)
	case o.Document != "" && !isDocument(o.Document):
		wrong = "a client id metadata document has an https address with a path"
	}
	if wrong != "" {
		return nil, fmt.Errorf("prepare the login: %s", wrong)
	}
	return newLogin(o.filled(), u), nil
}

func (o Options) filled() Options {
	if o.Timeout <= 0 {
		o.Timeout = 15 * time.Second
	}
	if o.StepUps <= 0 {
		o.StepUps = 2
	}
	if o.Name == "" {
		o.Name = "legwork"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// isDocument reports whether an address can be a client id (MCP 2025-11-25, Client ID
// Metadata Documents, Implementation Requirements).
func isDocument(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Host != "" && len(u.Path) > 1 && u.Fragment == "" && u.User == nil
}
