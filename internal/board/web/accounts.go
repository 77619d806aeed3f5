package web

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
)

// accountsBody is the agent accounts of the board.
type accountsBody struct {
	Accounts []accountRow
	Next     string
}

// accountRow is one of them, with the form of its caps.
type accountRow struct {
	ID, Name, Email string
	Disabled        bool
	Caps            *form
}

func (v *visit) accounts() error { return v.showAccounts(nil) }

func (v *visit) showAccounts(f *form) error {
	list, next, err := v.site.board.ListAgents(v.ctx(), data.Page{Limit: perPage, Cursor: v.r.URL.Query().Get("cursor")})
	if err != nil {
		return err
	}
	var body accountsBody
	for _, a := range list {
		row := accountRow{ID: a.ID, Name: a.Name, Email: a.Email, Disabled: a.Disabled, Caps: filled("caps"+a.ID, typedCaps(a.Caps))}
		if f != nil && f.Name == row.Caps.Name {
			row.Caps = f
		}
		body.Accounts = append(body.Accounts, row)
	}
	if next != "" {
		body.Next = "/ops/accounts?cursor=" + url.QueryEscape(next)
	}
	return v.show("accounts", v.say("ops.accounts"), body, f)
}

// typedCaps are caps as the form shows them: yen, and dollars.
func typedCaps(caps data.Caps) url.Values {
	values := url.Values{}
	if n, ok := caps[money.JPY]; ok {
		values.Set("jpy", strconv.FormatInt(n, 10))
	}
	if n, ok := caps[money.USD]; ok {
		values.Set("usd", strconv.FormatFloat(float64(n)/100, 'f', 2, 64))
	}
	return values
}

// setCaps sets what an account may promise in a day; a field that is empty means the
// cap of the board.
func (v *visit) setCaps() error {
	id := v.r.PathValue("id")
	f, err := v.form("caps" + id)
	if err != nil {
		return err
	}
	caps := f.caps()
	if !f.ok() {
		return v.showAccounts(f)
	}
	if err := v.site.board.SetAgentCaps(v.ctx(), id, caps); err != nil {
		return v.refused(err, f, v.showAccounts)
	}
	return v.done("/ops/accounts", "saved")
}

// caps reads what may be promised in a day; a field that is empty is no cap.
func (f *form) caps() data.Caps {
	caps := data.Caps{}
	for field, currency := range map[string]money.Currency{"jpy": money.JPY, "usd": money.USD} {
		text := strings.TrimSpace(f.Get(field))
		if text == "" {
			continue
		}
		n, ok := amount(text, currency)
		if !ok {
			f.wrong(field, "error.number")
		}
		caps[currency] = n
	}
	return caps
}
