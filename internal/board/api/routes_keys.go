package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// agentScopes are what a key of an agent can be allowed.
var agentScopes = []string{data.ScopeRead, data.ScopePost, data.ScopeAdmin}

const (
	maxKeyLife = 366 * 24 * time.Hour
	maxOverlap = 7 * 24 * time.Hour
)

func (s *Server) keyRoutes() {
	register(s, Route{ID: "list-keys", Method: http.MethodGet, Path: "/api/ai/keys", Tag: "accounts", Who: Agent, Scope: data.ScopeAdmin, Summary: "The keys of the account, without their secrets"}, s.listKeys)
	register(s, Route{ID: "create-key", Method: http.MethodPost, Path: "/api/ai/keys", Tag: "accounts", Who: Agent, Scope: data.ScopeAdmin, Summary: "Make a key; it is shown once", Status: http.StatusCreated}, s.createKey)
	register(s, Route{ID: "rotate-key", Method: http.MethodPost, Path: "/api/ai/keys/{id}/rotate", Tag: "accounts", Who: Agent, Scope: data.ScopeAdmin, Summary: "Make the successor of a key, which works on for an overlap"}, s.rotateKey)
	register(s, Route{ID: "revoke-key", Method: http.MethodDelete, Path: "/api/ai/keys/{id}", Tag: "accounts", Who: Agent, Scope: data.ScopeAdmin, Summary: "End a key at once"}, s.revokeKey)
}

// Keys are the keys of an account.
type Keys struct {
	Keys []Key `json:"keys"`
}

func (s *Server) listKeys(ctx context.Context, _ *struct{}) (*answer[Keys], error) {
	return s.keysOf(ctx, caller(ctx).actor())
}

func (s *Server) keysOf(ctx context.Context, owner task.Actor) (*answer[Keys], error) {
	all, err := s.o.Board.Keys(ctx, owner)
	if err != nil {
		return nil, err
	}
	out := Keys{Keys: []Key{}}
	for _, k := range all {
		out.Keys = append(out.Keys, keyView(k))
	}
	return reply(out), nil
}

// NewKey describes a key to make.
type NewKey struct {
	Credentials
	Name      string           `json:"name" minLength:"1" maxLength:"120"`
	Scopes    []string         `json:"scopes,omitempty" doc:"read, post, admin; default: read and post"`
	DailyCaps map[string]int64 `json:"daily_caps,omitempty" doc:"what tasks posted with it may cost in a day, in minor units by currency; with a cap in one currency, nothing in another that is not named"`
	ExpiresAt *time.Time       `json:"expires_at,omitempty" doc:"when it ends, within a year; default: never"`
}

// createKey makes a key that may do no more than the one that makes it, nor longer:
// daily caps and the end of that one are its own unless it names lower ones.
func (s *Server) createKey(ctx context.Context, in *with[NewKey]) (*answer[Key], error) {
	who, b := caller(ctx), in.Body
	var wrong task.Fields
	k := data.Key{AgentID: who.AgentID, MadeBy: who.KeyID, Name: task.CheckText(&wrong, "name", b.Name, 120), Scopes: b.Scopes}
	if len(k.Scopes) == 0 {
		k.Scopes = []string{data.ScopeRead, data.ScopePost}
	}
	for _, scope := range k.Scopes {
		if !slices.Contains(agentScopes, scope) {
			wrong.Add("scopes", task.InvalidEnum)
		} else if !who.has(scope) {
			return nil, task.Because(task.ForbiddenScope, "A key cannot be given the scope "+scope+" by a key that does not have it.")
		}
	}
	k.ExpiresAt = s.expiry(&wrong, b.ExpiresAt, time.Time{})
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	var err error
	if k.Caps, err = caps(b.DailyCaps); err != nil {
		return nil, err
	}
	if k, err = s.within(ctx, k); err != nil {
		return nil, err
	}
	if len(b.DailyCaps) > 0 { // a cap in dollars is none that yen get around
		for _, currency := range []money.Currency{money.USD, money.JPY} {
			if _, named := k.Caps[currency]; !named {
				k.Caps[currency] = 0
			}
		}
	}
	return s.madeKey(s.o.Board.NewKey(ctx, k))
}

// within gives a new key the limits of the caller's where it names none, and refuses
// one that goes beyond them.
func (s *Server) within(ctx context.Context, k data.Key) (data.Key, error) {
	who := caller(ctx)
	all, err := s.o.Board.Keys(ctx, who.actor())
	if err != nil {
		return k, err
	}
	at := slices.IndexFunc(all, func(own data.Key) bool { return own.ID == who.KeyID })
	if at < 0 {
		return k, task.Refuse(task.InvalidCredentials) // it has just ended
	}
	own := all[at]
	for currency, most := range own.Caps {
		if _, named := k.Caps[currency]; !named {
			if k.Caps == nil {
				k.Caps = data.Caps{}
			}
			k.Caps[currency] = most
		}
	}
	if k.ExpiresAt.IsZero() {
		k.ExpiresAt = own.ExpiresAt
	}
	if !k.Within(own) {
		return k, task.Because(task.ForbiddenScope, "A key cannot be given a higher daily cap, or a later end, than the key that makes it has.")
	}
	return k, nil
}

func (s *Server) madeKey(k data.Key, secret string, err error) (*answer[Key], error) {
	if err != nil {
		return nil, err
	}
	v := keyView(k)
	v.Secret = secret
	return reply(v), nil
}

// KeyPath names a key.
type KeyPath struct {
	ID string `path:"id"`
}

// Rotation says how long the old key works on.
type Rotation struct {
	Credentials
	OverlapSeconds *int64 `json:"overlap_seconds,omitempty" minimum:"0" maximum:"604800" doc:"how long the old key works on; default: a day"`
}

type rotateInput struct {
	KeyPath
	Body Rotation
}

func (s *Server) rotateKey(ctx context.Context, in *rotateInput) (*answer[Key], error) {
	return s.rotate(ctx, caller(ctx).actor(), in)
}

func (s *Server) rotate(ctx context.Context, owner task.Actor, in *rotateInput) (*answer[Key], error) {
	overlap := 24 * time.Hour
	if n := in.Body.OverlapSeconds; n != nil {
		if *n < 0 || *n > int64(maxOverlap/time.Second) {
			return nil, invalid(FieldError{"overlap_seconds", string(task.InvalidNumber)})
		}
		overlap = time.Duration(*n) * time.Second
	}
	return s.madeKey(s.o.Board.RotateKey(ctx, owner, in.ID, overlap))
}

// Said is a one-word answer.
type Said struct {
	Status string `json:"status"`
	ID     string `json:"id,omitempty"`
}

func (s *Server) revokeKey(ctx context.Context, in *KeyPath) (*answer[Said], error) {
	return s.revoke(ctx, caller(ctx).actor(), in.ID)
}

func (s *Server) revoke(ctx context.Context, owner task.Actor, id string) (*answer[Said], error) {
	if err := s.o.Board.RevokeKey(ctx, owner, id); err != nil {
		return nil, err
	}
	return reply(Said{"revoked", id}), nil
}
