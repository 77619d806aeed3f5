package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// The types of faults.
const (
	Unavailable = "signin_unavailable" // the issuer does not answer, or is none
	Declined    = "signin_declined"    // the person said no
	Refused     = "signin_refused"     // what came back is not to be believed
	Expired     = "signin_expired"     // it took too long, or began elsewhere
)

// AttemptLife is how long a sign-in may take.
const AttemptLife = 10 * time.Minute

// Options are what New needs.
type Options struct {
	// Providers are those that people may choose from.
	Providers []Provider
	// Base is the address of the board's pages, without a slash at the end.
	Base string
	// Client reaches the issuers. It must not follow redirects.
	Client *http.Client
	// Clock is what time it is.
	Clock func() time.Time
}

// Desk is where people sign in. It is safe for concurrent use.
type Desk struct {
	options Options
	mu      sync.Mutex
	known   map[string]*issuer
}

// New returns a desk. The issuers are asked when the first person comes: one that is
// down does not keep the board from starting.
func New(o Options) (*Desk, error) {
	if o.Client == nil || o.Client.Transport == nil || o.Clock == nil {
		return nil, errors.New("open the sign-in desk: a client with a transport and a clock are needed")
	}
	for _, p := range o.Providers {
		u, err := url.Parse(p.Issuer)
		if err != nil || u.Host == "" || !secure(u) || p.ClientID == "" || p.ClientSecret == "" || p.Label == "" {
			return nil, fault.New(fault.Invalid, "invalid_setting", "The sign-in with "+p.Name+" is not set up completely.",
				"Give the https address of the issuer, the client id and the client secret.")
		}
	}
	o.Client = bounded(o.Client)
	return &Desk{options: o, known: map[string]*issuer{}}, nil
}

// Providers are those that people may choose from.
func (d *Desk) Providers() []Provider { return d.options.Providers }

// Attempt is a sign-in that began. Whoever keeps it must give it back to the browser
// that it began in only.
type Attempt struct {
	Provider string    `json:"p"`
	State    string    `json:"s"`
	Nonce    string    `json:"n"`
	Verifier string    `json:"v"` // of PKCE (RFC 7636)
	Until    time.Time `json:"u"`
}

// Person is who signed in.
type Person struct {
	// Issuer and Subject together name the person for good (OpenID Connect Core 1.0,
	// section 5.7).
	Issuer, Subject string
	// Email is an address that the issuer has verified, or empty.
	Email string
}

// Start begins a sign-in and returns where to send the browser.
func (d *Desk) Start(ctx context.Context, name, lang string) (string, Attempt, error) {
	i, err := d.issuer(ctx, name)
	if err != nil {
		return "", Attempt{}, err
	}
	a := Attempt{Provider: name, State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), Until: d.options.Clock().Add(AttemptLife)}
	target := i.oauth.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier), oauth2.SetAuthURLParam("ui_locales", lang))
	return target, a, nil
}

// Finish takes what the issuer sent back with the browser and says who it is.
func (d *Desk) Finish(ctx context.Context, a Attempt, q url.Values) (Person, error) {
	if a.State == "" || d.options.Clock().After(a.Until) || subtle.ConstantTimeCompare([]byte(a.State), []byte(q.Get("state"))) != 1 {
		return Person{}, fault.New(fault.Expired, Expired, "The sign-in took too long, or did not begin in this browser.", "Begin again.")
	}
	i, err := d.issuer(ctx, a.Provider)
	if err != nil {
		return Person{}, err
	}
	// The answer of another issuer is not taken for this one's (RFC 9207, section 2.4).
	if got := q.Get("iss"); got != i.name && (got != "" || i.namesItself) {
		return Person{}, refuse("the answer names another issuer")
	}
	if code := strings.ToLower(q.Get("error")); code != "" {
		if code == "access_denied" {
			return Person{}, fault.New(fault.Denied, Declined, "The sign-in was cancelled.", "Begin again, or sign in by e-mail.")
		}
		return Person{}, refuse("the issuer answered with an error")
	}
	if q.Get("code") == "" {
		return Person{}, refuse("the answer has no code")
	}
	token, err := i.oauth.Exchange(d.reach(ctx), q.Get("code"), oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return Person{}, exchangeFailed(err)
	}
	raw, _ := token.Extra("id_token").(string)
	return i.read(d.reach(ctx), raw, a.Nonce)
}

// read verifies an ID token: its signature, issuer, audience and time (OpenID Connect
// Core 1.0, section 3.1.3.7), and that it answers this attempt.
func (i *issuer) read(ctx context.Context, raw, nonce string) (Person, error) {
	t, err := i.verifier.Verify(ctx, raw)
	if err != nil {
		return Person{}, refuse("the ID token is not valid")
	}
	if nonce == "" || subtle.ConstantTimeCompare([]byte(t.Nonce), []byte(nonce)) != 1 {
		return Person{}, refuse("the ID token answers another attempt")
	}
	var claims struct {
		Email    string `json:"email"`
		Verified any    `json:"email_verified"`
		Party    string `json:"azp"`
	}
	if err := t.Claims(&claims); err != nil || t.Subject == "" || len(t.Subject) > 255 {
		return Person{}, refuse("the ID token cannot be read")
	}
	if claims.Party != "" && claims.Party != i.oauth.ClientID || len(t.Audience) > 1 && claims.Party == "" {
		return Person{}, refuse("the ID token is for somebody else")
	}
	p := Person{Issuer: t.Issuer, Subject: t.Subject}
	if claims.Verified == true && !i.noMail {
		p.Email = claims.Email
	}
	return p, nil
}

func refuse(why string) error {
	return fault.New(fault.Denied, Refused, "The sign-in was refused: "+why+".", "Begin again, or sign in by e-mail.")
}

// exchangeFailed tells an issuer that refuses from one that does not answer. The
// answer itself, which may quote the code, goes nowhere.
func exchangeFailed(err error) error {
	var answer *oauth2.RetrieveError
	if errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode < http.StatusInternalServerError {
		return refuse("the issuer did not take the code")
	}
	return unavailable(errors.New("exchange a code: no usable answer"))
}

func unavailable(cause error) error {
	return fault.New(fault.Unavailable, Unavailable, "The sign-in service does not answer.", "Try again in a moment, or sign in by e-mail.").WithCause(cause)
}

// reach is a context in which the libraries use the desk's client.
func (d *Desk) reach(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, d.options.Client)
}

// provider is the one of a name.
func (d *Desk) provider(name string) (Provider, error) {
	for _, p := range d.options.Providers {
		if p.Name == name {
			return p, nil
		}
	}
	return Provider{}, fault.New(fault.NotFound, "not_found", fmt.Sprintf("There is no sign-in with %q.", name), "Choose one of those on the page.")
}
