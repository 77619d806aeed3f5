package board

import (
	"log/slog"
	"net/mail"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/reach"
	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/api"
	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/push"
	"github.com/legwork-mcp/legwork/internal/board/signin"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Options are what a board is made of.
type Options struct {
	Database store.URL
	Dir      string // folder of uploaded files
	Secrets  Secrets
	// BaseURL is the address under which people and agents reach the board, without a
	// slash at the end.
	BaseURL string
	// Proxies are those whose X-Forwarded-For is believed.
	Proxies []netip.Prefix
	// Operators are the mail addresses of who runs the board.
	Operators []string
	// FeeBPS is the fee in basis points of a budget; 0 is none.
	FeeBPS int64
	// MinUSD and MinJPY are the least budgets, in cents and yen; zero is USD 5 and 750.
	MinUSD, MinJPY int64
	// CapUSD and CapJPY are what an agent without a cap of its own may promise in a day, in
	// cents and yen; zero is USD 500 and 75,000.
	CapUSD, CapJPY int64
	// USDJPY is the yen of a dollar, for display; zero is 150.
	USDJPY int
	// DevMail keeps mails in the database and shows them to everybody at /dev/mail.
	DevMail bool
	// SMTP is how mails are sent, as smtp://USER:PASSWORD@HOST:PORT or smtps://; MailFrom
	// is their sender.
	SMTP, MailFrom string
	// AllowPrivateWebhooks lets webhooks lead to this machine and its networks.
	AllowPrivateWebhooks bool
	// CallsPerMinute are those of one account or person; zero is 600. Who shows no
	// credentials has a fifth of it.
	CallsPerMinute int
	// LINEToken is the channel access token of the board's LINE account; empty for no
	// messages by LINE. Its channel and that of the sign-in belong to one provider.
	LINEToken string
	// SignIn are the accounts elsewhere that people may sign in with.
	SignIn  SignIn
	Version string
	Logger  *slog.Logger
	// Clock is what time it is; nil is the machine's.
	Clock func() time.Time
}

// terms are the rules of the board; data fills in what is zero.
func (o Options) terms() data.Terms {
	t := data.Terms{Floors: task.DefaultFloors(), FeeBPS: o.FeeBPS}
	if o.FeeBPS == 0 {
		t.FeeBPS = -1 // none, where zero means the default
	}
	if o.CapUSD > 0 && o.CapJPY > 0 {
		t.DailyCap = map[money.Currency]int64{money.USD: o.CapUSD, money.JPY: o.CapJPY}
	}
	if o.MinUSD > 0 {
		t.Floors[money.USD] = o.MinUSD
	}
	if o.MinJPY > 0 {
		t.Floors[money.JPY] = o.MinJPY
	}
	return t
}

// limits are those of callers.
func (o Options) limits(source ratelimit.Source) api.Limits {
	l := api.DefaultLimits(source)
	if n := o.CallsPerMinute; n > 0 {
		l.Key = ratelimit.Limit{Calls: n, Per: time.Minute}
		l.Address = ratelimit.Limit{Calls: max(n/5, 1), Per: time.Minute, Burst: max(n/5, 1) * 2}
	}
	return l
}

// sender is how mails leave. Without any way they are refused one by one, so that the
// log says it; nobody can sign in then, and agents connect as before.
func (o Options) sender(db *store.DB, p *push.Push) (notify.Sender, error) {
	mails, err := o.mailSender(db)
	if err != nil {
		return nil, err
	}
	ways := notify.Ways{Mail: mails, Push: notify.Devices{Push: p}}
	if o.LINEToken != "" {
		client := reach.NewClient(&reach.Dialer{}, nil, issuerTime)
		ways.LINE = &notify.LINE{Token: o.LINEToken, Endpoint: notify.LINEEndpoint, Profiles: notify.LINEProfiles, Client: client}
	}
	return ways, nil
}

// pushes tell the devices of people. Their key comes from that of the board, so that every
// machine of a board has the same one and no table has it.
func (o Options) pushes(db *store.DB) (*push.Push, error) {
	key, err := push.NewKey([]byte(o.Secrets.SigningKey))
	if err != nil {
		return nil, err
	}
	contact := ""
	if strings.HasPrefix(o.BaseURL, "https://") {
		contact = o.BaseURL
	}
	return push.New(db, push.Options{Key: key, Contact: contact, NewID: func() string { return data.NewID(o.Clock()) }}), nil
}

// lineIssuer names the users that messages reach, or nobody.
func (o Options) lineIssuer() string {
	if o.LINEToken == "" {
		return ""
	}
	return signin.LINE("", "").Issuer
}

func (o Options) mailSender(db *store.DB) (notify.Sender, error) {
	switch {
	case o.DevMail:
		return notify.NewMailbox(db), nil
	case o.SMTP == "":
		return noMail{}, nil
	}
	u, err := url.Parse(o.SMTP)
	from, wrong := mail.ParseAddress(o.MailFrom)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") {
		return nil, fault.New(fault.Invalid, "invalid_setting", "board_smtp_url is not the address of a mail server.", "Write it like smtps://USER:PASSWORD@mail.example.org:465.")
	}
	if wrong != nil {
		return nil, fault.New(fault.Invalid, "invalid_setting", "board_mail_from is not a mail address.", "Write it like Board <board@example.org>.")
	}
	addr := u.Host
	if u.Port() == "" {
		addr = u.Hostname() + map[string]string{"smtp": ":587", "smtps": ":465"}[u.Scheme]
	}
	password, _ := u.User.Password()
	return &notify.SMTP{Addr: addr, From: *from, User: u.User.Username(), Password: password}, nil
}
