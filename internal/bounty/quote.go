package bounty

import (
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
)

// Quote is what a task costs and what its worker gets, in minor units.
type Quote struct {
	Takehome int64  `json:"worker_takehome_minor"`
	Fee      int64  `json:"fee_minor"`
	Total    int64  `json:"total_minor"`
	Currency string `json:"currency"`
}

// text is the quote as people read it.
func (q *Quote) text() string {
	if q == nil {
		return ""
	}
	as := func(n int64) budget { return budget{n, q.Currency} }
	return fmt.Sprintf(" It costs %v: the worker gets %v, the fee is %v.", as(q.Total), as(q.Takehome), as(q.Fee))
}

func quoteOf(q *rest.Quote) *Quote {
	if q == nil {
		return nil
	}
	return &Quote{q.Takehome, q.Fee, q.Total, clean(q.Currency, 3)}
}

// estimate is what a task would come to.
type estimate struct {
	quote    *Quote
	subState string
	warnings []string
	note     string
}

// quote asks what a task would cost and whether it would be taken. A board without
// quotes is not asked to post one: it could not tell the two apart.
func (k *call) quote(t rest.NewTask) (estimate, error) {
	p, err := k.client.Quote(k.ctx, k.who, t)
	var e *rest.Error
	if errors.As(err, &e) && (e.Status == 404 || e.Status == 405) {
		return estimate{note: "This board gives no quotes: only what can be checked here was checked."}, nil
	}
	if err != nil {
		return estimate{}, explain(err, "")
	}
	return estimate{quote: quoteOf(p.Quote), subState: clean(p.SubState, 40), warnings: words(p.Warnings)}, nil
}
