package wire

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Evidence is what is left of a connection that did not come about.
type Evidence struct {
	Transcript   Transcript
	Observations []Observation
	Probe        *Probe
	Opening      *Exchange
	Process      *ProcessEvidence
	Closing      *Closing
}

// Connect opens a connection. Its context ends with it: a child lives until Close. It
// fails with *Error, or with the server's own *RPCError; what passed is in Evidence of
// the *ConnectError around it.
func Connect(ctx context.Context, t Target, o Options) (*Conn, error) {
	o = o.withDefaults()
	if err := check(t); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.ConnectTimeout)
	defer cancel()
	c := newConn(t, o)
	err := c.open(ctx)
	if err == nil {
		return c, nil
	}
	failed := &ConnectError{Cause: err, hide: c.hide}
	if c.carrier != nil {
		if p, ok := c.Process(); ok {
			failed.Evidence.Process = &p
		}
		failed.Evidence.Closing = c.Close()
	} else {
		c.cancel()
	}
	failed.Evidence.Transcript = c.Transcript(0, 0)
	failed.Evidence.Observations, failed.Evidence.Probe, failed.Evidence.Opening = c.Observations(), c.Probe(), c.Opening()
	return nil, failed
}

// ConnectError is why no connection came about, with what passed until then.
type ConnectError struct {
	Cause    error // *Error or *RPCError, in the words of the server
	Evidence Evidence

	hide *redactor
}

// Redact gives bytes without the secrets that the connection knew.
func (e *ConnectError) Redact(b []byte) []byte {
	if e.hide == nil {
		return b // it was made by hand
	}
	return e.hide.copy(b)
}

// Error is that of the cause.
func (e *ConnectError) Error() string { return e.Cause.Error() }

// Unwrap gives the cause.
func (e *ConnectError) Unwrap() error { return e.Cause }

func check(t Target) error {
	what := ""
	switch {
	case t.URL == "" && len(t.Command) == 0:
		what = "The target has neither an address nor a command."
	case t.URL != "" && len(t.Command) > 0:
		what = "The target has an address and a command."
	case t.URL == "" && t.Transport != "" && t.Transport != StdioTransport, t.URL != "" && t.Transport == StdioTransport:
		what = "The target cannot be reached over this transport."
	}
	if what == "" {
		return nil
	}
	return &Error{Kind: Misused, Stage: StageTarget, Detail: what}
}

// open decides on the era and opens the connection in it.
func (c *Conn) open(ctx context.Context) error {
	era, version := c.opt.Era, c.opt.Version
	if c.target.Transport == SSETransport {
		era = EraLegacy // the modern era does not have it
	}
	if era == EraAuto && len(c.target.Command) > 0 {
		probe, v := c.probeChild(ctx)
		era, version = probe.Verdict, v
		c.setProbe(probe)
	}
	if err := c.carry(ctx); err != nil {
		return err
	}
	if era == EraAuto {
		probe, v, err := c.probeHere(ctx)
		c.setProbe(probe)
		if err != nil {
			return err
		}
		era, version = probe.Verdict, v
		if era == EraModern {
			return c.opened(probe.Exchange) // it was the opening
		}
	}
	if era == EraModern {
		if version == "" {
			version = NewestModern
		}
		return c.discover(ctx, version)
	}
	if version == "" {
		version = NewestLegacy
	}
	return c.initialize(ctx, version)
}

// carry makes what brings messages to the server.
func (c *Conn) carry(ctx context.Context) error {
	if len(c.target.Command) > 0 {
		p, err := startChild(c)
		if err != nil {
			return err
		}
		c.carrier = p
		return nil
	}
	w, err := newWeb(c)
	if err != nil {
		return err
	}
	if c.target.Transport == SSETransport {
		return c.carryEvents(ctx, w)
	}
	c.carrier = w
	return nil
}

func (c *Conn) setProbe(p *Probe) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.probed = p
}

func (c *Conn) speak(era Era, version string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.era, c.version = era, version
}

// discover opens a modern connection (MCP 2026-07-28, Discovery).
func (c *Conn) discover(ctx context.Context, version string) error {
	k := c.introduce(ctx, version, c.opt.ConnectTimeout)
	if k.ex.Err != nil {
		c.mu.Lock()
		c.opening = k.ex
		c.mu.Unlock()
		return k.ex.Err
	}
	return c.opened(k.ex)
}

// opened takes what the server says of itself.
func (c *Conn) opened(ex *Exchange) error {
	result := ex.Result
	info := field(field(result, "_meta"), metaServerInfo)
	if info == nil {
		info = field(result, "serverInfo")
	}
	s := ServerInfo{
		Name: textField(info, "name"), Version: textField(info, "version"), Title: textField(info, "title"), Info: info,
		ProtocolVersion: textField(result, "protocolVersion"), Capabilities: field(result, "capabilities"),
		Instructions: textField(result, "instructions"), Result: result, Supported: texts(field(result, "supportedVersions")),
	}
	modern := c.Era() == EraModern
	wanted := []string{"protocolVersion", "capabilities", "serverInfo"}
	if modern {
		s.ProtocolVersion = c.Version()
		wanted = []string{"supportedVersions", "capabilities"}
	}
	k := &call{ex: ex, over: true}
	for _, name := range wanted {
		if field(result, name) == nil {
			c.observe(Observation{Code: MissingField, Detail: "The answer to " + ex.Method + " has no " + name + ".", Bytes: result}, k)
		}
	}
	c.mu.Lock()
	c.server, c.opening = s, ex
	c.mu.Unlock()
	return nil
}

// texts are the strings of an array.
func texts(raw json.RawMessage) []string {
	all, _ := items(raw)
	var out []string
	for _, item := range all {
		if isText(item) {
			out = append(out, unquote(item))
		}
	}
	return out
}

// initialize opens a legacy connection, over HTTP with SSE when the server speaks
// nothing else (MCP 2025-11-25, Lifecycle; Transports, Backwards Compatibility).
func (c *Conn) initialize(ctx context.Context, version string) error {
	ex := c.handshake(ctx, version)
	if w, ok := c.carrier.(*web); ok && ex.Err != nil && c.target.Transport == "" && wantsSSE(ex) {
		first := ex.Err
		if err := c.carryEvents(ctx, w); err != nil {
			c.carrier = w
			return also(first, err)
		}
		c.observe(Observation{Code: FellBackToSSE, Detail: "The server does not take a POST; it speaks HTTP with SSE of 2024-11-05.", Status: statusOf(ex)}, nil)
		ex = c.handshake(ctx, version)
		if ex.Err != nil {
			return also(first, ex.Err)
		}
	}
	if ex.Err != nil {
		return ex.Err
	}
	c.begun(ctx)
	return nil
}

// streamOpensWithin is how long the first call may have to wait for the stream.
const streamOpensWithin = time.Second

// begun ends the handshake, and opens the stream of a session over HTTP.
func (c *Conn) begun(ctx context.Context) {
	if _, err := c.Notify(ctx, "notifications/initialized", nil); err != nil {
		c.opt.Logger.Debug("the notification that ends the handshake failed", "error", err.Error())
	}
	w, ok := c.carrier.(*web)
	if !ok || c.opt.NoStream {
		return
	}
	answered := make(chan struct{})
	if !c.spawn(func() { w.listen(c.life, answered) }) {
		return
	}
	// what a server asks before its stream is there is lost; some never answer
	patience := time.NewTimer(streamOpensWithin)
	defer patience.Stop()
	select {
	case <-answered:
	case <-patience.C:
	case <-ctx.Done():
	}
}

// handshake sends initialize and takes its answer.
func (c *Conn) handshake(ctx context.Context, version string) *Exchange {
	c.speak(EraLegacy, "")
	params := join([]member{{"protocolVersion", quote(version)}, {"capabilities", c.opt.Capabilities}, {"clientInfo", c.opt.ClientInfo}})
	k := c.once(ctx, "initialize", params, CallOptions{Timeout: c.opt.ConnectTimeout})
	c.mu.Lock()
	c.opening = k.ex
	c.mu.Unlock()
	if k.ex.Err != nil {
		return k.ex
	}
	negotiated := textField(k.ex.Result, "protocolVersion")
	if negotiated != version && !slices.Contains(LegacyVersions(), negotiated) {
		c.observe(Observation{Code: UnknownVersion, Detail: "The server answered with a protocol version that does not exist, or that has no initialize.", Bytes: field(k.ex.Result, "protocolVersion")}, nil)
	}
	if negotiated == "" {
		negotiated = version
	}
	c.speak(EraLegacy, negotiated)
	if err := c.opened(k.ex); err != nil {
		k.ex.Err = err
	}
	return k.ex
}

// wantsSSE reports whether the answer to a POST is one that a server of 2024-11-05
// gives. Any other failure is a failure.
func wantsSSE(ex *Exchange) bool {
	return slices.Contains([]int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed}, statusOf(ex)) && ex.RPC == nil
}

func statusOf(ex *Exchange) int {
	if ex.HTTP == nil {
		return 0
	}
	return ex.HTTP.Status
}

// also joins the failures of two ways.
func also(first, second error) error {
	var e *Error
	if !errors.As(first, &e) {
		return errors.Join(first, second)
	}
	both := *e
	both.Also = second
	return &both
}

// CommandLine is the command of a target for people.
func (t Target) CommandLine() string { return strings.Join(t.Command, " ") }
