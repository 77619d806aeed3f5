package login

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// Login gets tokens for one server under test. One at a time asks it; its trace may be
// read meanwhile.
type Login struct {
	o      Options
	at     *url.URL
	client *http.Client
	rec    *recorder

	mu      sync.Mutex
	clients map[string]known // by issuer: credentials of one are nothing to another
	token   *tokens          // in use
	isNew   bool             // it was got for the challenge before
	stepped map[string]int   // step-ups, by operation
	pending *request
	failed  failures
}

// failures are the logins that failed since one succeeded.
type failures struct {
	count int
	last  error
	at    time.Time
}

// The bounds of logins that fail: a client that goes on with wrong credentials is locked
// out sooner or later.
const (
	mostFailures = 2
	restAfter    = 30 * time.Second
)

func newLogin(o Options, at *url.URL) *Login {
	client := *o.HTTPClient
	client.Jar, client.Timeout = nil, 0
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	l := &Login{
		o: o, at: at, client: &client, rec: &recorder{hide: &hider{}, now: o.Now},
		clients: map[string]known{}, stepped: map[string]int{},
	}
	l.rec.hide.learn(o.Client.Secret)
	return l
}

// found is what discovery brought.
type found struct {
	resource resource
	server   server
}

// Authorize meets the challenge of a server; it is made for wire.Options.Authorize. Nil
// headers mean that no login would help, and the trace says why. It fails with *Error,
// or with *Pending when a person has yet to log in.
func (l *Login) Authorize(ctx context.Context, ch wire.Challenge) (http.Header, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := readChallenge(ch.WWWAuthenticate)
	if l.failed.count >= mostFailures && l.o.Now().Sub(l.failed.at) < restAfter {
		return nil, l.failed.last
	}
	l.noteChallenge(ch, c)
	header, err := l.meet(ctx, ch, c)
	var failed *Error
	switch {
	case errors.As(err, &failed):
		l.failed = failures{l.failed.count + 1, err, l.o.Now()}
	case header != nil:
		l.failed = failures{}
	}
	return header, err
}

// meet finds the headers for a challenge.
func (l *Login) meet(ctx context.Context, ch wire.Challenge, c challenge) (http.Header, error) {
	var err error
	switch {
	case ch.Status == http.StatusForbidden && (c.code != "insufficient_scope" || l.o.Grant == Bearer):
		return nil, l.giveUp("The server refuses the token, and does not say that more scopes would help.")
	case l.token != nil && !ch.Given:
		// another connection, which has not been given the token yet
		l.isNew = false
		l.rec.add(Step{Name: StepToken, Outcome: OK, Detail: "The token of before is sent."})
		return l.header(), nil
	case ch.Status == http.StatusForbidden:
		return l.stepUp(ctx, ch, c)
	case ch.Status == http.StatusUnauthorized && ch.Round > 1 && l.token != nil && l.isNew:
		return nil, l.fail(Step{Name: StepGiveUp}, l.refused())
	case l.o.Grant == Bearer:
		err = l.given(ctx)
	default:
		err = l.begin(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	l.isNew = true
	return l.header(), nil
}

// refused is the failure of a token that is new and still not taken.
func (l *Login) refused() *Error {
	return &Error{
		Detail: "The server refuses the token that it was just sent.",
		Next:   "See the claims in the trace: is the audience this server, the issuer the one that it trusts, and its clock right?",
		Source: "MCP 2025-11-25, Authorization, Token Handling",
	}
}

// giveUp notes that nothing more is tried.
func (l *Login) giveUp(why string) error {
	l.rec.add(Step{Name: StepGiveUp, Outcome: Failed, Detail: why})
	return nil
}

func (l *Login) header() http.Header {
	return http.Header{"Authorization": {"Bearer " + l.token.access}}
}

// given takes a token that somebody else got.
func (l *Login) given(ctx context.Context) error {
	token, err := l.o.Token(ctx)
	if err != nil {
		return l.fail(Step{Name: StepToken}, &Error{Detail: "The token cannot be had.", Cause: err})
	}
	token = strings.TrimSpace(token)
	l.rec.hide.learn(token)
	if !isToken(token) {
		return l.fail(Step{Name: StepToken}, &Error{Detail: "The token has characters that no token has.", Source: "RFC 6750, 2.1"})
	}
	l.token = &tokens{access: token}
	l.rec.add(Step{Name: StepToken, Outcome: OK, Detail: "The given token is sent.", Facts: []Fact{{"kind", kindOf(token)}}})
	l.noteClaims(token, found{resource: resource{id: l.at.String()}})
	return nil
}

// begin meets a 401: with the refresh token that there is, or with a login. The
// metadata is read each time, because a server may have moved to another issuer.
func (l *Login) begin(ctx context.Context, c challenge) error {
	f, err := l.discover(ctx, c)
	if err != nil {
		return err
	}
	if old := l.token; old != nil && old.refresh != "" && old.issuer == f.server.issuer {
		err := l.refresh(ctx, f)
		var refused *Error
		if err == nil || !errors.As(err, &refused) || refused.Code == "" {
			return err
		}
	}
	l.token = nil
	return l.obtain(ctx, f, l.chooseScopes(f, c))
}

// discover reads the metadata.
func (l *Login) discover(ctx context.Context, c challenge) (found, error) {
	r, err := l.findResource(ctx, c.metadata)
	if err != nil {
		return found{}, err
	}
	s, err := l.findServer(ctx, r.issuer)
	return found{r, s}, err
}

// obtain gets a token with some scopes.
func (l *Login) obtain(ctx context.Context, f found, scopes []string) error {
	var t *tokens
	var err error
	if l.o.Grant == ClientCredentials {
		t, err = l.machine(ctx, f, scopes)
	} else {
		t, err = l.person(ctx, f, scopes)
	}
	if err != nil {
		return err
	}
	l.token = t
	return nil
}

// stepUp asks for the scopes that an operation needs beside those that there are (MCP
// 2025-11-25, Scope Challenge Handling, Step-Up Authorization Flow). It does so a few
// times only: a server that never has enough would go on for ever.
func (l *Login) stepUp(ctx context.Context, ch wire.Challenge, c challenge) (http.Header, error) {
	const source = "MCP 2025-11-25, Authorization, Step-Up Authorization Flow"
	if l.token == nil && !l.hasPending() {
		// the token came from elsewhere, or the server answers 403 where 401 belongs
		if err := l.begin(ctx, c); err != nil {
			return nil, err
		}
		return l.header(), nil
	}
	var have []string
	if l.token != nil {
		have = l.token.scopes
	} else {
		have = l.pending.scopes
	}
	wanted := union(have, c.scope)
	switch {
	case len(c.scope) == 0:
		return nil, l.giveUp("The server wants more scopes and does not say which.")
	case len(wanted) == len(have) && l.token != nil:
		return nil, l.giveUp("The server wants scopes that the token has already, according to its issuer: " + strings.Join(c.scope, " ") + ".")
	case l.stepped[ch.Method] >= l.o.StepUps && l.token != nil:
		return nil, l.giveUp("More scopes were asked for several times, and the server still wants more.")
	}
	f, err := l.discover(ctx, c)
	if err != nil {
		return nil, err
	}
	if l.token != nil {
		l.stepped[ch.Method]++
	}
	l.rec.add(Step{Name: StepScopes, Outcome: OK, Source: source, Detail: "The scopes that were granted, and those that are wanted.", Facts: []Fact{
		{"granted", strings.Join(have, " ")}, {"wanted", strings.Join(c.scope, " ")}, {"chosen", strings.Join(wanted, " ")},
	}})
	if err := l.obtain(ctx, f, wanted); err != nil {
		return nil, err
	}
	return l.header(), nil
}

// pendingFor is how long a link that nobody has opened stays good.
const pendingFor = 15 * time.Minute

func (l *Login) hasPending() bool {
	if l.pending != nil && l.o.Now().Sub(l.pending.at) > pendingFor {
		l.pending = nil
	}
	return l.pending != nil
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
