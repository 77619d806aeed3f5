//go:build linux

package browser_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// reachPage tries every way to reach another server that a page has. It counts
// the ways that have come to an end, and takes its leave by a meta refresh.
const reachPage = `<title>0</title><body><script>
const base = %q, encrypted = base.replace("http:", "https:"), udp = %q;
const ended = new Set();
const done = way => { ended.add(way); document.title = ended.size };
const img = new Image(); img.onload = img.onerror = () => done("img"); img.src = base + "/img";
const safe = new Image(); safe.onload = safe.onerror = () => done("https"); safe.src = encrypted + "/https";
fetch(base + "/fetch", {mode: "no-cors"}).finally(() => done("fetch"));
fetch("/redirect", {mode: "no-cors"}).finally(() => done("redirect"));
new Worker(URL.createObjectURL(new Blob(["fetch('" + base + "/worker', {mode: 'no-cors'}).then(() => postMessage(1), () => postMessage(1))"])))
	.onmessage = () => done("worker");
navigator.sendBeacon(base + "/beacon");
for (const u of [base.replace("http", "ws") + "/ws", encrypted.replace("http", "ws") + "/wss"]) {
	const ws = new WebSocket(u); ws.onopen = ws.onerror = () => done(u) }
const frame = document.createElement("iframe"); frame.onload = () => done("iframe"); frame.src = base + "/iframe"; document.body.append(frame);
const hop = document.createElement("iframe"); hop.onload = () => done("hop"); hop.src = "/redirect-frame"; document.body.append(hop);
const hint = document.createElement("link"); hint.rel = "preconnect"; hint.href = base; document.head.append(hint);
const rtc = new RTCPeerConnection({iceServers: [{urls: "stun:" + udp}]});
rtc.onicegatheringstatechange = () => rtc.iceGatheringState == "complete" && done("rtc");
rtc.createDataChannel("x"); rtc.createOffer().then(o => rtc.setLocalDescription(o));
</script>`

const reachWays = 10

type privateServer struct {
	url  string
	udp  string
	hits chan string
}

// newPrivateServer notes whatever arrives, above and below HTTP.
func newPrivateServer(t *testing.T) *privateServer {
	t.Helper()
	p := &privateServer{hits: make(chan string, 100)}
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { p.hits <- r.URL.Path }))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			p.hits <- "connection"
		}
	}
	srv.Start()
	t.Cleanup(srv.Close)
	p.url = srv.URL
	stun, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			if _, _, err := stun.ReadFrom(make([]byte, 1500)); err != nil {
				return
			}
			p.hits <- "stun"
		}
	}()
	t.Cleanup(func() {
		_ = stun.Close()
		<-ended
	})
	p.udp = stun.LocalAddr().String()
	return p
}

func (p *privateServer) seen() []string {
	var out []string
	for {
		select {
		case h := <-p.hits:
			if !slices.Contains(out, h) {
				out = append(out, h)
			}
		default:
			slices.Sort(out)
			return out
		}
	}
}

func reachSite(t *testing.T, private *privateServer) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect", "/redirect-frame", "/redirect-page":
			http.Redirect(w, r, private.url+r.URL.Path, http.StatusFound)
		case "/redirect-encrypted":
			http.Redirect(w, r, strings.Replace(private.url, "http:", "https:", 1), http.StatusFound)
		case "/refresh":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<meta http-equiv=refresh content="0; url=%s/refresh">`, private.url)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, reachPage, private.url, private.udp)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

// publicly makes a local server appear under a public name.
func publicly(srv *httptest.Server) browser.Policy {
	return browser.Policy{
		Hosts: map[string]string{"public.test:80": srv.Listener.Addr().String()},
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		},
	}
}

// TestNothingReachesAPrivateServer first makes sure that the page can reach
// it when it may, since otherwise the test would prove nothing.
func TestNothingReachesAPrivateServer(t *testing.T) {
	onEach(t, func(t *testing.T, p *browser.Pool) {
		private := newPrivateServer(t)
		policy := publicly(reachSite(t, private))
		policy.AllowPrivate = true
		tryAll(t, p, policy)
		want := []string{"/beacon", "/fetch", "/iframe", "/img", "/redirect", "/redirect-frame", "/worker", "/ws", "connection"}
		if p == sharedPool(browser.EngineWebKitGTK) { // its sockets do not work through a proxy
			want = slices.DeleteFunc(want, func(way string) bool { return way == "/ws" })
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, private.seen()); diff != "" {
			t.Fatal("the page does not try what it should:", diff)
		}

		policy.AllowPrivate = false
		tab := tryAll(t, p, policy)
		for _, path := range []string{"/redirect-page", "/redirect-encrypted", "/refresh"} {
			before := tab.Doc()
			err := tab.Navigate(patience(t), "http://public.test"+path)
			d := until(t, tab, "the refusal", func(d browser.Doc) bool { return d.Seq > before.Seq && d.Refused != "" && d.Loaded })
			if path != "/refresh" && fault.From(err).Type != "origin_not_allowed" {
				t.Errorf("%s: got %v", path, err)
			}
			if !strings.Contains(d.Refused, "this machine") {
				t.Errorf("%s: got %+v", path, d)
			}
		}
		if got := private.seen(); len(got) != 0 {
			t.Errorf("these reached the private server: %v", got)
		}
		if l := tab.Ledger(); len(l.Refused) < 8 {
			t.Errorf("the ledger has only %d refusals: %v", len(l.Refused), l.Refused)
		}
	})
}

func tryAll(t *testing.T, p *browser.Pool, policy browser.Policy) *browser.Tab {
	t.Helper()
	tab := open(t, p, browser.TabOptions{Policy: policy})
	visit(t, tab, "http://public.test/")
	ways := reachWays - without(tab)
	if onFirefox(t) {
		ways-- // it goes on looking for ways of WebRTC, all of which are closed
	}
	eval[any](t, tab, "", `function (n) { return new Promise(done => {
		const look = () => Number(document.title) >= n ? done(null) : setTimeout(look, 5); look() }) }`, ways)
	return tab
}

// without is the number of ways that an engine does not give to a page at all: WebKit
// has no WebRTC here.
func without(tab *browser.Tab) int {
	if browser.IsWebKit(tab) {
		return 1
	}
	return 0
}

func TestRefusedAddresses(t *testing.T) {
	private := newPrivateServer(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(private.url, "http://"))
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{Policy: publicly(reachSite(t, private))})
		for _, url := range []string{
			private.url, "http://localhost:" + port, "http://LOCALHOST.:" + port, "http://sub.localhost:" + port, "http://name.test:" + port,
			"http://2130706433:" + port, "http://0x7f.1:" + port, "http://[::1]:" + port, "http://[::ffff:127.0.0.1]:" + port,
			"http://0:" + port, "https://127.0.0.1:" + port, "https://name.test:" + port, "http://169.254.169.254/latest/meta-data/",
		} {
			err := tab.Navigate(patience(t), url+"/form?ssn=123")
			f := fault.From(err)
			if f == nil || f.Type != "origin_not_allowed" || f.Kind != fault.Denied || strings.Contains(f.Message, "ssn") {
				t.Errorf("%s gave %v", url, err)
			}
		}
		if got := private.seen(); len(got) != 0 {
			t.Errorf("these reached the private server: %v", got)
		}
	})
}
