package cli

import (
	"net/http"
	"sync"

	"github.com/legwork-mcp/legwork/internal/bounty"
	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/observe"
)

// bounties is the server that asks people. What is wrong with the address of the board is
// told by its tools, so that the other servers work without a board.
func (k *kit) bounties() *bounty.Server {
	return bounty.New(bounty.Options{
		Board:       sync.OnceValues(k.board),
		Default:     rest.Credentials{AccountID: k.cfg.BountyAccount, APIKey: observe.Secret(k.cfg.BountyKey)},
		ProfilesDir: k.cfg.BountyProfiles,
		Settings:    bounty.Settings{FloorUSD: int64(k.cfg.BountyFloorUSD), FloorJPY: int64(k.cfg.BountyFloorJPY)},
		Logger:      k.log,
	})
}

// board is the way to the board of the settings and to nowhere else. The person who runs
// this program chose its address, so that it may be a private one.
func (k *kit) board() (*rest.Client, error) {
	p := browser.Policy{AllowPrivate: k.cfg.AllowPrivate}
	if o := origin(k.cfg.BountyURL); o != "" {
		p.AllowOrigins, p.OnlyOrigins = []string{o}, []string{o}
	}
	transport, err := p.Transport()
	if err != nil {
		return nil, err
	}
	transport.ResponseHeaderTimeout = 0 // each request has a limit of its own
	return rest.New(rest.Options{
		BaseURL: k.cfg.BountyURL, HTTP: &http.Client{Transport: transport}, AllowPlain: k.cfg.AllowPrivate, UserAgent: "legwork/" + Version(),
	})
}
