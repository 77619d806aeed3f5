package browser_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

func TestTransportKeepsToThePolicy(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://rebound.example/", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, strings.Repeat("x", 4000))
	}))
	defer site.Close()
	local := strings.TrimPrefix(site.URL, "http://")
	rebound := func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr("169.254.169.254")}, nil
	}
	tests := []struct {
		name, address, refused string
		policy                 browser.Policy
	}{
		{"this machine", site.URL, "it names this machine", browser.Policy{}},
		{"one origin of it", site.URL, "", browser.Policy{AllowOrigins: []string{site.URL}}},
		{"a redirect from it", site.URL + "/away", "where cloud machines keep their secrets", browser.Policy{AllowOrigins: []string{site.URL}, Lookup: rebound}},
		{"a name with a private address", "http://rebound.example/", "where cloud machines keep their secrets", browser.Policy{Lookup: rebound}},
		{"a host of its own", "http://bench.example:8765/", "", browser.Policy{Hosts: map[string]string{"bench.example:8765": local}}},
		{"another origin only", site.URL, "not one of the origins", browser.Policy{AllowPrivate: true, OnlyOrigins: []string{"http://a.example"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			transport, err := tt.policy.Transport()
			if err != nil {
				t.Fatal(err)
			}
			defer transport.CloseIdleConnections()
			res, err := (&http.Client{Transport: transport}).Get(tt.address)
			if err == nil {
				defer res.Body.Close()
			}
			var f *fault.Error
			switch {
			case tt.refused == "" && err != nil:
				t.Error(err)
			case tt.refused != "" && (!errors.As(err, &f) || !strings.Contains(f.Message, tt.refused)):
				t.Errorf("it says %v, and should refuse because %q", err, tt.refused)
			}
		})
	}
}

func TestTransportEndsAtTheLimit(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 1<<20))
	}))
	defer site.Close()
	transport, err := browser.Policy{AllowPrivate: true, MaxBytes: 10_000}.Transport()
	if err != nil {
		t.Fatal(err)
	}
	defer transport.CloseIdleConnections()
	res, err := (&http.Client{Transport: transport}).Get(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if n, err := io.Copy(io.Discard, res.Body); err == nil || n > 100_000 {
		t.Errorf("%d bytes came through a limit of 10000, and the error is %v", n, err)
	}
}
