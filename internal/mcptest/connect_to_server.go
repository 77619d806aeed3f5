package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest/login"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var connectToServer = tool.New(tool.Spec{
	Name: "connect_to_server", Title: "Connect to a server",
	Description: "Connects to an MCP server for testing: a deployed one by its address (streamable HTTP, https://host/mcp) or a local one by its command line (stdio). " +
		"Once connected, all other tools operate on this connection until disconnect is called.",
	Effect: tool.Write, OpenWorld: true, Scope: scopeRun, Rate: rateConnect, Cost: 2, Timeout: 2 * time.Minute, Reword: asSpecified,
	Outline: []string{"message"},
	Examples: []tool.Example{
		{Name: "local", Args: ConnectIn{URL: "legwork stdio runner"}},
		{Name: "deployed", Args: ConnectIn{URL: "http://127.0.0.1:9/mcp", Token: "${ENV:MCPTEST_TOKEN}", Connection: "staging"}},
	},
}, (*Server).connect)

// ConnectIn is the server to connect to.
type ConnectIn struct {
	URL        string            `json:"url,omitempty" jsonschema:"URL of the MCP server (https://my-server.example.org/mcp), or a command line (npx -y some-server)"`
	Command    string            `json:"command,omitempty" jsonschema:"program to start, instead of url"`
	Args       []string          `json:"args,omitempty"`
	Env        map[string]string `json:"env,omitempty"`
	Cwd        string            `json:"cwd,omitempty"`
	Headers    map[string]string `json:"headers,omitempty" jsonschema:"secrets as ${ENV:NAME}, ${FILE:NAME}"`
	Token      string            `json:"token,omitempty" jsonschema:"bearer token"`
	Login      *LoginIn          `json:"login,omitempty" jsonschema:"OAuth, instead of token"`
	Connection string            `json:"connection,omitempty" jsonschema:"a name, to have several"`
	Replace    bool              `json:"replace,omitempty"`
	Transport  string            `json:"transport,omitempty" enum:"streaming-http,sse,stdio"`
	Era        string            `json:"era,omitempty" enum:"auto,legacy,modern" jsonschema:"legacy: initialize; modern: 2026-07-28"`
	Version    string            `json:"protocol_version,omitempty"`
	TimeoutMS  int               `json:"timeout_ms,omitempty" minimum:"0" maximum:"110000"`
	Answers    json.RawMessage   `json:"answers,omitempty" type:"object" jsonschema:"to what the server asks, by method (elicitation/create, sampling/createMessage, roots/list): a result, a list of them in turn, or ask for answer_request"`
}

// ConnectOut is the new connection.
type ConnectOut struct {
	Success      bool            `json:"success"`
	Connection   Connection      `json:"connection"`
	Message      string          `json:"message"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	Instructions string          `json:"instructions,omitempty"`
	Supported    []string        `json:"supported_versions,omitempty"`
	Reason       string          `json:"era_reason,omitempty"`
	Previous     *Previous       `json:"previous_connection,omitempty"`
	Process      *ProcessBlock   `json:"process,omitempty"`
	Login        []LoginStep     `json:"login,omitempty" jsonschema:"how the token was got"`
	Metadata     Metadata        `json:"metadata"`
	Findings     []Finding       `json:"findings,omitempty"`
}

// ProcessBlock is how a command was started.
type ProcessBlock struct {
	Path        string   `json:"path"`
	Environment []string `json:"environment" jsonschema:"names only"`
	PID         int      `json:"pid"`
}

// Text is what a model reads.
func (o ConnectOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s", o.Message, o.Connection.ServerURL)
	b.WriteString("\n" + marked(fmt.Sprintf("server: %s %s\ncapabilities: %s\ninstructions: %s%s",
		line(o.Connection.ServerInfo.Name, 200), line(o.Connection.ServerInfo.Version, 100), o.Capabilities, o.Instructions, loginText(o.Login))))
	return b.String() + findingsText(o.Findings)
}

func (s *Server) connect(ctx context.Context, in ConnectIn) (ConnectOut, error) {
	k := &call{s: s, ctx: ctx, started: s.clock()}
	t, err := s.targetOf(ctx, in)
	if err == nil {
		err = s.allowed(t)
	}
	if err != nil {
		return ConnectOut{}, k.notConnectable(t, err)
	}
	place := keyOf(ctx, in.Connection)
	if err := usableKey(place); err != nil {
		return ConnectOut{}, k.notConnectable(t, err)
	}
	if out, ok := s.loggedIn(k, place, t, in); ok {
		return out, nil
	}
	c, old, err := s.table.reserve(place, in.Replace)
	switch {
	case err != nil:
		return ConnectOut{}, k.fail(failure{typ: errConnectionFailed, subtype: subLimit, message: err.Error(), suggestion: "Call disconnect for a connection that is no longer needed; get_connection_status lists them."})
	case c == nil:
		k.c = old
		return ConnectOut{}, k.fail(failure{
			typ: errConnectionFailed, subtype: subAlready, message: fmt.Sprintf("There is a connection %q already, to %s.", place.name, old.target.shown),
			suggestion: "Call disconnect first, pass replace true, or give the new one another name in connection.",
		})
	}
	var previous *Previous
	if old != nil {
		previous = old.ended(old.close(), s.clock())
	}
	open := false
	defer func() {
		if !open {
			s.table.forget(c)
		}
	}()
	c.target, c.since = t, s.clock()
	if err := s.dial(k, c, in); err != nil {
		return ConnectOut{}, err
	}
	if !s.table.opened(c) {
		c.close()
		return ConnectOut{}, fault.New(fault.Unavailable, errConnectionFailed, "The server is shutting down.", "Connect again in a moment.")
	}
	open, k.c = true, c
	return k.connected(previous), nil
}

// usableKey refuses names that would not fit an answer, and callers who are nobody.
func usableKey(k key) error {
	switch {
	case k.owner == "":
		return bad("the caller cannot be told from others.")
	case len(k.name) > 60 || line(k.name, 60) != k.name:
		return bad("connection is no name: write at most 60 letters and digits.")
	}
	return nil
}

// errRefused is a target that this program may not use.
var errRefused = errors.New("not allowed")

// allowed decides about a target before anything is started.
func (s *Server) allowed(t target) error {
	if len(t.Command) > 0 && !s.o.Commands {
		return fmt.Errorf("%w: this server starts no commands", errRefused)
	}
	return nil
}

// dial opens the connection itself.
func (s *Server) dial(k *call, c *connection, in ConnectIn) error {
	o := wire.Options{
		Era: wire.Era(in.Era), Version: in.Version, ConnectTimeout: s.set.Connect, CallTimeout: s.set.Call,
		Tasks:   true,
		Environ: s.o.Environ, Secrets: c.target.secrets, Logger: s.log, Now: s.clock,
		ClientInfo: object([]member{{"name", quoted("legwork-mcptest")}, {"version", quoted(s.o.Version)}}),
		Limits:     wire.Limits{Transcript: 4 << 20, Message: 8 << 20},
	}
	if in.TimeoutMS > 0 {
		o.ConnectTimeout = time.Duration(in.TimeoutMS) * time.Millisecond
	}
	asks, err := newAsks(in.Answers, s.clock)
	if err != nil {
		return k.notConnectable(c.target, err)
	}
	c.asks, o.Answer, o.Capabilities, o.AnswerTimeout = asks, asks.take, asks.capabilities(), s.set.MaxCall
	c.release = func() {}
	if c.target.URL != "" {
		release, err := s.o.Reach(c.target.URL, &o)
		if err != nil {
			return k.notConnectable(c.target, err)
		}
		c.release = release
	}
	if in.Login != nil {
		if c.session, err = s.session(k, c, in, o); err != nil {
			c.release()
			return k.notConnectable(c.target, err)
		}
		c.target.login = c.session.login
		o.Authorize, o.Secrets = c.session.login.Authorize, c.target.secrets
	}
	c.conn, err = wire.Connect(k.ctx, c.target.Target, o)
	if err == nil {
		return nil
	}
	c.release()
	if errors.Is(err, login.ErrPending) {
		s.logins.keep(c.key, c.session)
	} else {
		c.session.close()
	}
	k.opening = c
	return k.notConnectable(c.target, err)
}

// connected tells of a new connection.
func (k *call) connected(previous *Previous) ConnectOut {
	conn, b := k.c.conn, k.c.block()
	server := conn.Server()
	out := ConnectOut{
		Success: true, Connection: b, Previous: previous, Metadata: k.metadata(), Findings: observed(conn.Observations()),
		Message:      fmt.Sprintf("Connected over %s, protocol %s (%s era).", b.Transport, b.version(), b.Era),
		Instructions: firstOf(conn.Redact([]byte(server.Instructions)), 20_000), Supported: k.c.supported(server.Supported),
	}
	out.Capabilities, _ = k.verbatim(server.Capabilities, 20_000)
	if previous != nil {
		out.Message += " The earlier connection to " + previous.ServerURL + " was closed."
	}
	if p := conn.Probe(); p != nil {
		out.Reason = p.Reason
	}
	out.Login = k.c.loginSteps()
	if p, ok := conn.Process(); ok {
		out.Process = &ProcessBlock{p.Path, p.Environment, p.PID}
	}
	return out
}

// supported are the versions that a server says it supports, as far as an answer has
// room for them.
func (c *connection) supported(all []string) []string {
	const most = 20
	var out []string
	for _, v := range all[:min(len(all), most)] {
		out = append(out, line(c.claimed(v), 40))
	}
	return out
}

// notConnectable says why no connection came about.
func (k *call) notConnectable(t target, err error) error {
	f := failure{typ: errConnectionFailed, message: "No connection to the server came about. " + sentence(err), details: map[string]any{}}
	if t.shown != "" {
		f.details["server_url"] = t.shown
	}
	var denied *fault.Error
	var e *wire.Error
	var rpc *wire.RPCError
	var failed *wire.ConnectError
	if errors.As(err, &failed) {
		f.findings = observed(failed.Evidence.Observations)
		f.details["passed"] = passed(failed.Evidence.Transcript)
	}
	switch {
	case errors.Is(err, errBad):
		f.subtype, f.message, f.suggestion = subTarget, "The target cannot be used: "+strings.TrimPrefix(err.Error(), errBad.Error()+": "), "Correct it and call again."
	case errors.Is(err, errRefused):
		f.subtype, f.suggestion = subRefused, "Use the address of a deployed server, or ask whoever runs this server to set mcptest_allow_commands."
	case errors.As(err, &denied):
		f.subtype, f.message, f.suggestion = subRefused, "No connection to the server came about. "+denied.Error(), denied.Action
	case errors.As(err, &e):
		k.notReached(&f, e, t)
	case errors.As(err, &rpc):
		f.subtype = subProtocol
		f.message = fmt.Sprintf("The server answered the opening of the connection with error %d.", rpc.Code)
		said := []byte(rpc.Message)
		if failed != nil {
			said = failed.Redact(said) // it knows the tokens of a login too
		}
		f.shown = line(t.hide(string(said)), 1000)
		f.details["code"], f.details["server_message"] = rpc.Code, f.shown
		f.suggestion = "Try another era or protocol_version; findings and details have what the server sent."
	}
	return k.fail(f)
}

// sentence is the text of an error that may be shown: those of the wire are for people.
func sentence(err error) string {
	var e *wire.Error
	switch {
	case errors.As(err, &e):
		return strings.ReplaceAll(e.Error(), ".: ", ": ")
	case errors.Is(err, errRefused):
		return "It is not allowed: " + strings.TrimPrefix(err.Error(), errRefused.Error()+": ") + "."
	}
	return ""
}

// notReached explains a failure by how far it came.
func (k *call) notReached(f *failure, e *wire.Error, t target) {
	for key, value := range evidence(e, t) {
		f.details[key] = value
	}
	f.details["kind"] = string(e.Kind)
	f.suggestion = stages[e.Stage]
	switch {
	case e.Kind == wire.Timeout:
		f.subtype, f.suggestion = subTimeout, "The server did not answer in time: see details.passed for what came, raise timeout_ms, or name the era."
	case e.Kind == wire.Exited:
		f.subtype, f.suggestion = subExited, "The program ended before it answered: see the end of its error output in details.exit."
	case unauthorized(e.Status()):
		f.subtype, f.suggestion = subAuth, authSuggestion
	case e.Kind == wire.Protocol:
		f.subtype = subSchema
	}
	if f.suggestion == "" {
		f.suggestion = "See details for what came back. Is it the address of the MCP endpoint, such as https://host/mcp?"
	}
	if e.Exit != nil && len(e.Exit.Stderr) > 0 {
		f.shown = exitBlock(e.Exit).Stderr
	} else if e.Status() != 0 {
		f.shown = fmt.Sprintf("HTTP %d %s", e.HTTP.Status, httpBlock(e.HTTP, t).Body)
	}
	if unauthorized(e.Status()) {
		k.opening.explainLogin(f, e)
	}
}

// stages say what to do by how far a connection came.
var stages = map[wire.Stage]string{
	wire.StageTarget:  "Correct the target: an address or a command line.",
	wire.StageCommand: "Check the command, its path and its permissions; it is started without a shell.",
	wire.StageGuard:   "Use a public web address. If this one is yours, start legwork with --allow-private.",
	wire.StageDNS:     "Check the host name: it does not resolve.",
	wire.StageTCP:     "Check host and port: nothing takes the connection there.",
	wire.StageTLS:     "Check the certificate and whether the port speaks TLS (https) at all.",
	wire.StageHTTP:    "Check the path: the server answered, but not as an MCP endpoint does. Usual paths are /mcp and /sse.",
	wire.StageMessage: "What answers there does not speak MCP as this program does; details.passed has its messages.",
}

// passed are the last things that passed on a connection that did not come about.
func passed(t wire.Transcript) []EntryBlock {
	const last = 10
	entries := t.Entries[max(0, len(t.Entries)-last):]
	out := make([]EntryBlock, 0, len(entries))
	for _, e := range entries {
		out = append(out, entryBlock(e, 500))
	}
	return out
}
