package login

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// resource is what the protected resource metadata says (RFC 9728, 2).
type resource struct {
	found  bool
	id     string // resource
	issuer string
	scopes []string
}

// server is an authorization server (RFC 8414, 2; RFC 9207, 3; draft-ietf-oauth-client-
// id-metadata-document).
type server struct {
	found                      bool
	issuer                     string
	authorize, token, register string
	scopes                     []string
	methods                    []string // token_endpoint_auth_methods_supported; nil is not said
	algorithms                 []string // token_endpoint_auth_signing_alg_values_supported
	grants                     []string
	pkce                       []string
	namesItself                bool // authorization_response_iss_parameter_supported
	documents                  bool // client_id_metadata_document_supported
}

// resourceCandidates are where protected resource metadata may be, in the order in
// which clients look (MCP 2025-11-25, Protected Resource Metadata Discovery
// Requirements): the address that the challenge names, then the one for the path of
// the endpoint, then the one of the root.
func resourceCandidates(endpoint *url.URL, named string) []string {
	const known = "/.well-known/oauth-protected-resource"
	origin := endpoint.Scheme + "://" + endpoint.Host
	var out []string
	for _, c := range []string{named, origin + known + strings.TrimSuffix(endpoint.EscapedPath(), "/"), origin + known} {
		if c != "" && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// serverCandidates are where the metadata of an issuer may be (RFC 8414, 3.1 and 5;
// OpenID Connect Discovery 1.0, 4).
func serverCandidates(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" {
		return nil
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	out := []string{origin + "/.well-known/oauth-authorization-server" + path, origin + "/.well-known/openid-configuration" + path}
	if path != "" {
		out = append(out, origin+path+"/.well-known/openid-configuration")
	}
	return out
}

// findResource looks for the protected resource metadata. There is none at servers of
// 2025-03-26 and before: they are their own authorization server.
func (l *Login) findResource(ctx context.Context, named string) (resource, error) {
	for _, address := range resourceCandidates(l.at, named) {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			l.rec.add(Step{Name: StepResource, Outcome: Warning, URL: address, Detail: "The resource_metadata of the challenge is no address."})
			continue
		}
		a, err := l.get(ctx, StepResource, address)
		if ctx.Err() != nil {
			return resource{}, l.interrupted(ctx, StepResource)
		}
		if !l.isThere(a, err, address == named) {
			continue
		}
		return l.readResource(a)
	}
	l.rec.add(Step{
		Name: StepResource, Outcome: Warning, Source: "MCP 2025-11-25, Authorization, Authorization Server Discovery",
		Detail: "There is no protected resource metadata, which servers must have since 2025-06-18. The server itself is taken for the authorization server, as in 2025-03-26.",
	})
	return resource{id: l.at.String(), issuer: l.at.Scheme + "://" + l.at.Host}, nil
}

// isThere notes a candidate that holds no metadata. One that the server named itself
// must hold some.
func (l *Login) isThere(a *answer, err error, named bool) bool {
	if err == nil && a.status == 200 && a.object != nil {
		return true
	}
	s := Step{Name: StepResource}
	if a != nil {
		s = a.step
	}
	s.Outcome = Missing
	if named {
		s.Outcome = Warning
	}
	switch {
	case err != nil:
		s.Detail = "Nothing came: " + err.Error() + "."
	case s.Detail != "":
	case a.status == 200:
		s.Detail = "What is there is no JSON object."
		s.Facts = []Fact{{"content-type", a.kind}}
	default:
		s.Detail = "No metadata here."
	}
	l.rec.add(s)
	return false
}

// readResource checks the metadata of the resource: it must be about this server (RFC
// 9728, 3.3), or somebody could have tokens for another server sent here.
func (l *Login) readResource(a *answer) (resource, error) {
	s := a.step
	s.Body, s.Source = l.rec.hide.object(a.object), "RFC 9728, 3.3"
	r := resource{found: true, id: text(a.object, "resource"), scopes: texts(a.object, "scopes_supported")}
	servers := texts(a.object, "authorization_servers")
	s.Facts = []Fact{{"resource", r.id}, {"authorization_servers", strings.Join(servers, " ")}, {"scopes_supported", strings.Join(r.scopes, " ")}}
	switch {
	case r.id == "":
		return r, l.fail(s, &Error{Detail: "The protected resource metadata has no resource.", Next: "Give it the address of the MCP endpoint.", Source: "RFC 9728, 2"})
	case sameAddress(r.id, l.at.String()):
		s.Detail = "The metadata is about this server."
	case l.isWithin(r.id):
		s.Outcome, s.Detail = Warning, fmt.Sprintf("The resource is %q, and the endpoint is %q: strict clients take no token for one that is not the same.", r.id, l.at)
	default:
		return r, l.fail(s, &Error{
			Detail: fmt.Sprintf("The protected resource metadata is about %q, and the server is %q: no client may use it.", r.id, l.at), Next: "Make resource the address that clients use.",
			Source: "RFC 9728, 3.3",
		})
	}
	switch {
	case len(servers) == 0:
		return r, l.fail(s, &Error{Detail: "The protected resource metadata names no authorization_servers.", Next: "Name the issuer there.", Source: "MCP 2025-11-25, Authorization Server Location"})
	case l.o.Issuer == "":
		r.issuer = servers[0]
	case slices.Contains(servers, l.o.Issuer):
		r.issuer = l.o.Issuer
	default:
		return r, l.fail(s, &Error{Detail: fmt.Sprintf("The server does not trust the issuer %q; it names %q.", l.o.Issuer, servers)})
	}
	l.rec.add(s)
	return r, nil
}

// isWithin reports whether the endpoint is part of a resource: same origin, and a path
// below it.
func (l *Login) isWithin(id string) bool {
	u, err := url.Parse(id)
	if err != nil || u.Fragment != "" || u.RawQuery != "" {
		return false
	}
	if plain(u.Scheme+"://"+u.Host) != plain(l.at.Scheme+"://"+l.at.Host) {
		return false
	}
	return strings.HasPrefix(l.at.EscapedPath()+"/", strings.TrimSuffix(u.EscapedPath(), "/")+"/")
}

// findServer looks for the metadata of an authorization server.
func (l *Login) findServer(ctx context.Context, issuer string) (server, error) {
	candidates := serverCandidates(issuer)
	if candidates == nil || !l.isSafe(issuer) {
		return server{}, l.fail(Step{Name: StepServer, URL: issuer}, &Error{Detail: fmt.Sprintf("The authorization server %q has no https address.", issuer), Source: "MCP 2025-11-25, Authorization, Communication Security"})
	}
	for _, address := range candidates {
		a, err := l.get(ctx, StepServer, address)
		if ctx.Err() != nil {
			return server{}, l.interrupted(ctx, StepServer)
		}
		if !l.isThere(a, err, false) {
			continue
		}
		return l.readServer(a, issuer)
	}
	base := strings.TrimSuffix(issuer, "/")
	l.rec.add(Step{
		Name: StepServer, Outcome: Warning, Source: "MCP 2025-03-26, Authorization, Fallbacks for Servers without Metadata Discovery",
		Detail: "The authorization server has no metadata, which it must have since 2025-06-18. Its endpoints are taken to be /authorize, /token and /register, as in 2025-03-26.",
	})
	return server{issuer: issuer, authorize: base + "/authorize", token: base + "/token", register: base + "/register"}, nil
}

// readServer checks the metadata of an authorization server: it must be about the
// issuer that was asked for (RFC 8414, 3.3), or one server could pass for another.
func (l *Login) readServer(a *answer, issuer string) (server, error) {
	s := a.step
	s.Body, s.Source = l.rec.hide.object(a.object), "RFC 8414, 3.3"
	o := a.object
	out := server{
		found: true, issuer: text(o, "issuer"), authorize: text(o, "authorization_endpoint"), token: text(o, "token_endpoint"), register: text(o, "registration_endpoint"),
		scopes: texts(o, "scopes_supported"), algorithms: texts(o, "token_endpoint_auth_signing_alg_values_supported"),
		grants: texts(o, "grant_types_supported"), pkce: texts(o, "code_challenge_methods_supported"),
		namesItself: o["authorization_response_iss_parameter_supported"] == true, documents: o["client_id_metadata_document_supported"] == true,
	}
	if _, said := o["token_endpoint_auth_methods_supported"]; said {
		out.methods = texts(o, "token_endpoint_auth_methods_supported")
	}
	s.Facts = []Fact{
		{"issuer", out.issuer}, {"authorization_endpoint", out.authorize}, {"token_endpoint", out.token}, {"registration_endpoint", out.register},
		{"token_endpoint_auth_methods_supported", strings.Join(out.methods, " ")}, {"code_challenge_methods_supported", strings.Join(out.pkce, " ")},
		{"scopes_supported", strings.Join(out.scopes, " ")}, {"grant_types_supported", strings.Join(out.grants, " ")},
	}
	switch {
	case out.issuer == issuer:
		s.Detail = "The issuer is the one that the server names."
	case strings.TrimSuffix(out.issuer, "/") == strings.TrimSuffix(issuer, "/"):
		s.Outcome, s.Detail = Warning, fmt.Sprintf("The issuer calls itself %q, and the server calls it %q: strict clients refuse a difference of one slash.", out.issuer, issuer)
	default:
		return out, l.fail(s, &Error{
			Detail: fmt.Sprintf("The metadata is that of %q, and the server names %q: no client may use it.", out.issuer, issuer),
			Next:   "Make issuer and authorization_servers the same, to the letter.", Source: "RFC 8414, 3.3",
		})
	}
	for _, e := range []struct{ name, address string }{{"authorization_endpoint", out.authorize}, {"token_endpoint", out.token}, {"registration_endpoint", out.register}} {
		if e.address != "" && !l.isSafe(e.address) {
			return out, l.fail(s, &Error{Detail: fmt.Sprintf("The %s %q is no https address.", e.name, e.address), Source: "MCP 2025-11-25, Authorization, Communication Security"})
		}
	}
	l.rec.add(s)
	return out, nil
}

// interrupted is the failure of a login that was given up.
func (l *Login) interrupted(ctx context.Context, name Name) error {
	return l.fail(Step{Name: name}, &Error{Detail: "The login was given up before it came to its end.", Cause: context.Cause(ctx)})
}
