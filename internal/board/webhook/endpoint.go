package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/reach"
	"github.com/legwork-mcp/legwork/internal/store"
)

const (
	mostEndpoints = 10   // of one agent
	longestURL    = 2048 // bytes
	// Overlap is how long the old secret signs beside the new one after Rotate.
	Overlap = 24 * time.Hour
)

// Endpoint is an address of an agent that wants to be told.
type Endpoint struct {
	ID         string
	AgentID    string
	URL        string
	Events     []string
	Generation int64     // of its secret; each Rotate adds one
	OverlapEnd time.Time // the secret before signs too until then
	Failures   int64     // deliveries given up one after another
	Disabled   string    // why nothing is sent any more: gone, or failing; empty while it is
	CreatedAt  time.Time
}

// The reasons of Endpoint.Disabled.
const (
	DisabledGone    = "gone"    // it answered 410
	DisabledFailing = "failing" // too many deliveries were given up one after another
)

const endpointColumns = `id, agent_id, url, events, generation, overlap_until_ms, failures, disabled_reason, created_ms`

// Create registers an endpoint for the named events, or for all when there is none,
// and returns it with its secret, which Reveal shows again.
func (h *Hooks) Create(ctx context.Context, agent, address string, events []string) (Endpoint, string, error) {
	if err := h.checkURL(address); err != nil {
		return Endpoint{}, "", err
	}
	events, err := h.chosen(events)
	if err != nil {
		return Endpoint{}, "", err
	}
	list, err := json.Marshal(events)
	if err != nil {
		return Endpoint{}, "", fmt.Errorf("write the events: %w", err)
	}
	e := Endpoint{ID: h.newID(), AgentID: agent, URL: address, Events: events, Generation: 1}
	err = h.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		var n int
		if err := tx.QueryRow(ctx, `SELECT COUNT(*) FROM webhook_endpoints WHERE agent_id = $1`, agent).Scan(&n); err != nil {
			return fmt.Errorf("count endpoints: %w", err)
		}
		if n >= mostEndpoints {
			return fault.New(fault.Limited, "too_many_webhooks", fmt.Sprintf("There are %d webhooks, the most that an account may have.", n), "Delete one that is not needed.")
		}
		e.CreatedAt = tx.Now().Truncate(time.Millisecond)
		_, err := tx.Exec(ctx, `INSERT INTO webhook_endpoints (id, agent_id, url, events, created_ms) VALUES ($1, $2, $3, $4, $5)`,
			e.ID, agent, address, string(list), e.CreatedAt.UnixMilli())
		return err
	})
	if err != nil {
		return Endpoint{}, "", fmt.Errorf("register a webhook: %w", err)
	}
	return e, h.secret(e.ID, e.Generation), nil
}

// chosen checks a choice of events.
func (h *Hooks) chosen(events []string) ([]string, error) {
	if len(events) == 0 {
		return h.types, nil
	}
	var out []string
	for _, e := range events {
		if !slices.Contains(h.types, e) {
			return nil, fault.New(fault.Invalid, "invalid_request", "An event of the list does not exist.",
				"Choose among "+strings.Join(h.types, ", ")+".").WithData("field", "events")
		}
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out, nil
}

// checkURL refuses what could never be delivered to. Whether a name leads to a
// public address is decided whenever something is sent.
func (h *Hooks) checkURL(address string) error {
	refuse := func(why string) error {
		return fault.New(fault.Invalid, "invalid_request", "The address of the webhook cannot be used: "+why+".",
			"Give an https address on the public internet without a login in it.").WithData("field", "url")
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "" || len(address) > longestURL:
		return refuse("it is not a web address, or too long")
	case u.Scheme != "https" && (u.Scheme != "http" || !h.private):
		return refuse("it does not begin with https")
	case !portExists(u.Port()):
		return refuse("its port does not exist")
	case u.User != nil || u.Fragment != "":
		return refuse("it has a login or a fragment in it")
	case h.private:
		return nil
	}
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if a, err := netip.ParseAddr(name); err == nil {
		if place := reach.NotPublic(a); place != "" {
			return refuse(reach.Why(place))
		}
	}
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return refuse(reach.Why("machine"))
	}
	return nil
}

// portExists reports whether a port can be reached; without one it is that of the scheme.
func portExists(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

// List is the endpoints of an agent, oldest first.
func (h *Hooks) List(ctx context.Context, agent string) ([]Endpoint, error) {
	var list []Endpoint
	err := h.db.Read(ctx, func(ctx context.Context, tx store.Tx) error {
		var err error
		list, err = endpoints(ctx, tx, `agent_id = $1 ORDER BY id`, agent)
		return err
	})
	return list, err
}

// Get is one endpoint of an agent.
func (h *Hooks) Get(ctx context.Context, agent, id string) (Endpoint, error) {
	var e Endpoint
	err := h.db.Read(ctx, func(ctx context.Context, tx store.Tx) error {
		var err error
		e, err = owned(ctx, tx, agent, id)
		return err
	})
	return e, err
}

// Rotate gives an endpoint a new secret and returns it. The old one signs beside it
// for Overlap, and the one before that no longer. An endpoint that was disabled is
// sent to again.
func (h *Hooks) Rotate(ctx context.Context, agent, id string) (Endpoint, string, error) {
	var e Endpoint
	err := h.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		n, err := tx.Exec(ctx, `UPDATE webhook_endpoints SET generation = generation + 1, overlap_until_ms = $1, failures = 0, disabled_reason = ''
WHERE id = $2 AND agent_id = $3`, tx.Now().Add(Overlap).UnixMilli(), id, agent)
		if err != nil {
			return fmt.Errorf("rotate the secret: %w", err)
		}
		if n == 0 {
			return notFound()
		}
		e, err = owned(ctx, tx, agent, id)
		return err
	})
	if err != nil {
		return Endpoint{}, "", err
	}
	return e, h.secret(e.ID, e.Generation), nil
}

// Delete removes an endpoint with its log. What is on its way is not sent.
func (h *Hooks) Delete(ctx context.Context, agent, id string) error {
	return h.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		n, err := tx.Exec(ctx, `DELETE FROM webhook_endpoints WHERE id = $1 AND agent_id = $2`, id, agent)
		if err != nil {
			return fmt.Errorf("delete a webhook: %w", err)
		}
		if n == 0 {
			return notFound()
		}
		return nil
	})
}

// owned finds an endpoint, and does not tell one of another agent from none.
func owned(ctx context.Context, tx store.Tx, agent, id string) (Endpoint, error) {
	list, err := endpoints(ctx, tx, `id = $1 AND agent_id = $2`, id, agent)
	if err != nil || len(list) == 1 {
		return first(list), err
	}
	return Endpoint{}, notFound()
}

func first(list []Endpoint) Endpoint {
	if len(list) == 0 {
		return Endpoint{}
	}
	return list[0]
}

func notFound() error {
	return fault.New(fault.NotFound, "not_found", "There is no such webhook or delivery.", "List them to see their ids.")
}

func endpoints(ctx context.Context, tx store.Tx, where string, args ...any) (list []Endpoint, err error) {
	rows, err := tx.Query(ctx, `SELECT `+endpointColumns+` FROM webhook_endpoints WHERE `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read webhooks: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e Endpoint
		var events string
		var overlap, created int64
		if err := rows.Scan(&e.ID, &e.AgentID, &e.URL, &events, &e.Generation, &overlap, &e.Failures, &e.Disabled, &created); err != nil {
			return nil, fmt.Errorf("read a webhook: %w", err)
		}
		if err := json.Unmarshal([]byte(events), &e.Events); err != nil {
			return nil, fmt.Errorf("read the events of webhook %s: %w", e.ID, err)
		}
		if overlap > 0 {
			e.OverlapEnd = time.UnixMilli(overlap).UTC()
		}
		e.CreatedAt = time.UnixMilli(created).UTC()
		list = append(list, e)
	}
	return list, rows.Err()
}
