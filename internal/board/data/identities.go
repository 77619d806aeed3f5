package data

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// SignInIdentity is for a person whom another provider named; the address may be
// empty and must be verified by it. The same address is the same person, but who runs
// the board: no provider gives that power away, and the refusal is forbidden.
func (b *Board) SignInIdentity(ctx context.Context, id Identity) (Person, string, error) {
	if id.Email != "" {
		var wrong task.Fields
		if id.Email = normalAddress(&wrong, "email", id.Email); wrong.Err() != nil {
			return Person{}, "", wrong.Err()
		}
	}
	return b.signIn(ctx, func(ctx context.Context, tx store.Tx) (Person, error) {
		humanID, err := identityOwner(ctx, tx, id)
		if err != nil {
			return Person{}, err
		}
		p, err := named(ctx, tx, id, humanID)
		if err != nil {
			return Person{}, err
		}
		// Also when it signed the same person in before they came to run the board.
		if b.runs(p) {
			return Person{}, task.Because(task.Forbidden, "Who runs the board signs in by e-mail.")
		}
		if humanID != "" {
			return p, nil
		}
		return p, insertIdentity(ctx, tx, id, p.ID)
	})
}

// runs reports whether a person is an operator, or will be one from their next sign-in.
func (b *Board) runs(p Person) bool {
	return p.Operator || p.Email != "" && slices.Contains(b.operators, p.Email)
}

// named is whom an identity belongs to, or who has its address; a new person when
// nobody does.
func named(ctx context.Context, tx store.Tx, id Identity, owner string) (Person, error) {
	if owner != "" {
		return person(ctx, tx, owner)
	}
	return insertPerson(ctx, tx, id.Email, id.Lang)
}

// LinkIdentity makes an identity another way to sign in as a person, who must have
// shown that both are theirs. One that is somebody else's stays theirs, and the
// refusal is already_assigned; linking it again changes nothing.
func (b *Board) LinkIdentity(ctx context.Context, humanID string, id Identity) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		p, err := lockPerson(ctx, tx, humanID)
		if err != nil {
			return err
		}
		if b.runs(p) {
			return task.Because(task.Forbidden, "Who runs the board signs in by e-mail.")
		}
		owner, err := identityOwner(ctx, tx, id)
		switch {
		case err != nil || owner == humanID:
			return err
		case owner != "":
			return task.Because(task.AlreadyAssigned, "This identity signs somebody else in.")
		}
		return insertIdentity(ctx, tx, id, humanID)
	})
}

// Identities are the ways to sign in that a person has beside mail.
func (b *Board) Identities(ctx context.Context, humanID string) ([]Identity, error) {
	return list(ctx, b, func(r row) (id Identity, err error) { return id, r.Scan(&id.Provider, &id.Subject) },
		q("SELECT provider, subject FROM human_identities WHERE human_id = $1 ORDER BY provider, subject", humanID))
}

// identityOwner is the id of whom an identity signs in, or empty.
func identityOwner(ctx context.Context, tx store.Tx, id Identity) (string, error) {
	var humanID string
	err := tx.QueryRow(ctx, "SELECT human_id FROM human_identities WHERE provider = $1 AND subject = $2", id.Provider, id.Subject).Scan(&humanID)
	if err != nil && !errors.Is(err, store.ErrNoRows) {
		return "", fmt.Errorf("look an identity up: %w", err)
	}
	return humanID, nil
}

func insertIdentity(ctx context.Context, tx store.Tx, id Identity, humanID string) error {
	if _, err := tx.Exec(ctx, "INSERT INTO human_identities (provider, subject, human_id) VALUES ($1, $2, $3)", id.Provider, id.Subject, humanID); err != nil {
		return fmt.Errorf("write an identity: %w", err)
	}
	return nil
}
