package browser

import (
	"slices"
	"strconv"
)

// Ledger is what went over the network for a tab. It never holds paths,
// queries or contents, in which people's data can be.
type Ledger struct {
	// Requests that were made, and Bytes that came back.
	Requests, Bytes int
	// Refused are the first refusals of the network guard.
	Refused []Refusal
	// Entries are the last requests.
	Entries []Entry
}

// Refusal is a request that the network guard stopped.
type Refusal struct {
	// URL is the origin only.
	URL    string
	Reason string
}

// Entry is one request. All that is known of an encrypted connection is that
// it was made: its method is CONNECT.
type Entry struct {
	Method, Host string
	// Status of the answer; 0 when there was none.
	Status int
}

const ledgerSize = 500

// Ledger returns what went over the network so far.
func (t *Tab) Ledger() Ledger { return t.guard.account() }

func (g *guard) account() Ledger {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.ledger
	l.Bytes = int(g.received.Load())
	l.Refused, l.Entries = slices.Clone(l.Refused), slices.Clone(l.Entries)
	return l
}

func (g *guard) record(method, host string, status int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ledger.Requests++
	if len(g.ledger.Entries) == ledgerSize {
		g.ledger.Entries = slices.Delete(g.ledger.Entries, 0, 1)
	}
	g.ledger.Entries = append(g.ledger.Entries, Entry{Method: method, Host: host, Status: status})
}

// denial is why a host could not be reached.
type denial struct {
	netError, refused string
}

func (g *guard) remember(scheme, host string, o denial) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.outcomes[host] = o
	if o.refused != "" && len(g.ledger.Refused) < ledgerSize {
		g.ledger.Refused = append(g.ledger.Refused, Refusal{URL: scheme + "://" + host, Reason: o.refused})
	}
}

func bytesText(n int64) string { return strconv.FormatInt(n, 10) + " bytes" }
