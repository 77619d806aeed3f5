package bounty

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var connectAgentAccount = tool.New(tool.Spec{
	Name: "connect_agent_account", Title: "Connect an agent account",
	Description: "Create or reuse AI account credentials. The key is remembered in a profile, so that later calls need none. " +
		"A mail address that the board knows is reused only with its key, or with the code that the board mails.",
	Effect: tool.Write, OpenWorld: true, Scope: scopePost, Rate: rateConnect, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline:  []string{"status", "account_id", "api_key", "verification_id", "profile"},
	Examples: []tool.Example{{Name: "a new account", Args: ConnectIn{Name: "Research agent", PayPalEmail: "agent@example.com"}}},
}, (*Server).connectAgentAccount)

// ConnectIn is an account to connect.
type ConnectIn struct {
	Name        string `json:"name"`
	PayPalEmail string `json:"paypal_email"`
	AccountIn
	VerificationID string `json:"verification_id,omitempty" jsonschema:"of an earlier answer, with code"`
	Code           string `json:"code,omitempty" jsonschema:"from the board's mail"`
}

// ConnectOut is a connected account.
type ConnectOut struct {
	Status         string `json:"status" jsonschema:"connected, or verification_required"`
	AccountID      string `json:"account_id,omitempty"`
	APIKey         string `json:"api_key,omitempty" jsonschema:"secret"`
	KeyPrefix      string `json:"key_prefix,omitempty"`
	Created        bool   `json:"created,omitempty" jsonschema:"the account is new"`
	Profile        string `json:"profile,omitempty" jsonschema:"under which it is remembered"`
	VerificationID string `json:"verification_id,omitempty"`
	SentTo         string `json:"sent_to,omitempty"`
	Note           string `json:"note,omitempty"`
}

// The statuses of a connection.
const (
	statusConnected    = "connected"
	statusVerification = "verification_required"
)

// Text is what a model reads.
func (o ConnectOut) Text() string {
	var b strings.Builder
	if o.Status == statusVerification {
		b.WriteString("verification_required: the board knows this mail address and sent a code there")
		if o.SentTo != "" {
			b.WriteString(" (" + o.SentTo + ")")
		}
		fmt.Fprintf(&b, ".\nNext: ask the person who reads that mail, then call connect_agent_account again with verification_id %s and code.", o.VerificationID)
	} else {
		fmt.Fprintf(&b, "connected: account_id %s, api_key %s (secret; do not repeat it to anybody).", o.AccountID, o.APIKey)
		if o.Profile != "" {
			fmt.Fprintf(&b, " It is remembered as profile %s: later calls need no key.", o.Profile)
		}
	}
	if o.Note != "" {
		b.WriteString("\n" + o.Note)
	}
	return b.String()
}

func (s *Server) connectAgentAccount(ctx context.Context, in ConnectIn) (ConnectOut, error) {
	in.Name, in.PayPalEmail = strings.TrimSpace(in.Name), strings.ToLower(strings.TrimSpace(in.PayPalEmail))
	if err := in.check(); err != nil {
		return ConnectOut{}, err
	}
	client, err := s.o.Board()
	if err != nil {
		return ConnectOut{}, err
	}
	at := place{tool.Caller(ctx).ID(), client.Base(), firstOf(in.Profile, defaultProfile)}
	c := connecting{s: s, ctx: ctx, client: client, in: in, at: at}
	own, err := given(AccountIn{AccountID: in.AccountID, APIKey: in.APIKey})
	if err != nil {
		return ConnectOut{}, err
	}
	if !own.None() {
		return c.reuse(own)
	}
	kept, err := s.profiles.load(at)
	if err != nil {
		return ConnectOut{}, err
	}
	if kept != nil && kept.Email != in.PayPalEmail {
		return ConnectOut{}, refuse("invalid_request", "The profile "+at.name+" holds another account, whose key would be lost.",
			rest.FieldError{Field: "profile", Code: "taken"})
	}
	if kept != nil && in.Code == "" {
		out, err := c.reuse(rest.Credentials{AccountID: kept.AccountID, APIKey: observe.Secret(kept.APIKey)})
		if !isUnauthenticated(err) {
			return out, err
		}
	}
	return c.create()
}

func (in ConnectIn) check() error {
	var fields []rest.FieldError
	if in.Name == "" {
		fields = append(fields, rest.FieldError{Field: "name", Code: "required"})
	}
	if a, err := mail.ParseAddress(in.PayPalEmail); err != nil || a.Address != in.PayPalEmail {
		fields = append(fields, rest.FieldError{Field: "paypal_email", Code: "invalid_value"})
	}
	if (in.VerificationID == "") != (in.Code == "") {
		fields = append(fields, rest.FieldError{Field: "code", Code: "required"})
	}
	if len(fields) > 0 {
		return refuse("invalid_request", "The account cannot be connected as it is asked for.", fields...)
	}
	return nil
}

// connecting is one call.
type connecting struct {
	s      *Server
	ctx    context.Context
	client *rest.Client
	in     ConnectIn
	at     place
}

// reuse proves credentials and answers with them: the board gives a key only once.
func (c connecting) reuse(who rest.Credentials) (ConnectOut, error) {
	a, err := c.client.Account(c.ctx, who)
	if err != nil {
		return ConnectOut{}, explain(err, "")
	}
	if a.Email != "" && !strings.EqualFold(a.Email, c.in.PayPalEmail) {
		return ConnectOut{}, refuse("invalid_request", "The key is that of an account with another mail address.",
			rest.FieldError{Field: "paypal_email", Code: "mismatch"})
	}
	return c.connected(ConnectOut{AccountID: who.AccountID, APIKey: who.APIKey.Reveal()}), nil
}

func (c connecting) create() (ConnectOut, error) {
	got, err := c.client.Connect(c.ctx, rest.NewAccount{
		Name: c.in.Name, PayPalEmail: c.in.PayPalEmail, VerificationID: c.in.VerificationID, Code: strings.TrimSpace(c.in.Code),
	}, rest.Credentials{})
	if err != nil {
		return ConnectOut{}, explain(err, "")
	}
	switch {
	case got.APIKey != "" && got.AccountID != "":
		out := ConnectOut{AccountID: got.AccountID, APIKey: got.APIKey, KeyPrefix: clean(got.KeyPrefix, 40), Created: c.in.Code == ""}
		if got.Created != nil {
			out.Created = *got.Created
		}
		return c.connected(out), nil
	case got.VerificationID != "":
		return ConnectOut{Status: statusVerification, VerificationID: clean(got.VerificationID, 200), SentTo: clean(got.SentTo, 100)}, nil
	}
	return ConnectOut{}, refuse("already_connected", "") // its key is shown only once, and nobody proved to have it
}

// connected remembers the account. A key that cannot be kept is answered all the same:
// it is to be had only now.
func (c connecting) connected(out ConnectOut) ConnectOut {
	out.Status, out.Profile = statusConnected, c.at.name
	err := c.s.profiles.save(c.at, profile{AccountID: out.AccountID, APIKey: out.APIKey, Email: c.in.PayPalEmail})
	if err != nil {
		c.s.log.WarnContext(c.ctx, "an account could not be remembered", "error", err)
		out.Profile, out.Note = "", "The account could not be remembered here: keep the key yourself, and give both halves with each call."
	} else if !c.s.o.Default.None() {
		out.Note = "The settings have a default account, which calls use that name no profile: give profile " + c.at.name + " to use this one."
	}
	return out
}

// isUnauthenticated reports whether a key is no longer good.
func isUnauthenticated(err error) bool {
	var e *rest.Error
	return errors.As(err, &e) && failureOf(e).code == codeUnauthenticated
}
