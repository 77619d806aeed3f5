package api

import (
	"context"
	"net/http"
	"net/mail"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func (s *Server) accountRoutes() {
	register(s, Route{
		ID: "connect-account", Method: http.MethodPost, Path: "/api/ai/accounts", Tag: "accounts", Who: Everybody,
		Summary: "Make an agent account with its first key; a known address needs a proof",
	}, s.connect)
	register(s, Route{
		ID: "get-account", Method: http.MethodGet, Path: "/api/ai/accounts", Tag: "accounts", Who: Agent, Scope: data.ScopeRead,
		Summary: "The account of the credentials",
	}, s.account)
	register(s, Route{
		ID: "request-verification", Method: http.MethodPost, Path: "/api/ai/accounts/verification/request", Tag: "accounts", Who: Agent, Scope: data.ScopeAdmin,
		Summary: "Send a code to the address of the account",
	}, s.requestCode)
	register(s, Route{
		ID: "confirm-verification", Method: http.MethodPost, Path: "/api/ai/accounts/verification/confirm", Tag: "accounts", Who: Everybody,
		Summary: "Prove the address with the code that was sent, and get a new key; the first proof without a key of the account ends the keys before",
	}, s.confirmCode)
}

// Connect makes an account, or proves one.
type Connect struct {
	Credentials
	Name           string `json:"name" doc:"name of the account, which people see" minLength:"1" maxLength:"120"`
	Email          string `json:"paypal_email" doc:"address of whoever is responsible for the account" format:"email"`
	VerificationID string `json:"verification_id,omitempty" doc:"of an answer verification_required"`
	Code           string `json:"code,omitempty" doc:"what was sent to the address"`
}

// Connected is an account, with a key that is shown once.
type Connected struct {
	Status         string `json:"status" enum:"connected,verification_required"`
	AccountID      string `json:"account_id,omitempty"`
	APIKey         string `json:"api_key,omitempty" doc:"shown once"`
	KeyPrefix      string `json:"key_prefix,omitempty"`
	Created        bool   `json:"created"`
	VerificationID string `json:"verification_id,omitempty" doc:"send it back with the code that was mailed"`
}

// connect answers for an address that is known only what its owner may know: a key
// of the account, or the code that was mailed to it, is the proof.
func (s *Server) connect(ctx context.Context, in *with[Connect]) (*answer[Connected], error) {
	who, b := caller(ctx), in.Body
	if b.VerificationID != "" || b.Code != "" {
		return s.confirm(ctx, b.VerificationID, b.Code)
	}
	name, email, err := checkConnect(b)
	if err != nil {
		return nil, err
	}
	if who.Kind == Agent {
		a, err := s.o.Board.Agent(ctx, who.AgentID)
		if err != nil {
			return nil, err
		}
		if strings.EqualFold(a.Email, email) {
			return reply(Connected{Status: "connected", AccountID: a.ID}), nil
		}
	}
	if err := s.take(ctx, "board|connect|"+addressFrom(ctx), s.o.Limits.Connect); err != nil {
		return nil, err
	}
	if err := s.takeMail(ctx, email); err != nil {
		return nil, err
	}
	c, err := s.o.Board.Connect(ctx, name, email)
	if err != nil {
		return nil, err
	}
	return reply(connected(c)), nil
}

func checkConnect(b Connect) (name, email string, err error) {
	var wrong task.Fields
	name = task.CheckText(&wrong, "name", b.Name, 120)
	email = task.CleanLine(b.Email)
	switch at, parse := mail.ParseAddress(email); {
	case email == "":
		wrong.Add("paypal_email", task.Required)
	case parse != nil || at.Address != email || len(email) > 254:
		wrong.Add("paypal_email", task.InvalidFormat)
	}
	return name, email, wrong.Err()
}

func connected(c data.Connected) Connected {
	if c.CodeID != "" {
		return Connected{Status: "verification_required", VerificationID: c.CodeID}
	}
	return Connected{Status: "connected", AccountID: c.Agent.ID, APIKey: c.Secret, KeyPrefix: c.Key.Prefix, Created: c.Created}
}

// Code is a code and what it belongs to.
type Code struct {
	VerificationID string `json:"verification_id"`
	Code           string `json:"code"`
}

func (s *Server) confirmCode(ctx context.Context, in *with[Code]) (*answer[Connected], error) {
	return s.confirm(ctx, in.Body.VerificationID, in.Body.Code)
}

func (s *Server) confirm(ctx context.Context, id, code string) (*answer[Connected], error) {
	if err := s.take(ctx, "board|guess|"+addressFrom(ctx), s.o.Limits.Guess); err != nil {
		return nil, err
	}
	c, err := s.o.Board.ConfirmAgent(ctx, caller(ctx).actor(), id, strings.TrimSpace(code))
	if err != nil {
		return nil, err
	}
	return reply(connected(c)), nil
}

// Sent says that a code is under way.
type Sent struct {
	Status         string `json:"status" enum:"verification_sent"`
	VerificationID string `json:"verification_id"`
}

func (s *Server) requestCode(ctx context.Context, _ *with[Bare]) (*answer[Sent], error) {
	if err := s.take(ctx, "board|code|"+caller(ctx).AgentID, s.o.Limits.Mail); err != nil {
		return nil, err
	}
	id, err := s.o.Board.StartAgentCode(ctx, caller(ctx).AgentID)
	if err != nil {
		return nil, err
	}
	return reply(Sent{"verification_sent", id}), nil
}

// Account is an agent account as its owner reads it.
type Account struct {
	ID              string           `json:"id"`
	Name            string           `json:"name"`
	Email           string           `json:"paypal_email"`
	EmailVerified   bool             `json:"email_verified"`
	EmailVerifiedAt *time.Time       `json:"email_verified_at"`
	Status          string           `json:"status" enum:"active,disabled"`
	DailyCaps       map[string]int64 `json:"daily_caps,omitempty"`
	CreatedAt       time.Time        `json:"created_at"`
	Posted          int64            `json:"posted"`
	Completed       int64            `json:"completed"`
	Rejected        int64            `json:"rejected"`
	Cancelled       int64            `json:"cancelled"`
	Rating          *float64         `json:"rating"`
}

// AccountAnswer has the account under its name.
type AccountAnswer struct {
	Account Account `json:"account"`
}

// accountQuery lets the older clients say which account they mean; another one than
// that of the key is not there.
type accountQuery struct {
	ID string `query:"account_id"`
}

func (s *Server) account(ctx context.Context, in *accountQuery) (*answer[AccountAnswer], error) {
	who := caller(ctx)
	if in.ID != "" && in.ID != who.AgentID {
		return nil, task.Refuse(task.InvalidCredentials)
	}
	a, err := s.o.Board.Agent(ctx, who.AgentID)
	if err != nil {
		return nil, err
	}
	n, err := s.o.Board.AgentStats(ctx, who.AgentID)
	if err != nil {
		return nil, err
	}
	v := accountView(a)
	v.Posted, v.Completed, v.Rejected, v.Cancelled, v.Rating = n.Posted, n.Completed, n.Rejected, n.Cancelled, rating(n.Rating, n.Ratings)
	return reply(AccountAnswer{v}), nil
}

func accountView(a data.AgentAccount) Account {
	v := Account{
		ID: a.ID, Name: a.Name, Email: a.Email, EmailVerified: !a.EmailVerified.IsZero(), EmailVerifiedAt: when(a.EmailVerified), Status: "active",
		DailyCaps: capsView(a.Caps), CreatedAt: a.CreatedAt,
	}
	if a.Disabled {
		v.Status = "disabled"
	}
	return v
}
