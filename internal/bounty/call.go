package bounty

import (
	"context"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// AccountIn says whose account a call uses.
type AccountIn struct {
	AccountID string `json:"ai_account_id,omitempty" jsonschema:"with ai_api_key, instead of the stored or default account"`
	APIKey    string `json:"ai_api_key,omitempty"`
	Profile   string `json:"profile,omitempty" jsonschema:"a stored account"`
}

// KeyIn is the idempotency key of a write.
type KeyIn struct {
	Key string `json:"idempotency_key,omitempty" jsonschema:"repeat it to repeat a call safely; default: a new one, returned"`
}

// defaultProfile is the name of the account of those who name none.
const defaultProfile = "default"

// call is one call of a tool.
type call struct {
	s      *Server
	ctx    context.Context
	client *rest.Client
	who    rest.Credentials
	key    string // idempotency key, of a write
}

// read begins a call that changes nothing. Without any account it is one of the public.
func (s *Server) read(ctx context.Context, a AccountIn) (*call, error) {
	client, err := s.o.Board()
	if err != nil {
		return nil, err
	}
	who, err := s.credentials(ctx, client, a)
	if err != nil {
		return nil, err
	}
	return &call{s: s, ctx: ctx, client: client, who: who}, nil
}

// mine is read for what only the owner of an account can see.
func (s *Server) mine(ctx context.Context, a AccountIn) (*call, error) {
	k, err := s.read(ctx, a)
	if err == nil && k.who.None() {
		return nil, refuse("missing_credentials", "")
	}
	return k, err
}

// writing is what a write needs beside its account: who asked for what.
type writing struct {
	name string // of the tool
	key  string // as given
	args any
}

// write begins a call that changes something.
func (s *Server) write(ctx context.Context, a AccountIn, w writing) (*call, error) {
	if err := checkKey(w.key); err != nil {
		return nil, err
	}
	k, err := s.mine(ctx, a)
	if err != nil {
		return nil, err
	}
	if k.key = w.key; k.key == "" {
		if k.key, err = s.keys.of(ctx, w.name, w.args); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// command is a command on a task with the key of the call.
func (k *call) command(taskID string) rest.Command { return rest.Command{TaskID: taskID, Key: k.key} }

// credentials are those that the call names, both halves of one account; else those of
// the profile that it names; else the default of the settings; else the profile that
// the caller connected last without a name.
func (s *Server) credentials(ctx context.Context, client *rest.Client, a AccountIn) (rest.Credentials, error) {
	own, err := given(a)
	if err != nil || !own.None() {
		return own, err
	}
	if a.Profile == "" && !s.o.Default.None() {
		if s.o.Default.AccountID == "" || s.o.Default.APIKey == "" {
			return rest.Credentials{}, fault.New(fault.Invalid, "invalid_setting", "Of the default account only one half is set.",
				"Set both DEFAULT_AI_ACCOUNT_ID and DEFAULT_AI_API_KEY, or neither.")
		}
		return s.o.Default, nil
	}
	p, err := s.profiles.load(place{tool.Caller(ctx).ID(), client.Base(), firstOf(a.Profile, defaultProfile)})
	switch {
	case err != nil:
		return rest.Credentials{}, err
	case p == nil && a.Profile != "":
		return rest.Credentials{}, refuse("missing_credentials", "There is no stored account of this name for this board.",
			rest.FieldError{Field: "profile", Code: "not_found"})
	case p == nil:
		return rest.Credentials{}, nil
	}
	return rest.Credentials{AccountID: p.AccountID, APIKey: observe.Secret(p.APIKey)}, nil
}

// given are the credentials in the arguments. One half alone is refused: with another
// account's half it would be neither's.
func given(a AccountIn) (rest.Credentials, error) {
	id, key := strings.TrimSpace(a.AccountID), strings.TrimSpace(a.APIKey)
	missing := ""
	switch {
	case id == "" && key != "":
		missing = "ai_account_id"
	case id != "" && key == "":
		missing = "ai_api_key"
	case strings.ContainsFunc(id+key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return rest.Credentials{}, refuse("invalid_request", "ai_account_id or ai_api_key has characters that none has.",
			rest.FieldError{Field: "ai_api_key", Code: "invalid_value"})
	}
	if missing != "" {
		return rest.Credentials{}, refuse("invalid_request", "ai_account_id and ai_api_key belong together: give both, or neither.",
			rest.FieldError{Field: missing, Code: "required"})
	}
	if id != "" && a.Profile != "" {
		return rest.Credentials{}, refuse("invalid_request", "Name a profile, or give ai_account_id and ai_api_key, not both.",
			rest.FieldError{Field: "profile", Code: "conflict"})
	}
	return rest.Credentials{AccountID: id, APIKey: observe.Secret(key)}, nil
}
