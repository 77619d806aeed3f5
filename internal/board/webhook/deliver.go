package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/reach"
	"github.com/legwork-mcp/legwork/internal/store"
)

// Attempts is how often a delivery is tried, over about three days.
const Attempts = 12

// waits is how long after attempt n the next one comes.
var waits = [Attempts - 1]time.Duration{
	10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour,
	6 * time.Hour, 12 * time.Hour, 12 * time.Hour, 18 * time.Hour, 24 * time.Hour,
}

// Wait is how long after attempt n, counted from 1, the next one comes.
func Wait(n int) time.Duration { return waits[min(max(n, 1), len(waits))-1] }

// mostFailures is how many deliveries in a row may be given up before nothing is
// sent to an endpoint any more.
const mostFailures = 20

// ErrUndelivered is the error of an attempt that should be made again.
var ErrUndelivered = errors.New("the webhook was not delivered")

// Deliver makes one attempt; last says that there will be no other. It does nothing
// for a delivery that has ended or is gone. ErrUndelivered asks for another attempt,
// ErrBusy for this one later.
func (h *Hooks) Deliver(ctx context.Context, id string, last bool) error {
	var d Delivery
	var e Endpoint
	err := h.db.Read(ctx, func(ctx context.Context, tx store.Tx) error {
		var err error
		if d, err = one(ctx, tx, id); err != nil {
			return err
		}
		list, err := endpoints(ctx, tx, `id = $1`, d.EndpointID)
		e = first(list)
		return err
	})
	if f := fault.From(err); f != nil {
		if f.Kind == fault.NotFound {
			return nil // the endpoint was deleted
		}
		return err
	}
	if d.State != Pending {
		return nil
	}
	if e.Disabled != "" && d.EventType != Ping {
		return h.ended(ctx, d, Attempt{Failure: "disabled"}, GivenUp)
	}
	done, err := h.turns.take(ctx, e.AgentID)
	if err != nil {
		return err
	}
	defer done()
	begun := h.now(ctx)
	status, failure := h.post(ctx, d, e, begun)
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), context.Canceled) {
		return ctx.Err() // the process ends; that is no attempt
	}
	a := Attempt{At: begun, Took: h.now(ctx).Sub(begun), Status: int64(status), Failure: failure}
	switch {
	case failure == "":
		return h.ended(ctx, d, a, Delivered)
	case last || status == http.StatusGone:
		return h.ended(ctx, d, a, GivenUp)
	}
	if err := h.ended(ctx, d, a, Pending); err != nil {
		return err
	}
	return ErrUndelivered
}

// now is the time of the database, or the zero time when it does not answer.
func (h *Hooks) now(ctx context.Context) (now time.Time) {
	_ = h.db.Read(context.WithoutCancel(ctx), func(_ context.Context, tx store.Tx) error { // what follows fails too, and says so
		now = tx.Now()
		return nil
	})
	return now
}

// post sends the body and returns the status and a word for what went wrong.
func (h *Hooks) post(ctx context.Context, d Delivery, e Endpoint, now time.Time) (int, string) {
	secrets := []string{h.secret(e.ID, e.Generation)}
	if e.Generation > 1 && now.Before(e.OverlapEnd) {
		secrets = append(secrets, h.secret(e.ID, e.Generation-1))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, strings.NewReader(d.Body))
	if err != nil {
		return 0, "bad_address"
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "legwork-webhook/1")
	req.Header.Set(SignatureHeader, Sign([]byte(d.Body), now, secrets...))
	req.Header.Set(EventHeader, d.EventType)
	req.Header.Set(DeliveryHeader, d.ID)
	res, err := h.client.Do(req)
	if err != nil {
		return 0, failure(err)
	}
	_ = res.Body.Close() // unread: what it says is for nobody
	switch {
	case res.StatusCode >= 200 && res.StatusCode < 300:
		return res.StatusCode, ""
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return res.StatusCode, "redirect"
	}
	return res.StatusCode, "status"
}

// failure is a word for why there was no answer. It tells nothing about the network
// that this program is in.
func failure(err error) string {
	var refused *reach.Refusal
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var timeout net.Error
	switch {
	case errors.As(err, &refused):
		return "address_refused"
	case errors.As(err, &dns):
		return "name_not_found"
	case errors.As(err, &certificate), errors.As(err, &record):
		return "tls"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	}
	return "no_connection"
}

// ended writes an attempt down, and what it means for delivery and endpoint. Only a
// pending delivery changes.
func (h *Hooks) ended(ctx context.Context, d Delivery, a Attempt, to State) error {
	err := h.db.Tx(context.WithoutCancel(ctx), func(ctx context.Context, tx store.Tx) error {
		now := tx.Now().UnixMilli()
		if a.At.IsZero() {
			a.At = tx.Now()
		}
		_, err := tx.Exec(ctx, `INSERT INTO webhook_attempts (delivery_id, number, at_ms, took_ms, status, failure)
SELECT $1, COALESCE(MAX(number), 0) + 1, CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS TEXT) FROM webhook_attempts WHERE delivery_id = $1`,
			d.ID, a.At.UnixMilli(), a.Took.Milliseconds(), a.Status, a.Failure)
		if err != nil {
			return fmt.Errorf("log an attempt: %w", err)
		}
		if to == Pending {
			return nil
		}
		n, err := tx.Exec(ctx, `UPDATE webhook_deliveries SET state = $1, ended_ms = $2 WHERE id = $3 AND state = 'pending'`, string(to), now, d.ID)
		if err != nil || n == 0 || d.EventType == Ping {
			return err
		}
		d.State = to
		return h.judge(ctx, tx, d, a)
	})
	if err != nil {
		return fmt.Errorf("write down delivery %s: %w", d.ID, err)
	}
	return nil
}

// judge counts failures of an endpoint and disables it when there are too many.
func (h *Hooks) judge(ctx context.Context, tx store.Tx, d Delivery, a Attempt) error {
	if d.State == Delivered {
		_, err := tx.Exec(ctx, `UPDATE webhook_endpoints SET failures = 0 WHERE id = $1 AND failures > 0`, d.EndpointID)
		return err
	}
	if a.Failure == "disabled" {
		return nil
	}
	reason := ""
	if a.Status == http.StatusGone {
		reason = DisabledGone
	}
	_, err := tx.Exec(ctx, `UPDATE webhook_endpoints SET failures = failures + 1,
disabled_reason = CASE WHEN CAST($1 AS TEXT) <> '' THEN CAST($1 AS TEXT) WHEN failures + 1 >= $2 THEN CAST($3 AS TEXT) ELSE disabled_reason END WHERE id = $4`,
		reason, mostFailures, DisabledFailing, d.EndpointID)
	return err
}
