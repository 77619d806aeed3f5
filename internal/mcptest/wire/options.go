package wire

import (
	"encoding/json"
	"log/slog"
	"slices"
	"time"
)

// withDefaults fills in what is not set.
func (o Options) withDefaults() Options {
	set := func(d *time.Duration, value time.Duration) {
		if *d <= 0 {
			*d = value
		}
	}
	set(&o.ConnectTimeout, 30*time.Second)
	set(&o.ProbeTimeout, 5*time.Second)
	set(&o.CallTimeout, 60*time.Second)
	set(&o.CloseTimeout, 2*time.Second)
	set(&o.AnswerTimeout, o.CallTimeout)
	if o.Era == "" {
		o.Era = EraAuto
	}
	if o.Version != "" && o.Era == EraAuto {
		o.Era = eraOf(o.Version)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if len(o.Capabilities) == 0 {
		o.Capabilities = json.RawMessage(`{}`)
	}
	if len(o.ClientInfo) == 0 {
		o.ClientInfo = json.RawMessage(`{"name":"legwork","version":"0"}`)
	}
	o.Limits = o.Limits.withDefaults()
	return o
}

func (l Limits) withDefaults() Limits {
	set := func(n *int, value int) {
		if *n <= 0 {
			*n = value
		}
	}
	set(&l.Message, 16<<20)
	set(&l.Kept, 16<<10)
	set(&l.Transcript, 8<<20)
	set(&l.Entries, 10000)
	set(&l.Observations, 1000)
	set(&l.PerCall, 1000)
	set(&l.Stderr, 64<<10)
	set(&l.Answering, 16)
	set(&l.Rounds, 10)
	set(&l.Pages, 1000)
	if l.Stream <= 0 {
		l.Stream = 64 << 20
	}
	if l.Late <= 0 {
		l.Late = 10 * time.Second
	}
	return l
}

// eraOf is the era of a protocol version. Versions are dates, and one that is not known
// belongs to the newest era.
func eraOf(version string) Era {
	if slices.Contains(LegacyVersions(), version) || version < Version20260728 {
		return EraLegacy
	}
	return EraModern
}
