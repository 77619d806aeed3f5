package login

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// request is a link that was given to a person.
type request struct {
	link     Link
	verifier string
	found    found
	client   known
	scopes   []string
	at       time.Time
}

// person has somebody log in, and gets a token with the code that comes back.
func (l *Login) person(ctx context.Context, f found, scopes []string) (*tokens, error) {
	r := l.pending
	if !l.hasPending() || r.found.server.issuer != f.server.issuer || r.found.resource.id != f.resource.id {
		var err error
		if r, err = l.newRequest(ctx, f, scopes); err != nil {
			return nil, err
		}
	}
	came, err := l.o.Person.Ask(ctx, r.link)
	if errors.Is(err, ErrPending) {
		l.pending = r
		l.rec.add(Step{Name: StepCallback, Outcome: Missing, Detail: "Nobody has logged in yet."})
		return nil, &Pending{Link: r.link}
	}
	l.pending = nil
	if err != nil {
		return nil, l.fail(Step{Name: StepCallback}, &Error{Detail: "Nobody logged in.", Cause: err})
	}
	code, err := l.readCallback(r, came)
	if err != nil {
		return nil, err
	}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {r.link.Redirect}, "code_verifier": {r.verifier}}
	return l.exchange(ctx, asking{StepToken, r.found, r.client, form, r.scopes})
}

// newRequest makes the link (RFC 6749, 4.1.1; RFC 7636; RFC 8707).
func (l *Login) newRequest(ctx context.Context, f found, scopes []string) (*request, error) {
	s := Step{Name: StepLink, Outcome: OK, URL: f.server.authorize, Source: "MCP 2025-11-25, Authorization, Authorization Code Protection"}
	at, err := url.Parse(f.server.authorize)
	switch {
	case f.server.authorize == "" || err != nil:
		return nil, l.fail(s, &Error{Detail: "The authorization server has no authorization_endpoint that is an address.", Source: "RFC 8414, 2"})
	case f.server.found && !slices.Contains(f.server.pkce, "S256"):
		return nil, l.fail(s, &Error{
			Detail: "The metadata of the authorization server does not say that it has PKCE with S256: no client may go on.",
			Next:   "Add code_challenge_methods_supported to the metadata.", Source: s.Source,
		})
	}
	redirect, err := l.o.Person.Redirect(ctx)
	if err != nil {
		return nil, l.fail(s, &Error{Detail: "There is no address to which the browser could come back.", Cause: err})
	}
	k, err := l.register(ctx, f, redirect)
	if err != nil {
		return nil, err
	}
	r := &request{verifier: newVerifier(), found: f, client: k, scopes: scopes, at: l.o.Now()}
	state := rand.Text()
	l.rec.hide.learn(r.verifier, state)
	q := at.Query()
	sum := sha256.Sum256([]byte(r.verifier))
	for name, value := range map[string]string{
		"response_type": "code", "client_id": k.id, "redirect_uri": redirect, "state": state, "scope": strings.Join(scopes, " "),
		"code_challenge": base64.RawURLEncoding.EncodeToString(sum[:]), "code_challenge_method": "S256",
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	l.addTarget(q, f)
	if slices.Contains(scopes, offline) {
		q.Set("prompt", "consent") // without it OpenID providers give no refresh token (OpenID Connect Core 1.0, 11)
	}
	at.RawQuery = q.Encode()
	r.link = Link{URL: at.String(), State: state, Redirect: redirect, Issuer: f.server.issuer, Scopes: scopes}
	s.URL, s.Detail = r.link.URL, "A person gets this link."
	s.Facts = []Fact{{"resource", q.Get("resource")}, {"audience", q.Get("audience")}, {"scope", q.Get("scope")}, {"redirect_uri", redirect}, {"code_challenge_method", "S256"}}
	l.rec.add(s)
	return r, nil
}

// newVerifier is a code verifier of 256 random bits (RFC 7636, 4.1 and 7.1).
func newVerifier() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// readCallback checks what the browser brought: that it belongs to this login, then
// that it comes from the issuer that was asked (RFC 9207, 2.4), and only then what it
// says.
func (l *Login) readCallback(r *request, came url.Values) (string, error) {
	s := Step{Name: StepCallback, Outcome: OK, Source: "RFC 9207, 2.4"}
	l.rec.hide.learn(came["code"]...)
	for _, name := range []string{"state", "code", "iss", "error"} {
		if len(came[name]) > 1 {
			return "", l.fail(s, &Error{Detail: "The browser came back with " + name + " twice.", Source: "RFC 6749, 3.1"})
		}
	}
	issuer, iss := r.found.server.issuer, came.Get("iss")
	s.Facts = []Fact{{"iss", iss}, {"issuer", issuer}}
	switch {
	case subtle.ConstantTimeCompare([]byte(came.Get("state")), []byte(r.link.State)) != 1:
		return "", l.fail(s, &Error{Detail: "What the browser brought belongs to another login: its state is not the one that was sent.", Source: "RFC 6749, 10.12"})
	case iss == "" && r.found.server.namesItself:
		return "", l.fail(s, &Error{Detail: "The authorization server says that it names itself in its answers (iss), and did not.", Source: s.Source})
	case came.Has("iss") && iss != issuer:
		return "", l.fail(s, &Error{Detail: fmt.Sprintf("The answer is from %q, and %q was asked: it is not used.", iss, issuer), Source: s.Source})
	}
	if code := came.Get("error"); code != "" {
		e := &Error{Code: cut(code, 100), Next: advice[code], Source: "RFC 6749, 4.1.2.1"}
		e.Detail = fmt.Sprintf("The authorization server refused the login: %q", e.Code)
		if said := cut(came.Get("error_description"), 300); said != "" {
			e.Detail += fmt.Sprintf(" (%q)", said)
		}
		e.Detail += "."
		return "", l.fail(s, e)
	}
	if came.Get("code") == "" {
		return "", l.fail(s, &Error{Detail: "The browser came back without a code.", Source: "RFC 6749, 4.1.2"})
	}
	s.Detail = "The browser came back with a code."
	if iss == "" {
		s.Detail += " The authorization server does not name itself (iss), so that one server could pass for another."
	}
	l.rec.add(s)
	return came.Get("code"), nil
}
