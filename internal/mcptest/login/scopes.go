package login

import (
	"slices"
	"strings"
)

// offline is the scope for which OpenID providers give refresh tokens (OpenID Connect
// Core 1.0, 11).
const offline = "offline_access"

// chooseScopes follows the order of MCP 2025-11-25, Scope Selection Strategy: what the
// challenge says, else all that the metadata of the resource names, else none.
func (l *Login) chooseScopes(f found, c challenge) []string {
	s := Step{Name: StepScopes, Outcome: OK, Source: "MCP 2025-11-25, Authorization, Scope Selection Strategy"}
	var chosen []string
	switch {
	case len(l.o.Scopes) > 0:
		chosen, s.Detail = slices.Clone(l.o.Scopes), "The scopes are those of the options."
	case len(c.scope) > 0:
		chosen, s.Detail = slices.Clone(c.scope), "The scopes are those of the challenge."
	case len(f.resource.scopes) > 0:
		chosen, s.Detail = slices.Clone(f.resource.scopes), "The challenge names no scope: all of the metadata are asked for."
	default:
		s.Detail = "Neither the challenge nor the metadata names scopes: none is asked for."
	}
	if slices.Contains(f.resource.scopes, offline) || slices.Contains(c.scope, offline) {
		s.Outcome = Warning
		s.Detail += " The server names offline_access, which is the client's to ask for, not the server's."
		s.Source = "MCP 2026-07-28, Authorization, Refresh Tokens"
	}
	if l.o.Grant == AuthorizationCode && !l.o.NoRefresh && slices.Contains(f.server.scopes, offline) && !slices.Contains(chosen, offline) {
		chosen = append(chosen, offline)
		s.Detail += " The authorization server gives refresh tokens for offline_access, which is added."
	}
	s.Facts = []Fact{
		{"challenge", strings.Join(c.scope, " ")}, {"scopes_supported", strings.Join(f.resource.scopes, " ")}, {"chosen", strings.Join(chosen, " ")},
	}
	l.rec.add(s)
	return chosen
}
