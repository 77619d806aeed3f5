package oauth

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	// keysFresh is how long keys are used before they are fetched again, so that
	// one that was taken back is not trusted for longer.
	keysFresh = time.Hour
	// keysStale is how long they are used while the issuer cannot be asked.
	keysStale = 24 * time.Hour
	// keysPatience is how long a request waits for new keys when it has old ones.
	keysPatience = time.Second
	// firstRetry and lastRetry are the pauses between attempts that fail.
	firstRetry = time.Second
	lastRetry  = time.Minute
	// unknownEvery is how often tokens of an unknown key may make us look for
	// new keys: anybody can make such tokens, and a real rotation must not wait.
	unknownEvery = 10 * time.Second
)

// keys hold the issuer's keys. They are fetched when a token needs them, so an
// idle server asks for nothing, and by one request at a time.
type keys struct {
	cfg     *Config
	client  issuerClient
	flights *flights[*keySet]
	unknown *rate.Limiter
	changed func() // called when a fetch brought other keys

	mu    sync.Mutex
	set   *keySet // nil until the first fetch
	at    time.Time
	url   string // found by discovery
	retry backoff
}

func newKeys(cfg *Config, client issuerClient, changed func()) *keys {
	return &keys{
		cfg: cfg, client: client, changed: changed, flights: newFlights[*keySet](),
		unknown: rate.NewLimiter(rate.Every(unknownEvery), 1),
		retry:   backoff{first: firstRetry, most: lastRetry},
	}
}

// find returns a set that has the key.
func (k *keys) find(ctx context.Context, kid string) (*keySet, error) {
	set, err := k.current(ctx)
	if err != nil || set.ids[kid] {
		return set, err
	}
	if k.flights.busy(digest{}) || k.unknown.AllowN(k.cfg.Clock(), 1) {
		if set, err = k.refresh(ctx); err != nil {
			return nil, err
		}
	}
	if !set.ids[kid] {
		return nil, invalid("the issuer has no key of this name")
	}
	return set, nil
}

// current returns the keys that are held, fetched anew when they are old.
func (k *keys) current(ctx context.Context) (*keySet, error) {
	now := k.cfg.Clock()
	k.mu.Lock()
	set, age := k.set, now.Sub(k.at)
	k.mu.Unlock()
	if set != nil && age < keysFresh {
		return set, nil
	}
	if set == nil || age >= keysStale {
		return k.refresh(ctx)
	}
	brief, cancel := context.WithTimeout(ctx, keysPatience)
	defer cancel()
	if fresh, err := k.refresh(brief); err == nil {
		return fresh, nil
	}
	return set, nil
}

// refresh fetches the keys, or waits for a fetch that runs. After a failure it
// leaves the issuer alone for a while.
func (k *keys) refresh(ctx context.Context) (*keySet, error) {
	k.mu.Lock()
	wait := k.retry.wait(k.cfg.Clock())
	k.mu.Unlock()
	if wait > 0 {
		return nil, unavailable(wait, errRecently)
	}
	set, err := k.flights.do(ctx, digest{}, k.fetch)
	if err != nil {
		return nil, unavailable(firstRetry, err)
	}
	return set, nil
}

var errRecently = fmt.Errorf("the issuer could not be asked a moment ago")

// fetch is one attempt, and notes what came of it.
func (k *keys) fetch(ctx context.Context) (*keySet, error) {
	set, err := guarded(ctx, k.load)
	now := k.cfg.Clock()
	k.mu.Lock()
	old := k.set
	if err != nil {
		k.retry.failed(now)
		k.url = "" // they may have moved
	} else {
		k.retry.succeeded()
		k.set, k.at = set, now
	}
	wait := k.retry.delay
	k.mu.Unlock()
	k.tell(ctx, old, set, slog.Any("error", err), slog.Duration("retry_in", wait))
	if err != nil {
		return nil, err
	}
	if old != nil && old.sum != set.sum {
		k.changed()
	}
	return set, nil
}

// load asks the issuer.
func (k *keys) load(ctx context.Context) (*keySet, error) {
	at, err := k.place(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := k.client.get(ctx, at)
	if err != nil {
		return nil, fmt.Errorf("keys at %s: %w", at, err)
	}
	set, err := readKeys(raw)
	if err != nil {
		return nil, fmt.Errorf("keys at %s: %w", at, err)
	}
	return set, nil
}

// place is where the keys are.
func (k *keys) place(ctx context.Context) (string, error) {
	if k.cfg.JWKSURL != "" {
		return k.cfg.JWKSURL, nil
	}
	k.mu.Lock()
	at := k.url
	k.mu.Unlock()
	if at != "" {
		return at, nil
	}
	m, err := k.cfg.discover(ctx, k.client)
	if err != nil {
		return "", err
	}
	k.mu.Lock()
	k.url = m.JWKS
	k.mu.Unlock()
	return m.JWKS, nil
}

// tell logs what whoever runs the server should know.
func (k *keys) tell(ctx context.Context, old, set *keySet, failure ...slog.Attr) {
	log := k.cfg.Logger
	switch {
	case ctx.Err() != nil: // closing
	case set == nil:
		log.LogAttrs(ctx, slog.LevelWarn, "the keys of the issuer cannot be fetched", failure...)
	case old == nil:
		log.InfoContext(ctx, "the keys of the issuer are there", "keys", len(set.ids), "unused", set.unused)
	case old.sum != set.sum:
		log.InfoContext(ctx, "the issuer has changed its keys", "keys", len(set.ids), "unused", set.unused)
	}
}

// check reports whether keys are held or can be had.
func (k *keys) check(ctx context.Context) error {
	_, err := k.current(ctx)
	return err
}

func (k *keys) close() { k.flights.close() }
