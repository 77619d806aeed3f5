package login

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// tokens are what a token endpoint gave.
type tokens struct {
	access, refresh string
	issuer          string
	scopes          []string // granted
	redirect        string
}

// machine gets a token with the credentials of the client alone.
func (l *Login) machine(ctx context.Context, f found, scopes []string) (*tokens, error) {
	k, err := l.register(ctx, f, "")
	if err != nil {
		return nil, err
	}
	form := url.Values{"grant_type": {string(ClientCredentials)}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	return l.exchange(ctx, asking{StepToken, f, k, form, scopes})
}

// refresh gets a new token with the refresh token, which is replaced when the answer
// has a new one (RFC 6749, 6).
func (l *Login) refresh(ctx context.Context, f found) error {
	old := l.token
	k, err := l.register(ctx, f, old.redirect)
	if err != nil {
		return err
	}
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {old.refresh}}
	t, err := l.exchange(ctx, asking{StepRefresh, f, k, form, old.scopes})
	if err != nil {
		return err
	}
	if t.refresh == "" {
		t.refresh = old.refresh
	}
	t.redirect = old.redirect
	l.token = t
	return nil
}

// asking is a request for a token.
type asking struct {
	name   Name
	found  found
	client known
	form   url.Values
	scopes []string // that the token should have
}

// exchange asks the token endpoint. Where it takes several ways in which a client says
// who it is, and the client is registered for another one than was tried, it is asked
// again in that one.
func (l *Login) exchange(ctx context.Context, ask asking) (*tokens, error) {
	t, err := l.exchangeOnce(ctx, ask)
	var refused *Error
	other := otherMethod[ask.client.method]
	if err == nil || other == "" || l.o.Client.Method != "" || !errors.As(err, &refused) || refused.Code != "invalid_client" ||
		ask.client.id != l.o.Client.ID || ask.found.server.methods != nil && !slices.Contains(ask.found.server.methods, other) {
		return t, err
	}
	l.rec.soften("It is tried in another way.")
	ask.client.method = other
	if t, err = l.exchangeOnce(ctx, ask); err == nil {
		l.clients[ask.found.server.issuer] = ask.client
	}
	return t, err
}

// otherMethod are the ways in which a secret travels.
var otherMethod = map[string]string{MethodBasic: MethodPost, MethodPost: MethodBasic}

func (l *Login) exchangeOnce(ctx context.Context, ask asking) (*tokens, error) {
	ask.form = maps.Clone(ask.form)
	f, form := ask.found, ask.form
	s := Step{Name: ask.name, URL: f.server.token}
	if f.server.token == "" {
		return nil, l.fail(s, &Error{Detail: "The authorization server has no token_endpoint.", Source: "RFC 8414, 2"})
	}
	l.addTarget(form, f)
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	if err := l.identify(ask, header); err != nil {
		return nil, l.fail(s, &Error{Detail: "The client cannot say who it is: " + err.Error() + ".", Cause: err})
	}
	for _, secret := range []string{"client_secret", "client_assertion", "code", "code_verifier", "refresh_token"} {
		l.rec.hide.learn(form.Get(secret))
	}
	a, err := l.post(ctx, outgoing{ask.name, f.server.token, header, []byte(form.Encode())})
	if err != nil {
		return nil, l.unanswered(a, err, ask.name)
	}
	return l.readTokens(a, ask)
}

// addTarget says what the token is for (RFC 8707; MCP 2025-11-25, Resource Parameter
// Implementation), also in the way of Auth0.
func (l *Login) addTarget(form url.Values, f found) {
	if id := l.resourceOf(f); id != "" {
		form.Set("resource", id)
	}
	if l.o.Audience != "" {
		form.Set("audience", l.o.Audience)
	}
}

// resourceOf is what is sent as the resource.
func (l *Login) resourceOf(f found) string {
	switch {
	case l.o.NoResource:
		return ""
	case l.o.Resource != "":
		return l.o.Resource
	}
	return f.resource.id
}

// identify adds who the client is (RFC 6749, 2.3.1; RFC 7523, 2.2).
func (l *Login) identify(ask asking, header http.Header) error {
	form, k := ask.form, ask.client
	switch k.method {
	case MethodBasic:
		both := url.QueryEscape(k.id) + ":" + url.QueryEscape(k.secret)
		header.Set("Authorization", "Basic "+encode(both))
		l.rec.hide.learn(encode(both))
	case MethodPost:
		form.Set("client_id", k.id)
		form.Set("client_secret", k.secret)
	case MethodJWT:
		signed, err := l.assertion(ask.found, k)
		if err != nil {
			return err
		}
		form.Set("client_id", k.id)
		form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		form.Set("client_assertion", signed)
	case MethodNone:
		form.Set("client_id", k.id)
	default:
		return fmt.Errorf("the method %q is not known here", k.method)
	}
	return nil
}

// sent are the facts of a token request: all that is no secret.
func sent(ask asking) []Fact {
	out := []Fact{{"client_id", ask.client.id}, {"token_endpoint_auth_method", ask.client.method}}
	for _, name := range []string{"grant_type", "scope", "resource", "audience", "redirect_uri"} {
		out = append(out, Fact{name, ask.form.Get(name)})
	}
	return out
}

// readTokens reads the answer of a token endpoint (RFC 6749, 5).
func (l *Login) readTokens(a *answer, ask asking) (*tokens, error) {
	s := a.step
	s.Source, s.Facts = "RFC 6749, 5.1", sent(ask)
	if a.status == 200 && a.object == nil && a.kind == "application/x-www-form-urlencoded" {
		s.Outcome = Warning
		a.object = formObject(a.body)
	}
	t := &tokens{access: text(a.object, "access_token"), refresh: text(a.object, "refresh_token"), issuer: ask.found.server.issuer, scopes: ask.scopes, redirect: ask.form.Get("redirect_uri")}
	l.rec.hide.learn(t.access, t.refresh, text(a.object, "id_token"))
	s.Body = l.bodyOf(a)
	kind := text(a.object, "token_type")
	switch {
	case a.status != 200 || a.object["error"] != nil && t.access == "":
		return nil, l.fail(s, l.saidNo(a, "The authorization server gives no token"))
	case a.object == nil:
		return nil, l.fail(s, &Error{Detail: "The answer of the token endpoint is no JSON object.", Source: s.Source})
	case !isToken(t.access):
		return nil, l.fail(s, &Error{Detail: "The answer of the token endpoint has no access_token that can be sent.", Source: s.Source})
	case !strings.EqualFold(kind, "bearer"):
		if kind != "" {
			return nil, l.fail(s, &Error{Detail: fmt.Sprintf("The token is of the type %q, which this client cannot send.", kind), Source: "RFC 6749, 7.1"})
		}
		s.Outcome = Warning
	}
	said, ok := a.object["scope"].(string)
	if ok && said != "" {
		t.scopes = strings.Fields(said)
	}
	s.Facts = append(s.Facts, Fact{"granted", strings.Join(t.scopes, " ")}, Fact{"token_type", kind}, Fact{"expires_in", number(a.object["expires_in"])}, Fact{"kind", kindOf(t.access)})
	s.Detail = "A token was issued."
	if missing := without(ask.scopes, t.scopes); len(missing) > 0 {
		s.Outcome = Warning
		s.Detail += " It lacks scopes that were asked for: " + strings.Join(missing, " ") + "."
	}
	if s.Outcome == Warning && kind == "" {
		s.Detail += " The answer has no token_type, which it must have."
	}
	if a.kind != "application/json" {
		s.Outcome = Warning
		s.Detail += fmt.Sprintf(" The answer is %q, and must be application/json.", a.kind)
	}
	if t.refresh != "" {
		s.Detail += " There is a refresh token."
	}
	l.rec.add(s)
	l.noteClaims(t.access, ask.found)
	return t, nil
}

// formObject reads an answer in the form of some old servers.
func formObject(body []byte) map[string]any {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil
	}
	out := map[string]any{}
	for name := range form {
		out[name] = form.Get(name)
	}
	return out
}

// bodyOf is what may be shown of an answer that may hold secrets: what is no JSON
// object could hide them in any shape.
func (l *Login) bodyOf(a *answer) string {
	if a.object == nil {
		return fmt.Sprintf("(%d bytes of %q that are no JSON object)", len(a.body), a.kind)
	}
	return l.rec.hide.object(a.object)
}

// saidNo is the refusal of an authorization server (RFC 6749, 5.2; RFC 7591, 3.2.2).
func (l *Login) saidNo(a *answer, what string) *Error {
	e := &Error{Code: cut(text(a.object, "error"), 100), Source: "RFC 6749, 5.2"}
	e.Detail = fmt.Sprintf("%s: status %d", what, a.status)
	if e.Code != "" {
		e.Detail += fmt.Sprintf(", error %q", e.Code)
	}
	if said := cut(text(a.object, "error_description"), 300); said != "" {
		e.Detail += fmt.Sprintf(" (%q)", said)
	}
	e.Detail, e.Next = l.rec.hide.text(e.Detail)+".", advice[e.Code]
	return e
}

// advice says what usually helps, by the code of an error.
var advice = map[string]string{
	"invalid_client":          "Check the id and the secret of the client, and how it says who it is (token_endpoint_auth_method).",
	"invalid_grant":           "The code or the refresh token is used up, expired, or meant for another client or redirect address: log in again.",
	"invalid_target":          "The authorization server does not know the resource: register the server there under exactly that address, or name the audience that it knows.",
	"invalid_scope":           "The authorization server does not know these scopes, or does not give them to this client.",
	"unauthorized_client":     "The client may not use this grant: allow it at the authorization server.",
	"unsupported_grant_type":  "The authorization server does not have this grant.",
	"access_denied":           "The person, or the authorization server, said no. Auth0 says so too when the client is not authorized for the API.",
	"invalid_redirect_uri":    "The authorization server does not take redirect addresses of this machine.",
	"invalid_client_metadata": "The registration has something in it that the authorization server does not take; the trace has it.",
}

// unanswered is the failure of a request that got no answer.
func (l *Login) unanswered(a *answer, err error, name Name) error {
	s := Step{Name: name}
	if a != nil {
		s = a.step
	}
	return l.fail(s, &Error{Detail: "The authorization server gave no answer: " + err.Error() + ".", Cause: err})
}

// isToken reports whether a text can follow "Bearer" (RFC 6750, 2.1).
func isToken(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != "" && len(s) <= 64<<10
}

// number writes a number as it is, or what stands there instead.
func number(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		return strconv.Quote(cut(v, 40))
	case nil:
		return ""
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return cut(string(raw), 40)
}

// without gives what is in one list and not in another.
func without(list, others []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(others, s) {
			out = append(out, s)
		}
	}
	return out
}
