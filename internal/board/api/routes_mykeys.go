package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// defaultKeyLife is how long a person's key works that names no end.
const defaultKeyLife = 90 * 24 * time.Hour

func (s *Server) myKeyRoutes() {
	route := func(id, method, path, summary string) Route {
		return Route{ID: id, Method: method, Path: "/api/me/api-keys" + path, Tag: "people", Who: Human | Operator, Session: true, Summary: summary}
	}
	register(s, route("list-my-keys", http.MethodGet, "", "The caller's keys, without their secrets"), s.myKeys)
	create := route("create-my-key", http.MethodPost, "", "Make a key for a program that works for the caller; it is shown once")
	create.Status = http.StatusCreated
	register(s, create, s.createMyKey)
	register(s, route("rotate-my-key", http.MethodPost, "/{id}/rotate", "Make the successor of a key, which works on for an overlap"), s.rotateMyKey)
	register(s, route("revoke-my-key", http.MethodDelete, "/{id}", "End a key at once"), s.revokeMyKey)
}

func (s *Server) myKeys(ctx context.Context, _ *struct{}) (*answer[Keys], error) {
	return s.keysOf(ctx, caller(ctx).asHuman())
}

// MyNewKey describes a person's key to make.
type MyNewKey struct {
	Name      string     `json:"name" minLength:"1" maxLength:"120"`
	Scopes    []string   `json:"scopes,omitempty" doc:"messages:read, messages:write, submissions:write, payments:read, profile:read; default: all"`
	ExpiresAt *time.Time `json:"expires_at,omitempty" doc:"when it ends, within a year; default: in 90 days"`
}

func (s *Server) createMyKey(ctx context.Context, in *with[MyNewKey]) (*answer[Key], error) {
	var wrong task.Fields
	k := data.Key{HumanID: caller(ctx).HumanID, Name: task.CheckText(&wrong, "name", in.Body.Name, 120), Scopes: in.Body.Scopes}
	if len(k.Scopes) == 0 {
		k.Scopes = data.HumanScopes()
	}
	if slices.ContainsFunc(k.Scopes, func(scope string) bool { return !slices.Contains(data.HumanScopes(), scope) }) {
		wrong.Add("scopes", task.InvalidEnum)
	}
	k.ExpiresAt = s.expiry(&wrong, in.Body.ExpiresAt, s.o.Clock().Add(defaultKeyLife))
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return s.madeKey(s.o.Board.NewKey(ctx, k))
}

// expiry is when a key ends: as asked, or as it is otherwise.
func (s *Server) expiry(wrong *task.Fields, asked *time.Time, otherwise time.Time) time.Time {
	if asked == nil {
		return otherwise
	}
	if now := s.o.Clock(); !asked.After(now) || asked.After(now.Add(maxKeyLife)) {
		wrong.Add("expires_at", task.InvalidNumber)
	}
	return *asked
}

func (s *Server) rotateMyKey(ctx context.Context, in *rotateInput) (*answer[Key], error) {
	return s.rotate(ctx, caller(ctx).asHuman(), in)
}

func (s *Server) revokeMyKey(ctx context.Context, in *KeyPath) (*answer[Said], error) {
	return s.revoke(ctx, caller(ctx).asHuman(), in.ID)
}
