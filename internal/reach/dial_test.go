package reach_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/reach"
)

// answers is a resolver that gives the next list at each question.
func answers(lists ...[]string) reach.Resolver {
	var asked atomic.Int64
	return func(context.Context, string) ([]netip.Addr, error) {
		var out []netip.Addr
		for _, a := range lists[(asked.Add(1)-1)%int64(len(lists))] {
			out = append(out, netip.MustParseAddr(a))
		}
		return out, nil
	}
}

// counting is a server that counts who reaches it.
func counting(t *testing.T, h http.HandlerFunc) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	var hits atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		if h != nil {
			h(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s, &hits
}

func port(t *testing.T, s *httptest.Server) string {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Port()
}

// No way of writing an address of this machine or its networks reaches it.
func TestPrivateTargetsAreRefused(t *testing.T) {
	s, hits := counting(t, nil)
	p := ":" + port(t, s)
	for name, c := range map[string]struct {
		host    string
		resolve reach.Resolver
	}{
		"loopback":               {host: "127.0.0.1"},
		"another loopback":       {host: "127.1.2.3"},
		"unspecified":            {host: "0.0.0.0"},
		"loopback of IPv6":       {host: "[::1]"},
		"mapped":                 {host: "[::ffff:127.0.0.1]"},
		"NAT64":                  {host: "[64:ff9b::7f00:1]"},
		"6to4":                   {host: "[2002:7f00:1::]"},
		"carrier":                {host: "100.64.0.1"},
		"metadata":               {host: "169.254.169.254"},
		"private":                {host: "10.0.0.1"},
		"unique local":           {host: "[fd00::1]"},
		"localhost":              {host: "localhost"},
		"localhost, another":     {host: "a.localhost"},
		"localhost, absolute":    {host: "LocalHost."},
		"a name":                 {host: "hooks.example.com", resolve: answers([]string{"127.0.0.1"})},
		"a name, mapped":         {host: "hooks.example.com", resolve: answers([]string{"::ffff:127.0.0.1"})},
		"one of two":             {host: "hooks.example.com", resolve: answers([]string{"93.184.216.34", "127.0.0.1"})},
		"a name for localhost":   {host: "localhost.", resolve: answers([]string{"93.184.216.34"})},
		"a name without address": {host: "hooks.example.com", resolve: answers(nil)},
	} {
		client := reach.NewClient(&reach.Dialer{Resolve: c.resolve}, nil, 20*time.Second)
		_, err := client.Get("http://" + c.host + p + "/")
		var refused *reach.Refusal
		var dns *net.DNSError
		if !errors.As(err, &refused) && !errors.As(err, &dns) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests came through", hits.Load())
	}
}

// A name that changes between two questions is asked once: what was checked is what
// is dialled.
func TestTheAddressThatWasCheckedIsDialled(t *testing.T) {
	s, hits := counting(t, nil)
	allowed := netip.MustParseAddrPort(s.Listener.Addr().String())
	var asked atomic.Int64
	d := &reach.Dialer{
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			if asked.Add(1) == 1 {
				return []netip.Addr{allowed.Addr()}, nil
			}
			return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
		},
		Allow: func(a netip.AddrPort) bool { return a == allowed },
	}
	client := reach.NewClient(d, nil, 20*time.Second)
	res, err := client.Get("http://hooks.example.com:" + port(t, s) + "/")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if asked.Load() != 1 || hits.Load() != 1 {
		t.Errorf("asked %d times, %d requests", asked.Load(), hits.Load())
	}
	if _, err = client.Get("http://hooks.example.com:" + port(t, s) + "/"); err == nil {
		t.Error("the second request goes to the new address")
	}
}

func TestRedirectsAreReturned(t *testing.T) {
	inside, hits := counting(t, nil)
	s, _ := counting(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, inside.URL, http.StatusTemporaryRedirect)
	})
	client := reach.NewClient(&reach.Dialer{Allow: func(netip.AddrPort) bool { return true }}, nil, 20*time.Second)
	res, err := client.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusTemporaryRedirect || hits.Load() != 0 {
		t.Errorf("status %d, %d requests behind it", res.StatusCode, hits.Load())
	}
}

// A proxy of the environment would dial whatever it is told to.
func TestNoProxyOfTheEnvironment(t *testing.T) {
	transport, ok := reach.NewClient(&reach.Dialer{}, nil, time.Second).Transport.(*http.Transport)
	if !ok || transport.Proxy != nil || transport.DialContext == nil {
		t.Errorf("%+v", transport)
	}
}
