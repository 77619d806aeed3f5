package cli

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/practice"
)

// practiceHosts are the names under which wizards know the practice site: the
// main one and one on another site, for frames.
var practiceHosts = []string{"practice.localhost", "partner.localhost"}

// practiceSite is the practice server of this process, on loopback.
type practiceSite struct {
	*practice.Site
	addr string
	srv  *http.Server
	done chan error
}

// startPractice serves the practice site on addr.
func startPractice(ctx context.Context, addr string) (*practiceSite, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "", "The practice site cannot be served on "+addr+": the address cannot be opened.",
			"Stop what uses it, or choose another one with --addr.").WithCause(err)
	}
	p := &practiceSite{Site: practice.New(), addr: ln.Addr().String(), done: make(chan error, 1)}
	p.srv = &http.Server{Handler: p.Site, ReadHeaderTimeout: 10 * time.Second}
	go func() { p.done <- p.srv.Serve(ln) }()
	return p, nil
}

// URL is where a person's browser finds it.
func (p *practiceSite) URL() string { return "http://" + p.addr + "/" }

// close ends the server and waits for it.
func (p *practiceSite) close() error {
	err := p.srv.Close()
	if serve := <-p.done; !errors.Is(serve, http.ErrServerClosed) {
		err = errors.Join(err, serve)
	}
	return err
}

// hosts sends the practice names to addr, whatever their port.
func hosts(addr string) map[string]string {
	out := map[string]string{}
	for _, h := range practiceHosts {
		out[h+":80"] = addr
	}
	return out
}
