package push

import (
	"context"
	"crypto/ecdh"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
)

// Device is a browser that takes pushes for a person.
type Device struct {
	ID, HumanID string
	// Name is what the person knows it by.
	Name string
	// Endpoint is its address at its push service: whoever knows it and has the board's
	// key can push to it.
	Endpoint string
	// P256DH and Auth are what messages are encrypted with (RFC 8291, section 2).
	P256DH, Auth []byte
	CreatedAt    time.Time
}

// Subscription is what a browser gives away (Push API, PushSubscription), its keys in
// base64url.
type Subscription struct{ Endpoint, P256DH, Auth, Name string }

const (
	longestEndpoint = 1000
	longestName     = 80
	// mostDevices is how many one person has; a further one takes the place of the oldest.
	// Together they are sent to within the minute that a job has.
	mostDevices = 5
)

// device reads a subscription, or says what is wrong with it. Where a name leads to is
// looked at whenever something is sent.
func (s Subscription) device() (Device, error) {
	u, err := url.Parse(s.Endpoint)
	switch {
	case err != nil || u.Hostname() == "" || len(s.Endpoint) > longestEndpoint:
		return Device{}, refuse("its address is none, or too long")
	case u.Scheme != "https" || u.User != nil || u.Fragment != "" || u.Port() != "" && u.Port() != "443":
		return Device{}, refuse("its address is not a plain one of https")
	}
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if _, err := netip.ParseAddr(name); err == nil || !strings.Contains(name, ".") || strings.HasSuffix(name, ".localhost") {
		return Device{}, refuse("its address has no name on the internet")
	}
	public, err := encoding.DecodeString(strings.TrimRight(s.P256DH, "="))
	if err != nil {
		return Device{}, refuse("its key cannot be read")
	}
	if _, err := ecdh.P256().NewPublicKey(public); err != nil {
		return Device{}, refuse("its key is no point of P-256")
	}
	auth, err := encoding.DecodeString(strings.TrimRight(s.Auth, "="))
	if err != nil || len(auth) != authSize {
		return Device{}, refuse("its secret does not have 16 bytes")
	}
	label := []rune(s.Name)
	return Device{Name: string(label[:min(len(label), longestName)]), Endpoint: s.Endpoint, P256DH: public, Auth: auth}, nil
}

func refuse(why string) error {
	return fault.New(fault.Invalid, "invalid_request", "The subscription of the browser cannot be used: "+why+".", "Subscribe again, with another browser if it happens again.")
}

// Add keeps a device of a person. One that was somebody else's is theirs alone from now
// on: it is the same browser, and another person uses it. Errors: what is wrong with the
// subscription.
func (p *Push) Add(ctx context.Context, humanID string, s Subscription) error {
	d, err := s.device()
	if err != nil {
		return err
	}
	err = p.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.Exec(ctx, "DELETE FROM push_devices WHERE endpoint = $1", d.Endpoint); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO push_devices (id, human_id, name, endpoint, p256dh, auth, created_ms) VALUES ($1, $2, $3, $4, $5, $6, $7)",
			p.newID(), humanID, d.Name, d.Endpoint, encoding.EncodeToString(d.P256DH), encoding.EncodeToString(d.Auth), tx.Now().UnixMilli())
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM push_devices WHERE human_id = $1 AND id NOT IN
(SELECT id FROM push_devices WHERE human_id = $1 ORDER BY created_ms DESC, id DESC LIMIT $2)`, humanID, mostDevices)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep a device: %w", err)
	}
	return nil
}

// Devices are those of a person, the newest first.
func (p *Push) Devices(ctx context.Context, humanID string) (list []Device, err error) {
	err = p.db.Read(ctx, func(ctx context.Context, tx store.Tx) (err error) {
		list = nil
		rows, err := tx.Query(ctx, "SELECT id, human_id, name, endpoint, p256dh, auth, created_ms FROM push_devices WHERE human_id = $1 ORDER BY created_ms DESC, id DESC", humanID)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var d Device
			var public, auth string
			var at int64
			if err := rows.Scan(&d.ID, &d.HumanID, &d.Name, &d.Endpoint, &public, &auth, &at); err != nil {
				return err
			}
			var wrong, bad error
			d.P256DH, wrong = encoding.DecodeString(public)
			d.Auth, bad = encoding.DecodeString(auth)
			if wrong != nil || bad != nil {
				return errors.New("the keys of a device cannot be read")
			}
			d.CreatedAt = time.UnixMilli(at).UTC()
			list = append(list, d)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("list the devices of a person: %w", err)
	}
	return list, nil
}

// Remove forgets a device of a person, and says whether it was theirs.
func (p *Push) Remove(ctx context.Context, humanID, id string) (theirs bool, err error) {
	n, err := p.forget(ctx, "DELETE FROM push_devices WHERE human_id = $1 AND id = $2", humanID, id)
	return n > 0, err
}

func (p *Push) forget(ctx context.Context, statement string, args ...any) (n int64, err error) {
	err = p.db.Tx(ctx, func(ctx context.Context, tx store.Tx) (err error) {
		n, err = tx.Exec(ctx, statement, args...)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("forget a device: %w", err)
	}
	return n, nil
}
