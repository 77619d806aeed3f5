package web

import (
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// agentsBody is the accounts of agents that a person owns.
type agentsBody struct{ Agents []agentView }

// agentView is one of them, with its keys.
type agentView struct {
	ID, Name, Email string
	Disabled        bool
	Caps            data.Caps // of the account
	Keys            []agentKeyView
}

// agentKeyView is a key of an agent, with the form of its caps while it works.
type agentKeyView struct {
	ID, Name, Prefix       string
	Scopes                 []string
	CreatedAt              time.Time
	Used, Ends             bool
	LastUsedAt, ExpiresAt  time.Time
	Live                   bool
	Caps                   *form
	RevokeAction, CapsFrom string
}

func (v *visit) agents() error { return v.showAgents(nil) }

func (v *visit) showAgents(f *form) error {
	list, err := v.site.board.AgentsOf(v.ctx(), v.who.ID)
	if err != nil {
		return err
	}
	var body agentsBody
	for _, a := range list {
		view := agentView{ID: a.ID, Name: a.Name, Email: a.Email, Disabled: a.Disabled, Caps: a.Caps}
		keys, err := v.site.board.Keys(v.ctx(), task.Actor{Kind: task.Agent, ID: a.ID})
		if err != nil {
			return err
		}
		for _, k := range keys {
			view.Keys = append(view.Keys, v.agentKey(k, f))
		}
		body.Agents = append(body.Agents, view)
	}
	return v.show("agents", v.say("agents.title"), body, f)
}

// agentKey is a key with the form that was sent for it, or one that says how it is.
func (v *visit) agentKey(k data.Key, sent *form) agentKeyView {
	at := "/me/agents/" + k.AgentID + "/keys/" + k.ID
	view := agentKeyView{
		ID: k.ID, Name: k.Name, Prefix: k.Prefix, Scopes: k.Scopes, CreatedAt: k.CreatedAt, Used: !k.LastUsedAt.IsZero(), LastUsedAt: k.LastUsedAt,
		Ends: !k.ExpiresAt.IsZero(), ExpiresAt: k.ExpiresAt, Live: k.Live(v.now), Caps: filled("caps"+k.ID, typedCaps(k.Caps)),
		RevokeAction: at + "/revoke", CapsFrom: at + "/caps",
	}
	if sent != nil && sent.Name == view.Caps.Name {
		view.Caps = sent
	}
	return view
}

// ownAgent refuses whoever does not own the account of the address.
func (v *visit) ownAgent() (task.Actor, error) {
	list, err := v.site.board.AgentsOf(v.ctx(), v.who.ID)
	if err != nil {
		return task.Actor{}, err
	}
	for _, a := range list {
		if a.ID == v.r.PathValue("id") {
			return task.Actor{Kind: task.Agent, ID: a.ID}, nil
		}
	}
	return task.Actor{}, noPage()
}

// revokeAgentKey ends a key of an account of the visitor at once.
func (v *visit) revokeAgentKey() error {
	owner, err := v.ownAgent()
	if err != nil {
		return err
	}
	if err := v.site.board.RevokeKey(v.ctx(), owner, v.r.PathValue("key")); err != nil {
		return err
	}
	return v.done("/me/agents", "revoked")
}

// setKeyCaps sets what a key of an account of the visitor may promise in a day.
func (v *visit) setKeyCaps() error {
	owner, err := v.ownAgent()
	if err != nil {
		return err
	}
	key := v.r.PathValue("key")
	f, err := v.form("caps" + key)
	if err != nil {
		return err
	}
	caps := f.caps()
	if !f.ok() {
		return v.showAgents(f)
	}
	if err := v.site.board.SetKeyCaps(v.ctx(), owner.ID, key, caps); err != nil {
		return v.refused(err, f, v.showAgents)
	}
	return v.done("/me/agents", "saved")
}
