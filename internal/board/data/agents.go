package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

const agentColumns = "id, name, email, verified_ms, disabled, owner_human_id, cap_jpy, cap_usd, created_ms"

func scanAgent(r row) (AgentAccount, error) {
	var a AgentAccount
	var owner *string
	var jpy, usd *int64
	var verified, created int64
	if err := r.Scan(&a.ID, &a.Name, &a.Email, &verified, &a.Disabled, &owner, &jpy, &usd, &created); err != nil {
		return AgentAccount{}, fmt.Errorf("read an agent: %w", err)
	}
	a.EmailVerified, a.OwnerHumanID, a.Caps, a.CreatedAt = moment(verified), orEmpty(owner), capsOf(jpy, usd), moment(created)
	return a, nil
}

// Connect makes the account of a new address with its first key, shown once. For a
// known address it changes nothing: it sends a code and returns the id to confirm
// it with instead.
func (b *Board) Connect(ctx context.Context, name, email string) (Connected, error) {
	var wrong task.Fields
	name = task.CheckText(&wrong, "name", task.CleanLine(name), task.MaxTitle)
	email = normalAddress(&wrong, "paypal_email", email)
	if err := wrong.Err(); err != nil {
		return Connected{}, err
	}
	var out Connected
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		out = Connected{Agent: AgentAccount{ID: newID(tx.Now()), Name: name, Email: email, Caps: Caps{}, CreatedAt: kept(tx)}}
		n, err := tx.Exec(ctx, "INSERT INTO agents ("+agentColumns+", event_seq) VALUES ("+placeholders(10)+") ON CONFLICT (email) DO NOTHING",
			out.Agent.ID, name, email, 0, false, nil, nil, nil, millis(tx.Now()), 0)
		if err != nil {
			return fmt.Errorf("write an agent: %w", err)
		}
		if n == 0 {
			known, err := scanAgent(tx.QueryRow(ctx, "SELECT "+agentColumns+" FROM agents WHERE email = $1", email))
			if err != nil {
				return err
			}
			out = Connected{Agent: AgentAccount{Email: email}}
			out.CodeID, err = b.agentCode(ctx, tx, known)
			return err
		}
		out.Created = true
		out.Key, out.Secret, err = b.insertKey(ctx, tx, Key{AgentID: out.Agent.ID, Name: "first", Scopes: AgentScopes()}, purse{})
		return err
	})
	return out, err
}

// agentCode sends a code to the address of an account.
func (b *Board) agentCode(ctx context.Context, tx store.Tx, a AgentAccount) (string, error) {
	if a.Disabled {
		return newID(tx.Now()), nil // says nothing, and no code fits it
	}
	return b.sendCode(ctx, tx, code{purpose: purposeAgent, email: a.Email, agentID: a.ID, lang: "en"},
		Mail{Template: MailAgentVerify, Values: map[string]string{"name": a.Name}})
}

// StartAgentCode sends a code to the address of an account.
func (b *Board) StartAgentCode(ctx context.Context, agentID string) (string, error) {
	var id string
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		a, err := found(scanAgent(tx.QueryRow(ctx, "SELECT "+agentColumns+" FROM agents WHERE id = $1", agentID)))
		if err != nil {
			return err
		}
		id, err = b.agentCode(ctx, tx, a)
		return err
	})
	return id, err
}

// ConfirmAgent takes the code, notes that the address is theirs and returns the
// account with a new key, shown once. Whoever proves an address that nobody proved
// before ends the older keys, unless they act with one of the account: somebody else
// may have made it with the address of a stranger. Later proofs leave keys alone.
func (b *Board) ConfirmAgent(ctx context.Context, by task.Actor, codeID, secret string) (Connected, error) {
	if err := b.tryCode(ctx, purposeAgent, codeID, secret); err != nil {
		return Connected{}, err
	}
	var out Connected
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		c, err := b.takeCode(ctx, tx, purposeAgent, codeID)
		if err != nil {
			return err
		}
		if by.Kind != task.Agent || by.ID != c.agentID {
			if err := endUnprovenKeys(ctx, tx, c.agentID); err != nil {
				return err
			}
		}
		out.Agent, err = found(scanAgent(tx.QueryRow(ctx, "UPDATE agents SET verified_ms = $2 WHERE id = $1 AND NOT disabled RETURNING "+agentColumns, c.agentID, millis(tx.Now()))))
		if err != nil {
			return err
		}
		out.Key, out.Secret, err = b.insertKey(ctx, tx, Key{AgentID: c.agentID, Name: "confirmed by mail", Scopes: AgentScopes()}, purse{})
		return err
	})
	return out, err
}

// endUnprovenKeys ends the keys of an account whose address nobody has proved.
func endUnprovenKeys(ctx context.Context, tx store.Tx, agentID string) error {
	_, err := tx.Exec(ctx, `UPDATE api_keys SET revoked_ms = $2 WHERE agent_id = $1 AND (revoked_ms = 0 OR revoked_ms > $2)
AND EXISTS (SELECT 1 FROM agents a WHERE a.id = $1 AND a.verified_ms = 0)`, agentID, millis(tx.Now()))
	if err != nil {
		return fmt.Errorf("end the keys of an account that is proved: %w", err)
	}
	return nil
}

// Agent is an account.
func (b *Board) Agent(ctx context.Context, agentID string) (AgentAccount, error) {
	return one(ctx, b, scanAgent, q("SELECT "+agentColumns+" FROM agents WHERE id = $1", agentID))
}

// AgentsOf are the accounts that a person owns.
func (b *Board) AgentsOf(ctx context.Context, humanID string) ([]AgentAccount, error) {
	return list(ctx, b, scanAgent, q("SELECT "+agentColumns+" FROM agents WHERE owner_human_id = $1 ORDER BY created_ms, id", humanID))
}

// ListAgents are all accounts, the newest first, for operators.
func (b *Board) ListAgents(ctx context.Context, p Page) ([]AgentAccount, string, error) {
	return page(ctx, b, selectFrom(agentColumns, "agents"), keyset[AgentAccount]{
		column: "created_ms", scan: scanAgent, page: p, at: func(a AgentAccount) place { return place{millis(a.CreatedAt), a.ID} },
	})
}

// DisableAgent stops an account, or lets it go on. Its tasks stay what they are.
func (b *Board) DisableAgent(ctx context.Context, agentID string, disabled bool) error {
	return b.change(ctx, q("UPDATE agents SET disabled = $2 WHERE id = $1", agentID, disabled))
}

// SetAgentCaps sets what an account may spend in a day; currencies that are missing
// have the caps of the terms.
func (b *Board) SetAgentCaps(ctx context.Context, agentID string, caps Caps) error {
	return b.change(ctx, q("UPDATE agents SET cap_jpy = $2, cap_usd = $3 WHERE id = $1", agentID, minor(caps, money.JPY), minor(caps, money.USD)))
}

// change runs a statement that must meet a row.
func (b *Board) change(ctx context.Context, s query) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		n, err := tx.Exec(ctx, s.sql, s.args...)
		if err != nil {
			return fmt.Errorf("change a row: %w", err)
		}
		if n == 0 {
			return task.Refuse(task.NotFound)
		}
		return nil
	})
}

// ownAgents makes a person who proved to have an address the owner of its account.
func ownAgents(ctx context.Context, tx store.Tx, humanID, email string) error {
	_, err := tx.Exec(ctx, "UPDATE agents SET owner_human_id = $1, verified_ms = CASE WHEN verified_ms = 0 THEN $3 ELSE verified_ms END WHERE email = $2 AND owner_human_id IS NULL",
		humanID, email, millis(tx.Now()))
	if err != nil {
		return fmt.Errorf("give the agent to its owner: %w", err)
	}
	return nil
}
