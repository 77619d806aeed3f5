package mcptest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/login"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// LoginIn is how a server under test is logged in to.
type LoginIn struct {
	Grant        string   `json:"grant,omitempty" enum:"authorization_code,client_credentials" default:"authorization_code" jsonschema:"authorization_code: a person opens a link"`
	ClientID     string   `json:"client_id,omitempty" jsonschema:"empty: registers"`
	ClientSecret string   `json:"client_secret,omitempty" jsonschema:"${ENV:NAME}, or ${FILE:NAME} with a PEM key"`
	Scopes       []string `json:"scopes,omitempty" jsonschema:"instead of the server's"`
	Audience     string   `json:"audience,omitempty" jsonschema:"for Auth0 and its like"`
	Resource     string   `json:"resource,omitempty" jsonschema:"instead of that of the metadata; none sends none"`
	Callback     string   `json:"callback_url,omitempty" jsonschema:"where the browser ended, if not here"`
}

// LoginStep is one step of a login.
type LoginStep struct {
	Step    string            `json:"step"`
	Outcome string            `json:"outcome"`
	Detail  string            `json:"detail"`
	URL     string            `json:"url,omitempty"`
	Status  int               `json:"status,omitempty"`
	Facts   map[string]string `json:"facts,omitempty"`
	Body    string            `json:"body,omitempty"`
	Source  string            `json:"source,omitempty"`
}

// session is the login of a connection, or one that waits for a person.
type session struct {
	login  *login.Login
	person *person
	print  [sha256.Size]byte // of what it is for, to know it again
	since  time.Time
}

func (l *session) close() {
	if l != nil && l.person != nil && l.person.loop != nil {
		_ = l.person.loop.Close() // nobody comes back to it any more
	}
}

// person is whoever the caller can hand a link to. Where the browser cannot come back to
// this process, the person copies the address at which it ended.
type person struct {
	loop *login.Loopback

	mu     sync.Mutex
	pasted string
}

// nobodyListens is where the browser of a person elsewhere ends: at the discard port,
// which browsers do not even connect to, with the code in its address bar.
const nobodyListens = "http://127.0.0.1:9/callback"

// paste keeps what the person copied.
func (p *person) paste(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pasted = strings.TrimSpace(address)
}

// Redirect is where the browser comes back to.
func (p *person) Redirect(ctx context.Context) (string, error) {
	if p.loop == nil {
		return nobodyListens, nil
	}
	return p.loop.Redirect(ctx)
}

// Ask gives what the browser brought, or what the person copied.
func (p *person) Ask(ctx context.Context, link login.Link) (url.Values, error) {
	p.mu.Lock()
	pasted := p.pasted
	p.pasted = ""
	p.mu.Unlock()
	switch {
	case pasted != "":
		return login.ReadPasted(link, pasted)
	case p.loop == nil:
		return nil, login.ErrPending
	}
	return p.loop.Ask(ctx, link)
}

// logins are those that wait for a person, by the connection that they are for.
type logins struct {
	mu     sync.Mutex
	all    map[key]*session
	closed bool
}

// The bounds of logins that wait: the link of one is good for so long, and each may
// hold a port. One caller has a few of them, so that nobody keeps the others out.
const (
	mostLogins     = 32
	mostOfOneLogin = 8
	loginFor       = 15 * time.Minute
)

// take takes the login of a connection out, if it is for the same thing.
func (t *logins) take(k key, print [sha256.Size]byte, now time.Time) *session {
	t.mu.Lock()
	defer t.mu.Unlock()
	for other, l := range t.all {
		if now.Sub(l.since) > loginFor || other == k && l.print != print {
			l.close()
			delete(t.all, other)
		}
	}
	l := t.all[k]
	delete(t.all, k)
	return l
}

// keep keeps a login until its person has logged in.
func (t *logins) keep(k key, l *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if old := t.all[k]; old != nil {
		old.close()
		delete(t.all, k)
	}
	t.makeRoom(k.owner)
	if t.closed || len(t.all) >= mostLogins {
		l.close()
		return
	}
	if t.all == nil {
		t.all = map[key]*session{}
	}
	t.all[k] = l
}

// makeRoom ends the oldest login of a caller who has as many as one may. The lock is held.
func (t *logins) makeRoom(owner string) {
	own := 0
	var oldest key
	for k, l := range t.all {
		if k.owner != owner {
			continue
		}
		if own++; own == 1 || l.since.Before(t.all[oldest].since) {
			oldest = k
		}
	}
	if own >= mostOfOneLogin {
		t.all[oldest].close()
		delete(t.all, oldest)
	}
}

func (t *logins) drain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, l := range t.all {
		l.close()
	}
	t.all = nil
}

// loggedIn takes the address that a person copied, when the login that it belongs to is
// that of an open connection: its server let everybody connect, and asked for a token
// later.
func (s *Server) loggedIn(k *call, place key, t target, in ConnectIn) (ConnectOut, bool) {
	if in.Login == nil || in.Login.Callback == "" {
		return ConnectOut{}, false
	}
	c, done := s.table.use(place)
	defer done()
	if c == nil || c.session == nil || c.session.person == nil || c.target.URL != t.URL {
		return ConnectOut{}, false
	}
	c.session.person.paste(in.Login.Callback)
	k.c = c
	out := k.connected(nil)
	out.Message = "The address is taken: make the call that wanted the login again."
	return out, true
}

// session is the login for a connection: the one that waits, or a new one.
func (s *Server) session(k *call, c *connection, in ConnectIn, o wire.Options) (*session, error) {
	r := resolver{ctx: k.ctx, secret: s.o.Secret}
	secret, err := r.resolve(in.Login.ClientSecret)
	if err != nil {
		return nil, err
	}
	c.target.secrets = append(c.target.secrets, r.found...)
	same := *in.Login
	same.Callback, same.ClientSecret = "", secret
	raw, err := json.Marshal([]any{c.target.URL, same})
	if err != nil {
		return nil, fmt.Errorf("write down a login: %w", err)
	}
	client, err := login.Identify(in.Login.ClientID, secret)
	if err != nil {
		return nil, bad("client_secret: %s.", err)
	}
	l := s.logins.take(c.key, sha256.Sum256(raw), s.clock())
	if l == nil {
		l, err = s.newSession(k, in.Login, login.Options{
			URL: c.target.URL, HTTPClient: o.HTTPClient, Client: client, Logger: s.log, Now: s.clock,
		})
		if err != nil {
			return nil, err
		}
		l.print = sha256.Sum256(raw)
	}
	if l.person != nil {
		l.person.paste(in.Login.Callback)
	}
	return l, nil
}

func (s *Server) newSession(k *call, in *LoginIn, o login.Options) (*session, error) {
	l := &session{since: s.clock()}
	o.Grant, o.Scopes, o.Audience, o.Resource = login.Grant(in.Grant), in.Scopes, in.Audience, in.Resource
	if in.Resource == "none" {
		o.Resource, o.NoResource = "", true
	}
	if o.Grant == "" {
		o.Grant = login.AuthorizationCode
	}
	if o.Grant == login.AuthorizationCode {
		l.person = &person{}
		if tool.Caller(k.ctx).IsLocal() {
			loop, err := login.NewLoopback(k.ctx, "127.0.0.1:0", false, func(login.Link) {})
			if err != nil {
				return nil, fmt.Errorf("prepare a login: %w", err)
			}
			l.person.loop = loop
		}
		o.Person = l.person
	}
	made, err := login.New(o)
	if err != nil {
		l.close()
		return nil, bad("%s.", strings.TrimPrefix(err.Error(), "prepare the login: "))
	}
	l.login = made
	return l, nil
}

// loginSteps are the steps of a login for an answer: with what came back only where
// something was wrong with it.
func (c *connection) loginSteps() []LoginStep {
	if c == nil || c.session == nil {
		return nil
	}
	var out []LoginStep
	for _, s := range c.session.login.Trace().Steps {
		step := LoginStep{
			Step: string(s.Name), Outcome: string(s.Outcome), Detail: c.shownText(s.Detail, 600), URL: c.shownText(s.URL, 1000), Status: s.Status,
			Facts: map[string]string{}, Source: s.Source,
		}
		for _, f := range s.Facts {
			step.Facts[f.Name] = c.shownText(f.Value, 300)
		}
		if s.Outcome != login.OK {
			step.Body = c.shownText(s.Body, 1000)
		}
		out = append(out, step)
	}
	const most = 60
	return out[max(0, len(out)-most):]
}

// loginText is a login for a model that reads text only.
func loginText(steps []LoginStep) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "\nlogin %s %s: %s", s.Step, s.Outcome, s.Detail)
	}
	return b.String()
}

func (c *connection) shownText(s string, n int) string { return line(c.target.hide(s), n) }

// explainLogin tells a caller how a login failed, or that a person is waited for.
func (c *connection) explainLogin(f *failure, err error) {
	if c == nil || c.session == nil {
		return
	}
	f.subtype, f.details["login"] = subAuth, c.loginSteps()
	f.message = "The server wants authorization, and refuses what it was sent." // what failed may be in the server's words
	var pending *login.Pending
	var failed *login.Error
	switch {
	case errors.As(err, &pending):
		f.message = "The server wants a person to log in."
		f.details["authorization_url"], f.shown = pending.Link.URL, pending.Link.URL
		f.suggestion = "Give the user the link in details.authorization_url and wait until she has logged in; then make the same call again."
		if c.session.person.loop == nil {
			f.suggestion = "Give the user the link in details.authorization_url. Her browser ends at an address that begins with " + nobodyListens +
				" and shows no page: call connect_to_server again with the same arguments and that address in login.callback_url."
		}
	case errors.As(err, &failed):
		f.message = "The server wants authorization, and the login failed."
		f.shown = line(c.target.hide(failed.Detail), 600)
		f.suggestion = "See details.login for each step."
		if failed.Next != "" {
			f.suggestion = failed.Next + " " + f.suggestion
		}
	default:
		f.suggestion = "See details.login for each step."
	}
}
