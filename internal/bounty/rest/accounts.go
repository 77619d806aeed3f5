package rest

import (
	"context"
	"net/http"
	"net/url"
)

// Connection is the answer to a request for an account.
type Connection struct {
	Status         string `json:"status"`
	AccountID      string `json:"account_id"`
	APIKey         string `json:"api_key"`
	KeyPrefix      string `json:"key_prefix"`
	Created        *bool  `json:"created"`
	VerificationID string `json:"verification_id"`
	SentTo         string `json:"sent_to"`
	ExpiresAt      string `json:"expires_at"`
}

// NewAccount asks for an account. A mail address that the board knows needs a proof:
// the code that the board sent there.
type NewAccount struct {
	Name           string `json:"name"`
	PayPalEmail    string `json:"paypal_email"`
	VerificationID string `json:"verification_id,omitempty"`
	Code           string `json:"code,omitempty"`
}

// Connect makes an account, or gives a new key of one that was proved. It is made
// once: a board cannot tell a second request from somebody else's.
func (c *Client) Connect(ctx context.Context, a NewAccount, proof Credentials) (Connection, error) {
	var out Connection
	err := c.do(ctx, call{method: http.MethodPost, pattern: "/api/ai/accounts", body: a, who: proof, secret: true}, &out)
	return out, err
}

// Account is an agent's account.
type Account struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"paypal_email"`
}

// Account reads the account that the credentials are of, which proves them.
func (c *Client) Account(ctx context.Context, who Credentials) (Account, error) {
	var out struct {
		Account Account `json:"account"`
	}
	err := c.do(ctx, call{method: http.MethodGet, pattern: "/api/ai/accounts", query: url.Values{"account_id": {who.AccountID}}, who: who}, &out)
	return out.Account, err
}
