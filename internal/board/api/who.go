package api

import (
	"context"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Principal is who calls. Its zero value is nobody, which no route serves: even
// Anonymous has to be found out.
type Principal struct {
	Kind    Caller
	AgentID string
	HumanID string
	KeyID   string   // of an agent or a person; empty for a session
	Scopes  []string // of the key; nil means all
	session bool
	shown   credentials // for those who stay, to be looked at again
}

func (p Principal) has(scope string) bool { return p.Scopes == nil || slices.Contains(p.Scopes, scope) }

// actor is the caller as commands know it.
func (p Principal) actor() task.Actor {
	switch p.Kind {
	case Agent:
		return task.Actor{Kind: task.Agent, ID: p.AgentID, KeyID: p.KeyID}
	case Operator:
		return task.Actor{Kind: task.Operator, ID: p.HumanID}
	}
	return task.Actor{Kind: task.Human, ID: p.HumanID, KeyID: p.KeyID}
}

// asHuman is the caller as a person: an operator can also work and apply.
func (p Principal) asHuman() task.Actor {
	return task.Actor{Kind: task.Human, ID: p.HumanID, KeyID: p.KeyID}
}

// countedAs names whose allowance a call is taken from.
func (p Principal) countedAs() string {
	if p.AgentID != "" {
		return "agent|" + p.AgentID
	}
	return "human|" + p.HumanID
}

// keyMark begins the secrets of keys; everything else that is shown is a session.
var keyMarks = []string{"ai_live_", "hu_live_"}

func isKey(secret string) bool {
	return slices.ContainsFunc(keyMarks, func(mark string) bool { return strings.HasPrefix(secret, mark) })
}

// identify finds out whose credentials these are. Wrong ones are counted by address
// before the next is looked at.
func (s *Server) identify(ctx context.Context, c credentials, address string) (Principal, error) {
	if c.key == "" && c.session == "" {
		if c.account != "" && c.fromBody {
			return Principal{}, task.Refuse(task.MissingCredentials)
		}
		return Principal{Kind: Anonymous}, nil
	}
	who, err := s.lookup(ctx, c)
	if err == nil {
		return who, nil
	}
	if reason := task.ReasonOf(err); reason != task.InvalidCredentials && reason != task.Unauthorized {
		return Principal{}, err
	}
	if c.cookie {
		return Principal{Kind: Anonymous}, nil // a browser keeps a session longer than it lives
	}
	if err := s.take(ctx, "board|guess|"+address, s.o.Limits.Guess); err != nil {
		return Principal{}, err
	}
	return Principal{}, err
}

func (s *Server) lookup(ctx context.Context, c credentials) (Principal, error) {
	if c.session != "" {
		p, err := s.o.Board.Session(ctx, c.session)
		if err != nil {
			return Principal{}, err
		}
		return person(p), nil
	}
	k, err := s.o.Board.Authenticate(ctx, c.key)
	if err != nil {
		return Principal{}, err
	}
	if c.account != "" && c.account != k.AgentID {
		return Principal{}, task.Refuse(task.InvalidCredentials) // one account's id beside another's key
	}
	scopes := list(k.Scopes)
	if k.AgentID != "" {
		return Principal{Kind: Agent, AgentID: k.AgentID, KeyID: k.ID, Scopes: scopes}, nil
	}
	return Principal{Kind: Human, HumanID: k.HumanID, KeyID: k.ID, Scopes: scopes}, nil
}

func person(p data.Person) Principal {
	kind := Human
	if p.Operator {
		kind = Operator
	}
	return Principal{Kind: kind, HumanID: p.ID, session: true}
}
