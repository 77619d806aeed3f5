package wire

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"
)

// goodbyeOfProbe is how long the process of a probe may take to end by itself.
const goodbyeOfProbe = 500 * time.Millisecond

// probeChild asks a process of its own which era the server speaks, because there are
// servers that end, or never answer again, after a request that they do not know.
func (c *Conn) probeChild(ctx context.Context) (*Probe, string) {
	opt := c.opt
	opt.CloseTimeout = min(opt.CloseTimeout, goodbyeOfProbe)
	aside := newConn(c.target, opt)
	p, err := startChild(aside)
	if err != nil {
		aside.cancel()
		return &Probe{Verdict: EraLegacy, Reason: "the process for the question could not be started: " + err.Error()}, ""
	}
	aside.carrier = p
	probe, version, _ := aside.probeHere(ctx) // any failure means the legacy era
	closing := aside.Close()
	probe.Exit, probe.Transcript = closing.Exit, aside.Transcript(0, 0)
	if probe.Verdict == EraAuto {
		probe.Verdict = EraLegacy
	}
	return probe, version
}

// probeHere asks on this connection. It fails only when asking in the other era would
// fail just the same: nothing can be reached, or nobody is let in.
func (c *Conn) probeHere(ctx context.Context) (*Probe, string, error) {
	version := NewestModern
	k := c.introduce(ctx, version, c.opt.ProbeTimeout)
	ex := k.ex
	probe := &Probe{Verdict: EraLegacy, Exchange: ex}
	var rpc *RPCError
	var failed *Error
	switch {
	case ex.Err == nil && field(ex.Result, "supportedVersions") != nil:
		probe.Verdict, probe.Reason = EraModern, "it answered server/discover"
		if all := texts(field(ex.Result, "supportedVersions")); !slices.Contains(all, version) {
			probe.Verdict, probe.Reason = EraLegacy, "it answered server/discover, without a modern version that is known here"
		}
	case ex.Err == nil:
		probe.Reason = "its answer to server/discover has no supportedVersions"
	case errors.As(ex.Err, &rpc):
		probe.Reason = "it answered server/discover with error " + strconv.FormatInt(rpc.Code, 10)
	case errors.As(ex.Err, &failed):
		probe.Reason = failed.Detail
		unreachable := failed.Kind == Refused && failed.Stage != StageHTTP
		if status := failed.Status(); unreachable || status == 401 || status == 403 {
			return probe, "", failed
		}
		if ctx.Err() != nil {
			return probe, "", failed
		}
	}
	if probe.Verdict == EraModern {
		return probe, version, nil
	}
	c.speak(EraLegacy, "")
	c.forget()
	return probe, "", nil
}

// introduce asks what a server can do, and once more when it refuses the version and
// names a modern one that is known here (MCP 2026-07-28, Versioning, Protocol Version
// Errors).
func (c *Conn) introduce(ctx context.Context, version string, limit time.Duration) *call {
	c.speak(EraModern, version)
	k := c.once(ctx, "server/discover", nil, CallOptions{Timeout: limit})
	if k.ex.RPC == nil || k.ex.RPC.Code != CodeUnsupportedVersion || !slices.Contains(texts(field(k.ex.RPC.Data, "supported")), NewestModern) {
		return k
	}
	c.speak(EraModern, NewestModern)
	return c.once(ctx, "server/discover", nil, CallOptions{Timeout: limit})
}

// forget drops what was observed so far: a legacy server may answer a modern request
// in any way. It stays with the exchange.
func (c *Conn) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observations, c.counts = nil, map[Code]int{}
}
