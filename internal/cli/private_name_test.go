package cli_test

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
)

// inwardName is a name that the resolver of this machine answers with addresses
// that are not public: what a hostile site's own DNS does. localhost does not
// count: that name alone says where it leads.
func inwardName(t *testing.T) string {
	t.Helper()
	names := []string{"ip6-localhost", "ip6-loopback"}
	if host, err := os.Hostname(); err == nil {
		names = append([]string{host}, names...)
	}
	raw, err := os.ReadFile("/etc/hosts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(line); len(f) > 1 {
			names = append(names, f[1:]...)
		}
	}
	for _, name := range names {
		if name != "localhost" && !strings.HasSuffix(name, ".localhost") && leadsInward(t, name) {
			return name
		}
	}
	t.Fatalf("none of %q leads to an address that is not public: the test needs such a line in /etc/hosts", names)
	return ""
}

func leadsInward(t *testing.T, name string) bool {
	addrs, err := net.DefaultResolver.LookupNetIP(t.Context(), "ip", name)
	if err != nil || len(addrs) == 0 {
		return false
	}
	for _, a := range addrs {
		if a = a.Unmap(); !a.IsLoopback() && !a.IsPrivate() {
			return false
		}
	}
	_, isAddress := netip.ParseAddr(name)
	return isAddress != nil
}

// inside is a server that a form must not reach, by its name.
type inside struct {
	url  string
	hits atomic.Int64
}

func startInside(t *testing.T) *inside {
	t.Helper()
	name := inwardName(t)
	ln, err := net.Listen("tcp", net.JoinHostPort(name, "0"))
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s := &inside{url: "http://" + net.JoinHostPort(name, port) + "/"}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.hits.Add(1)
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(slowPage))
	})}
	go srv.Serve(ln)
	t.Cleanup(func() { srv.Close() })
	return s
}

// formAt writes the wizard of the one-page form into a folder and returns it.
func formAt(t *testing.T, url string) (dir, file string) {
	t.Helper()
	dir = (&slowForm{addr: "unused"}).wizardDir(t)
	file = filepath.Join(dir, "wizard-structures", "slow-form.json")
	raw, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(strings.ReplaceAll(string(raw), "http://unused/", url)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, file
}

// TestNameThatLeadsInward: a public-looking name that resolves to an address of
// this network is refused like the address itself, as the start of a form and as
// where its Continue leads. The server there never hears of it.
func TestNameThatLeadsInward(t *testing.T) {
	t.Parallel()
	t.Run("the start of the form", func(t *testing.T) {
		t.Parallel()
		target := startInside(t)
		dir, _ := formAt(t, target.url)
		client := overStdio(t, "FEDERALRUNNER_WIZARDS_DIR="+dir)
		a, res, err := execute(t, client, "slow-form", map[string]any{"name": "x"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		target.refused(t, a)
		if got := text(res); !strings.Contains(got, runner.TypeOrigin) || !strings.Contains(got, "--allow-private") {
			t.Errorf("the text does not say what to do:\n%s", got)
		}
	})
	for name, page := range map[string]string{
		"the form's Continue":    `<form method="get" action="TARGET"><label>Name <input id="n" name="n"></label><button id="go">Continue</button></form>`,
		"a script's navigation":  `<label>Name <input id="n" name="n"></label><button id="go" onclick="location='TARGET'">Continue</button>`,
		"a redirect on Continue": `<form method="post"><label>Name <input id="n" name="n"></label><button id="go">Continue</button></form>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := startInside(t)
			a := runForm(t, target, page)
			target.refused(t, a)
			if a.PageNumber != 1 {
				t.Errorf("ended on page %d", a.PageNumber)
			}
		})
	}
}

// runForm runs a form of this machine from the command line, which allows the
// address that was typed and nothing else on this network.
func runForm(t *testing.T, target *inside, page string) runner.Answer {
	t.Helper()
	page = strings.ReplaceAll("<!doctype html><title>Form</title><h1>Slow form</h1>"+page, "TARGET", target.url)
	addr := serveLocal(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			http.Redirect(w, r, target.url, http.StatusSeeOther)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(page))
	}))
	_, file := formAt(t, "http://"+addr+"/")
	cmd := command(t, nil, "run", file, "--data", "-", "--json")
	cmd.Stdin = strings.NewReader(`{"name":"x"}`)
	stdout, stderr, code := output(t, cmd)
	var a runner.Answer
	if err := json.Unmarshal([]byte(stdout), &a); err != nil {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if code != fault.ExitDenied {
		t.Errorf("exit code %d, want %d\n%s", code, fault.ExitDenied, stderr)
	}
	return a
}

func (s *inside) refused(t *testing.T, a runner.Answer) {
	t.Helper()
	if a.Status != runner.StatusError || a.ErrorType != runner.TypeOrigin {
		t.Errorf("%s", a.Text())
	}
	if n := s.hits.Load(); n != 0 {
		t.Errorf("the server behind the name got %d requests", n)
	}
}
