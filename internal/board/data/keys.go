package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

const (
	agentKeyPrefix = "ai_live_"
	humanKeyPrefix = "hu_live_"
	maxKeys        = 10 // live ones of an account
	maxOverlap     = 7 * 24 * time.Hour
)

const keyColumns = "id, agent_id, human_id, name, prefix, scopes, cap_jpy, cap_usd, created_ms, expires_ms, revoked_ms, used_ms"

// AgentScopes are all the scopes of agent keys.
func AgentScopes() []string { return []string{ScopeRead, ScopePost, ScopeAdmin} }

// HumanScopes are all the scopes of human keys.
func HumanScopes() []string {
	return []string{ScopeMessagesRead, ScopeMessagesWrite, ScopeSubmissionsWrite, ScopePaymentsRead, ScopeProfileRead}
}

// Allows reports whether the key has a scope.
func (k Key) Allows(scope string) bool { return slices.Contains(k.Scopes, scope) }

// Within reports whether k may do no more than another key, and for no longer.
func (k Key) Within(other Key) bool {
	for _, s := range k.Scopes {
		if !other.Allows(s) {
			return false
		}
	}
	for currency, most := range other.Caps {
		if own, capped := k.Caps[currency]; !capped || own > most {
			return false
		}
	}
	return other.ExpiresAt.IsZero() || !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(other.ExpiresAt)
}

// Live reports whether the key works at a time.
func (k Key) Live(now time.Time) bool {
	return (k.RevokedAt.IsZero() || k.RevokedAt.After(now)) && (k.ExpiresAt.IsZero() || k.ExpiresAt.After(now))
}

func scanKey(r row) (Key, error) {
	var k Key
	var agentID, humanID *string
	var scopes string
	var jpy, usd *int64
	var at [4]int64
	if err := r.Scan(&k.ID, &agentID, &humanID, &k.Name, &k.Prefix, &scopes, &jpy, &usd, &at[0], &at[1], &at[2], &at[3]); err != nil {
		return Key{}, fmt.Errorf("read a key: %w", err)
	}
	k.AgentID, k.HumanID, k.Caps = orEmpty(agentID), orEmpty(humanID), capsOf(jpy, usd)
	k.CreatedAt, k.ExpiresAt, k.RevokedAt, k.LastUsedAt = moment(at[0]), moment(at[1]), moment(at[2]), moment(at[3])
	if err := json.Unmarshal([]byte(scopes), &k.Scopes); err != nil {
		return Key{}, fmt.Errorf("read the scopes of key %s: %w", k.ID, err)
	}
	return k, nil
}

// NewKey makes a key for the agent or the human that k names and returns its
// secret, shown once. Without scopes it has them all.
func (b *Board) NewKey(ctx context.Context, k Key) (Key, string, error) {
	var wrong task.Fields
	k.Name = task.CheckText(&wrong, "name", task.CleanLine(k.Name), task.MaxTitle)
	all := AgentScopes()
	if k.HumanID != "" {
		all = HumanScopes()
	}
	if len(k.Scopes) == 0 {
		k.Scopes = all
	}
	for _, s := range k.Scopes {
		if !slices.Contains(all, s) {
			wrong.Add("scopes", task.InvalidEnum)
			break
		}
	}
	for _, most := range k.Caps {
		if most < 0 || most > money.Max {
			wrong.Add("caps", task.InvalidNumber)
		}
	}
	if err := wrong.Err(); err != nil {
		return Key{}, "", err
	}
	var secret string
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		if !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(tx.Now()) {
			wrong.Add("expires_at", task.InvalidNumber)
			return wrong.Err()
		}
		if err := roomForKey(ctx, tx, k); err != nil {
			return err
		}
		parent, err := made(ctx, tx, k)
		if err != nil {
			return err
		}
		k, secret, err = b.insertKey(ctx, tx, k, purse{parent: parent})
		return err
	})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

// roomForKey locks the owner and counts.
func roomForKey(ctx context.Context, tx store.Tx, k Key) error {
	table, column, owner := "agents", "agent_id", k.AgentID
	if k.HumanID != "" {
		table, column, owner = "humans", "human_id", k.HumanID
	}
	n, err := tx.Exec(ctx, "UPDATE "+table+" SET created_ms = created_ms WHERE id = $1", owner)
	if err != nil {
		return fmt.Errorf("lock the owner of a key: %w", err)
	}
	if n == 0 {
		return task.Refuse(task.NotFound)
	}
	var live int64
	err = tx.QueryRow(ctx, "SELECT COUNT(*) FROM api_keys WHERE "+column+" = $1 AND (revoked_ms = 0 OR revoked_ms > $2) AND (expires_ms = 0 OR expires_ms > $2)", owner, millis(tx.Now())).Scan(&live)
	if err != nil {
		return fmt.Errorf("count keys: %w", err)
	}
	if live >= maxKeys {
		return task.Refuse(task.KeyLimit)
	}
	return nil
}

// insertKey makes the secret: the prefix that tells keys apart, and 24 bytes that
// nobody can guess. Without an id the purse is a new one.
func (b *Board) insertKey(ctx context.Context, tx store.Tx, k Key, p purse) (Key, string, error) {
	k.ID, k.Prefix, k.CreatedAt = newID(tx.Now()), agentKeyPrefix+random(4), kept(tx)
	if k.HumanID != "" {
		k.Prefix = humanKeyPrefix + random(4)
	}
	k.ExpiresAt = moment(millis(k.ExpiresAt))
	if p.id == "" {
		p.id = k.ID
	}
	if k.Caps == nil {
		k.Caps = Caps{}
	}
	secret := k.Prefix + "_" + random(24)
	scopes, err := json.Marshal(k.Scopes)
	if err != nil {
		return Key{}, "", fmt.Errorf("write the scopes of a key: %w", err)
	}
	_, err = tx.Exec(ctx, "INSERT INTO api_keys ("+keyColumns+", mac, purse, parent_purse) VALUES ("+placeholders(15)+")",
		k.ID, orNull(k.AgentID), orNull(k.HumanID), k.Name, k.Prefix, string(scopes), minor(k.Caps, money.JPY), minor(k.Caps, money.USD),
		millis(k.CreatedAt), millis(k.ExpiresAt), 0, 0, b.secrets.mac(useKey, secret), p.id, p.parent)
	if err != nil {
		return Key{}, "", fmt.Errorf("write a key: %w", err)
	}
	return k, secret, nil
}

// ownedKey is a key of an owner, locked.
func ownedKey(ctx context.Context, tx store.Tx, owner task.Actor, id string) (Key, error) {
	column := "agent_id"
	if owner.Kind == task.Human {
		column = "human_id"
	}
	return found(scanKey(tx.QueryRow(ctx, "UPDATE api_keys SET used_ms = used_ms WHERE id = $1 AND "+column+" = $2 RETURNING "+keyColumns, id, owner.ID)))
}

// RotateKey makes a successor with the same rights and the same purse in one
// transaction; the old one works for overlap more, at most a week. An owner who acts
// with a key gets no key that may do more than that.
func (b *Board) RotateKey(ctx context.Context, owner task.Actor, keyID string, overlap time.Duration) (Key, string, error) {
	var next Key
	var secret string
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		old, err := ownedKey(ctx, tx, owner, keyID)
		if err != nil {
			return err
		}
		if !old.RevokedAt.IsZero() || !old.Live(tx.Now()) {
			return task.Refuse(task.NotFound) // rotated or revoked before
		}
		p, err := scanPurse(tx.QueryRow(ctx, "SELECT "+purseColumns+" FROM api_keys WHERE id = $1", keyID))
		if err != nil {
			return err
		}
		if err := mayHold(ctx, tx, owner, wallet{old, p}); err != nil {
			return err
		}
		until := tx.Now().Add(min(max(overlap, 0), maxOverlap))
		if _, err := tx.Exec(ctx, "UPDATE api_keys SET revoked_ms = $2 WHERE id = $1", keyID, millis(until)); err != nil {
			return fmt.Errorf("end a key: %w", err)
		}
		next, secret, err = b.insertKey(ctx, tx, Key{AgentID: old.AgentID, HumanID: old.HumanID, Name: old.Name, Scopes: old.Scopes, Caps: old.Caps, ExpiresAt: old.ExpiresAt}, p)
		return err
	})
	if err != nil {
		return Key{}, "", err
	}
	return next, secret, nil
}

// wallet is a key with what it may spend.
type wallet struct {
	Key
	purse purse
}

// mayHold refuses an owner who acts with a key that may do less than another one, or
// that has caps which do not count what the other one spends: the secret of its
// successor would make it that one.
func mayHold(ctx context.Context, tx store.Tx, owner task.Actor, k wallet) error {
	if owner.KeyID == "" || owner.KeyID == k.ID {
		return nil
	}
	own, err := found(scanKey(tx.QueryRow(ctx, "SELECT "+keyColumns+" FROM api_keys WHERE id = $1", owner.KeyID)))
	if err != nil {
		return err
	}
	if !k.Within(own) {
		return task.Because(task.ForbiddenScope, "A key cannot rotate one that may do more than itself: more scopes, a higher daily cap, or for longer.")
	}
	if owner.Kind != task.Agent {
		return nil
	}
	mine, err := purseOf(ctx, tx, owner.ID, owner.KeyID)
	if err != nil || len(mine.caps) == 0 && mine.parent == "" {
		return err
	}
	counted, err := k.purse.under(ctx, tx, owner.ID, mine)
	if err == nil && !counted {
		return task.Because(task.ForbiddenScope, "A key with a daily cap cannot rotate one whose spending does not count against that cap.")
	}
	return err
}

// RevokeKey ends a key at once.
func (b *Board) RevokeKey(ctx context.Context, owner task.Actor, keyID string) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		if _, err := ownedKey(ctx, tx, owner, keyID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE api_keys SET revoked_ms = $2 WHERE id = $1 AND (revoked_ms = 0 OR revoked_ms > $2)", keyID, millis(tx.Now()))
		if err != nil {
			return fmt.Errorf("end a key: %w", err)
		}
		return nil
	})
}

// SetKeyCaps sets what a key of an agent may promise in a day, with its successors and
// those that it succeeds: they share a purse. Without caps that of the account is the
// only one.
func (b *Board) SetKeyCaps(ctx context.Context, agentID, keyID string, caps Caps) error {
	for _, most := range caps {
		if most < 0 || most > money.Max {
			var wrong task.Fields
			wrong.Add("caps", task.InvalidNumber)
			return wrong.Err()
		}
	}
	return b.change(ctx, q("UPDATE api_keys SET cap_jpy = $3, cap_usd = $4 WHERE agent_id = $2 AND purse = (SELECT k.purse FROM api_keys k WHERE k.id = $1 AND k.agent_id = $2)",
		keyID, agentID, minor(caps, money.JPY), minor(caps, money.USD)))
}

// Keys are the keys of an agent or a human, the newest first.
func (b *Board) Keys(ctx context.Context, owner task.Actor) ([]Key, error) {
	column := "agent_id"
	if owner.Kind == task.Human {
		column = "human_id"
	}
	return list(ctx, b, scanKey, q("SELECT "+keyColumns+" FROM api_keys WHERE "+column+" = $1 ORDER BY created_ms DESC, id DESC", owner.ID))
}

// Authenticate finds the live key of a secret, and notes now and then that it is used.
// What is wrong with a secret it does not tell, except that the account is disabled.
func (b *Board) Authenticate(ctx context.Context, secret string) (Key, error) {
	prefix, _, cut := cutLast(secret, "_")
	if !cut || len(secret) > 100 {
		return Key{}, task.Refuse(task.InvalidCredentials)
	}
	due := false
	k, err := read(ctx, b, func(ctx context.Context, tx store.Tx) (Key, error) {
		var mac string
		var off bool
		k, err := scanKey(with(tx.QueryRow(ctx, "SELECT "+prefixed("k.", keyColumns)+`, k.mac, COALESCE(a.disabled, h.suspended)
FROM api_keys k LEFT JOIN agents a ON a.id = k.agent_id LEFT JOIN humans h ON h.id = k.human_id WHERE k.prefix = $1`, prefix), &mac, &off))
		if err != nil && !errors.Is(err, store.ErrNoRows) {
			return Key{}, err
		}
		if err != nil || !same(mac, b.secrets.mac(useKey, secret)) || !k.Live(tx.Now()) {
			return Key{}, task.Refuse(task.InvalidCredentials)
		}
		if off {
			return Key{}, task.Refuse(task.APIAccessDisabled)
		}
		due = tx.Now().Sub(k.LastUsedAt) >= noteUses
		return k, nil
	})
	if err == nil && due {
		err = b.noteUse(ctx, k.ID)
	}
	return k, err
}

// noteUses is how often at most the use of a key is written down: what writes waits for
// others that write, and a reader should not.
const noteUses = time.Hour

func (b *Board) noteUse(ctx context.Context, keyID string) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE api_keys SET used_ms = $2 WHERE id = $1", keyID, millis(tx.Now())); err != nil {
			return fmt.Errorf("note the use of a key: %w", err)
		}
		return nil
	})
}

// cutLast cuts around the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// wider is a row with more columns than its scan function knows.
type wider struct {
	row
	more []any
}

// Scan reads the known columns, then the others.
func (w wider) Scan(to ...any) error { return w.row.Scan(append(to, w.more...)...) }

// with adds places for columns after those of a scan function.
func with(r row, more ...any) row { return wider{r, more} }

// prefixed puts the name of a table before each column.
func prefixed(table, columns string) string {
	return table + strings.Join(strings.Fields(strings.ReplaceAll(columns, ",", " ")), ", "+table)
}
