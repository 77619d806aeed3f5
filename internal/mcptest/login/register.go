package login

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
)

// known is a client as an authorization server knows it.
type known struct {
	id, secret string
	method     string
}

// register gives the client for an authorization server, in the order of MCP
// 2025-11-25, Client Registration Approaches: one that is registered already, a
// metadata document, dynamic registration. What was registered at one issuer is used
// there only.
func (l *Login) register(ctx context.Context, f found, redirect string) (known, error) {
	s := Step{Name: StepRegistration, Outcome: OK, Source: "MCP 2025-11-25, Authorization, Client Registration Approaches"}
	issuer := f.server.issuer
	if k, ok := l.clients[issuer]; ok {
		s.Detail, s.Facts = "The client is the one of before.", []Fact{{"client_id", k.id}}
		l.rec.add(s)
		return k, nil
	}
	c := l.o.Client
	switch {
	case c.ID != "" && (c.Issuer == "" || c.Issuer == issuer):
		l.o.Client.Issuer = issuer // nobody else sees it from now on
		k := known{c.ID, c.Secret, l.chooseMethod(f.server)}
		s.Detail, s.Facts = "The client was registered before.", []Fact{{"client_id", k.id}, {"token_endpoint_auth_method", k.method}}
		return l.knownAt(issuer, k, s), nil
	case l.o.Document != "" && f.server.documents:
		s.Detail, s.Facts = "The client is described by a document at its id.", []Fact{{"client_id", l.o.Document}}
		s.Source = "MCP 2025-11-25, Authorization, Client ID Metadata Documents"
		return l.knownAt(issuer, known{l.o.Document, "", MethodNone}, s), nil
	case f.server.register != "" && !l.o.NoRegistration && l.o.Grant == AuthorizationCode:
		return l.registerNew(ctx, f, redirect)
	}
	e := &Error{Detail: "The authorization server registers no clients by itself, and there is none that is registered.", Next: "Register one there and give its id.", Source: s.Source}
	if c.ID != "" {
		e.Detail = fmt.Sprintf("The client is one of %q and is not shown to %q.", c.Issuer, issuer)
		e.Source = "MCP 2026-07-28, Authorization, Authorization Server Binding"
	}
	return known{}, l.fail(s, e)
}

func (l *Login) knownAt(issuer string, k known, s Step) known {
	l.clients[issuer] = k
	l.rec.add(s)
	return k
}

// chooseMethod is how the given client says who it is. What a server does not say is
// client_secret_basic (RFC 8414, 2).
func (l *Login) chooseMethod(s server) string {
	c := l.o.Client
	switch {
	case c.Method != "":
		return c.Method
	case c.Key != nil:
		return MethodJWT
	case c.Secret == "":
		return MethodNone
	case s.methods == nil || slices.Contains(s.methods, MethodBasic) || !slices.Contains(s.methods, MethodPost):
		return MethodBasic
	}
	return MethodPost
}

// methodOfNew is what a new client asks for: this one runs on somebody's machine and
// keeps no secret where it need not have one.
func methodOfNew(s server) string {
	for _, m := range []string{MethodNone, MethodBasic, MethodPost} {
		if slices.Contains(s.methods, m) {
			return m
		}
	}
	return MethodBasic
}

// applicationType is native for a client whose browser comes back to this machine
// (OpenID Connect Dynamic Client Registration 1.0, 2).
func applicationType(redirect string) string {
	u, err := url.Parse(redirect)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && !isLoopback(u.Hostname()) {
		return "web"
	}
	return "native"
}

// registerNew registers a client (RFC 7591).
func (l *Login) registerNew(ctx context.Context, f found, redirect string) (known, error) {
	grants := []string{"authorization_code"}
	if !l.o.NoRefresh {
		grants = append(grants, "refresh_token")
	}
	asked := map[string]any{
		"client_name": l.o.Name, "redirect_uris": []string{redirect}, "grant_types": grants, "response_types": []string{"code"},
		"token_endpoint_auth_method": methodOfNew(f.server), "application_type": applicationType(redirect),
	}
	raw, err := json.Marshal(asked)
	if err != nil {
		return known{}, fmt.Errorf("write the registration: %w", err)
	}
	a, err := l.post(ctx, outgoing{StepRegistration, f.server.register, http.Header{"Content-Type": {"application/json"}}, raw})
	if err != nil {
		return known{}, l.unanswered(a, err, StepRegistration)
	}
	s := a.step
	s.Source, s.Facts = "RFC 7591, 3.2", []Fact{{"sent", string(raw)}}
	k := known{id: text(a.object, "client_id"), secret: text(a.object, "client_secret"), method: text(a.object, "token_endpoint_auth_method")}
	l.rec.hide.learn(k.secret, text(a.object, "registration_access_token"))
	s.Body = l.bodyOf(a)
	switch {
	case a.status/100 != 2 || a.object == nil:
		return known{}, l.fail(s, l.saidNo(a, "The authorization server registers no client"))
	case k.id == "":
		return known{}, l.fail(s, &Error{Detail: "The answer to the registration has no client_id.", Source: "RFC 7591, 3.2.1"})
	}
	s.Detail = "A client was registered."
	switch {
	case k.method == "" && k.secret != "":
		k.method, s.Outcome, s.Detail = MethodBasic, Warning, "A client was registered, and the answer does not say how it must identify itself."
	case k.secret == "" && (k.method == "" || k.method == MethodBasic || k.method == MethodPost):
		s.Outcome, s.Detail = Warning, fmt.Sprintf("A client was registered for the method %q, without a secret.", k.method)
		k.method = MethodNone
	}
	s.Facts = append(s.Facts, Fact{"client_id", k.id}, Fact{"token_endpoint_auth_method", k.method})
	return l.knownAt(f.server.issuer, k, s), nil
}
