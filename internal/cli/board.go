package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/net/netutil"

	"github.com/legwork-mcp/legwork/internal/board"
	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/crowd"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/store"
)

type boardCmd struct {
	Serve boardServeCmd `cmd:"" default:"withargs" help:"Serve the board; this is what 'legwork board' alone does."`

	Backup boardBackupCmd `cmd:"" help:"Copy the database of a board that may be running."`

	Restore boardRestoreCmd `cmd:"" help:"Fill an empty Postgres database from a backup of another one."`
}

type boardServeCmd struct {
	Addr string `placeholder:"HOST:PORT" help:"Address to listen on. Default: the board_addr of the settings (127.0.0.1:8090)."`
	DB   string `name:"db" placeholder:"URL" help:"Database: sqlite:PATH or postgres://... Default: the board_database_url of the settings, or a file in board_dir."`
}

// Run serves the board, and does its jobs, until it is told to stop.
func (c boardServeCmd) Run(ctx context.Context, a *app) error {
	a.override("board_addr", c.Addr)
	cfg, o, err := a.board(c.DB)
	if err != nil {
		return err
	}
	ln, err := listenBoard(ctx, cfg.BoardAddr)
	if err != nil {
		return err
	}
	if o.BaseURL == "" {
		o.BaseURL = "http://" + ln.Addr().String()
	}
	b, err := board.Open(ctx, o)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	fmt.Fprintf(a.std.Out, "The board: %s/\nFor agents: %s/api/openapi.json\n", o.BaseURL, o.BaseURL)
	return errors.Join(serveBoard(ctx, ln, b, cfg.Grace), b.Close())
}

type workerCmd struct {
	DB string `name:"db" placeholder:"URL" help:"Database of the board. Default: the board_database_url of the settings, or a file in board_dir."`
}

// Run does the jobs of a board, beside processes that serve it, until it is told to
// stop.
func (c workerCmd) Run(ctx context.Context, a *app) error {
	cfg, o, err := a.board(c.DB)
	if err != nil {
		return err
	}
	if o.BaseURL == "" {
		o.BaseURL = "http://" + cfg.BoardAddr // where mails say that the board is
	}
	b, err := board.Open(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.std.Out, "Doing the jobs of the board until it is stopped.")
	return errors.Join(b.Run(ctx), b.Close())
}

// board puts together what a command of the board needs; db is its flag of that name,
// which is stronger than the settings.
func (a *app) board(db string) (*config.Config, board.Options, error) {
	cfg, err := a.boardSettings(db)
	if err != nil {
		return nil, board.Options{}, err
	}
	log, err := observe.New(a.std.Err, observe.Options{Level: cfg.LogLevel, Format: cmp.Or(cfg.LogFormat, "json")})
	if err != nil {
		return nil, board.Options{}, err
	}
	o, err := boardOptions(cfg, log)
	return cfg, o, err
}

// boardSettings are the settings with the flag for the database.
func (a *app) boardSettings(db string) (*config.Config, error) {
	a.override("board_database_url", db)
	return a.settings()
}

// boardDatabase is where a board keeps everything.
func boardDatabase(cfg *config.Config) store.URL {
	return store.URL(cmp.Or(cfg.BoardDatabaseURL, "sqlite:"+filepath.Join(cfg.BoardDir, "board.db")))
}

// boardOptions puts the settings together, and refuses those that would show people's
// data or mails to strangers.
func boardOptions(cfg *config.Config, log *slog.Logger) (board.Options, error) {
	if err := boardReach(cfg); err != nil {
		return board.Options{}, err
	}
	proxies, err := prefixes(config.List(cfg.BoardProxies))
	if err != nil {
		return board.Options{}, err
	}
	secrets, err := board.LoadSecrets(cfg.BoardDir, board.Secrets{Pepper: cfg.BoardPepper, SigningKey: cfg.BoardSigningKey})
	if err != nil {
		return board.Options{}, err
	}
	return board.Options{
		Database: boardDatabase(cfg),
		Dir:      cfg.BoardDir, Secrets: secrets, BaseURL: strings.TrimSuffix(cfg.BoardURL, "/"), Proxies: proxies,
		Operators: config.List(cfg.BoardOperators), FeeBPS: int64(cfg.BoardFeeBPS),
		MinUSD: int64(cfg.BoardMinUSD), MinJPY: int64(cfg.BoardMinJPY), USDJPY: cfg.BoardUSDJPY,
		CapUSD: int64(cfg.BoardCapUSD), CapJPY: int64(cfg.BoardCapJPY), CallsPerMinute: cfg.BoardCalls, DevMail: cfg.BoardDevMail, SMTP: cfg.BoardSMTP, MailFrom: cfg.BoardMailFrom,
		LINEToken: cfg.BoardLINEToken,
		SignIn: board.SignIn{
			Google: board.Client{ID: cfg.BoardGoogleID, Secret: cfg.BoardGoogleSecret}, LINE: board.Client{ID: cfg.BoardLINEID, Secret: cfg.BoardLINESecret},
			Issuer: cfg.BoardOIDCIssuer, IssuerName: cfg.BoardOIDCName, Other: board.Client{ID: cfg.BoardOIDCID, Secret: cfg.BoardOIDCSecret},
		},
		Version: Version(), Logger: log,
	}, nil
}

// boardReach keeps a board that is reached over plain HTTP on this machine: keys,
// sessions and people's data would travel readably.
func boardReach(cfg *config.Config) error {
	host, _, err := net.SplitHostPort(cfg.BoardAddr)
	if err != nil {
		return fault.New(fault.Invalid, "invalid_address", fmt.Sprintf("The address %q is not HOST:PORT.", cfg.BoardAddr), "Use an address such as 127.0.0.1:8090.")
	}
	u, err := url.Parse(cfg.BoardURL)
	if cfg.BoardURL != "" && (err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || strings.Trim(u.Path, "/") != "") {
		return fault.New(fault.Invalid, "invalid_setting", "board_url is not the address of a site.", "Write it like https://board.example.org.")
	}
	local := loopbackHost(host) && (cfg.BoardURL == "" || loopbackHost(u.Hostname()))
	switch {
	case cfg.BoardDevMail && !local:
		return fault.New(fault.Denied, "dev_mail_beyond_loopback", "The mailbox page shows everybody's sign-in codes; beyond this machine that lets anybody sign in as anybody.",
			"Turn board_dev_mail off and set LEGWORK_BOARD_SMTP_URL.")
	case !loopbackHost(host) && cfg.BoardURL == "", cfg.BoardURL != "" && u.Scheme == "http" && !local:
		return fault.New(fault.Denied, "tls_required", fmt.Sprintf("Listening on %q would let keys and people's data travel readably.", cfg.BoardAddr),
			"Put a proxy with TLS in front and set LEGWORK_BOARD_URL to its https address, or use 127.0.0.1.")
	}
	return nil
}

func loopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && a.Unmap().IsLoopback()
}

// prefixes reads addresses and CIDR prefixes.
func prefixes(texts []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range texts {
		if a, err := netip.ParseAddr(text); err == nil {
			out = append(out, netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fault.New(fault.Invalid, "invalid_setting", fmt.Sprintf("board_proxies has %q, which is no address and no prefix.", text), "Write addresses such as 10.0.0.7 or prefixes such as 10.0.0.0/24.")
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

const (
	// boardConnections is the most connections that a board holds at once.
	boardConnections = 2048
	// boardPatience is how long a client may take for a body that no route waits longer
	// for, and for each part of an answer.
	boardPatience = 30 * time.Second
)

func listenBoard(ctx context.Context, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "address_unavailable", "The address "+addr+" cannot be opened.",
			"Stop what uses it, or choose another one with --addr.").WithCause(err)
	}
	return netutil.LimitListener(ln, boardConnections), nil
}

// serveBoard answers and does jobs until ctx ends, then lets requests end within the
// grace.
func serveBoard(ctx context.Context, ln net.Listener, b *board.Board, grace time.Duration) error {
	guests := crowd.New(boardConnections)
	srv := &http.Server{
		Handler: guests.Handler(b.Handler(), boardPatience), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ReadTimeout: boardPatience, WriteTimeout: boardPatience, ConnState: guests.Changed, ConnContext: crowd.WithConn,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
	}
	work, stop := context.WithCancel(ctx)
	defer stop()
	served, worked := make(chan error, 1), make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	go func() { worked <- b.Run(work) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
		served <- http.ErrServerClosed
	case err = <-worked:
		worked <- nil
	}
	b.Drain()
	closing, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err = errors.Join(err, srv.Shutdown(closing), srv.Close())
	stop()
	if e := <-served; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return errors.Join(err, <-worked)
}
