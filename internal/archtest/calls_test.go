package archtest

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// namesFence names what the program files of some packages only may mention.
type namesFence struct {
	pkg, names string // an import path, and exported names with spaces between
	only       []string
	reason     string
}

var calls = []namesFence{
	{"os", "Exit", []string{"cmd/legwork", "internal/mcptest/fixture", "bench", "bench/board", "bench/checks", "bench/calls", "bench/scans", "test/conformance"}, "only main ends the process; fixture plays servers that die"},
	{"syscall", "Exit Exec", nil, "only main ends the process"},
	{"runtime", "Goexit", nil, "a function returns"},
	{"log", "Fatal Fatalf Fatalln Panic Panicf Panicln", nil, "errors travel up to main"},
	{"log", "Print Printf Println Default", nil, "logging goes through slog"},
	{"log", "SetOutput", []string{"internal/cli"}, "logging goes through slog; cli silences what libraries say"},
	{"os", "Getenv LookupEnv ExpandEnv Setenv Unsetenv Clearenv", nil, "settings come through config, which is handed the environment"},
	{"os", "Environ", []string{"cmd/legwork", "bench", "bench/board", "bench/checks", "bench/calls", "test/conformance"}, "settings come through config; main hands the environment over"},
	{"syscall", "Getenv Environ Setenv Unsetenv Clearenv", nil, "settings come through config"},
	{"os", "StartProcess", nil, "processes are started by os/exec, and ended"},
	{"syscall", "ForkExec StartProcess", nil, "processes are started by os/exec, and ended"},
	{"syscall", "Kill", []string{"bench/board", "internal/browser", "internal/cwac/process", "internal/mcptest/wire", "bench", "bench/floor", "bench/scans"}, "a process is ended by who started it"},
	{"time", "Sleep Tick", nil, "waiting is by observation, never by sleeping"},
	{"net/http", "Get Head Post PostForm DefaultClient DefaultTransport NewRequest", nil, "outgoing requests go through guarded clients"},
	{"net/http", "NewRequestWithContext", []string{"internal/bounty/rest", "internal/board/webhook", "internal/board/notify", "internal/board/push", "internal/auth/oauth", "internal/cwac/crawl", "internal/browser", "internal/browser/webdriver", "internal/mcptest/wire", "internal/mcptest/check", "internal/mcptest/login", "bench/board", "bench/calls", "test/conformance"}, "outgoing requests go through guarded clients; oauth, crawl, bounty and the tester are handed one"},
	{"net/http", "Client", []string{"internal/bounty/rest", "internal/board/webhook", "internal/board/signin", "internal/board/notify", "internal/board/push", "internal/reach", "internal/browser", "internal/browser/bidi", "internal/browser/webdriver", "internal/observe/trace", "internal/mcptest/wire", "internal/mcptest/login", "test/conformance", "internal/auth/oauth", "internal/auth/oauth/oauthtest", "internal/cli", "bench/board", "bench/calls"}, "outgoing requests go through guarded clients; cli hands oauth, trace, bounty and the tester one, and browser reaches those that the settings name, bidi this machine only"},
	{"net/http", "Transport", []string{"internal/reach", "internal/browser", "internal/browser/bidi", "internal/auth/oauth/oauthtest", "bench/board", "bench/calls", "test/conformance"}, "outgoing requests go through the guard"},
	{"net/http", "Handle HandleFunc DefaultServeMux ListenAndServe ListenAndServeTLS", nil, "servers have no global state"},
	{"net", "Dial DialTimeout DialTCP DialUDP DialIP DialUnix", nil, "connections go through the guard"},
	{"net", "Dialer", []string{"internal/reach", "internal/browser", "bench", "bench/calls"}, "connections go through the guard"},
	{"net", "Resolver DefaultResolver", []string{"internal/reach", "internal/browser"}, "the guard looks names up"},
	{"net", "LookupAddr LookupCNAME LookupHost LookupIP LookupPort LookupTXT", nil, "the guard looks names up"},
	{"net", "Listen", []string{"internal/browser"}, "who listens is decided here"},
	{"net", "ListenConfig", []string{"internal/serve", "internal/cli", "internal/mcptest/login", "bench", "bench/board", "bench/calls", "bench/scans"}, "who listens is decided here"},
	{"net", "ListenTCP ListenUDP ListenUnix ListenPacket", nil, "who listens is decided here"},
	{module + "internal/store", "MigrateTo", nil, "an old version of the tables is for tests"},
	{module + "internal/store", "SQL Writer WhileMigrating", []string{"internal/store/queue"}, "statements run in a store.Tx; only the queue's library brings its own"},
	{
		sdk + "/mcp", "Server NewServer AddTool NewStreamableHTTPHandler NewSSEHandler StdioTransport",
		[]string{"internal/serve", "internal/serve/fixtures", "bench/calls", "bench/checks"}, "MCP server types stay in serve; tool declares, cli and bench are clients",
	},
}

func callRules() []rule {
	in := func(file, text, want string) sample { return sample{file, "package x\n" + text, want} }
	return []rule{
		{
			name: "fenced names", check: fencedNames,
			bad: []sample{
				in("internal/wizard/a.go", `import "os"; var v = os.Getenv("A")`, "uses os.Getenv: settings"),
				in("internal/wizard/a.go", `import env "os"; var v = env.Getenv("A")`, "uses os.Getenv"),
				in("internal/wizard/a.go", `import . "os"; var v = Getenv("A")`, "uses os.Getenv"),
				in("internal/wizard/a.go", `import "os"; var get = os.Getenv`, "uses os.Getenv"),
				in("internal/page/a.go", `import web "net/http"; var v = web.DefaultClient.Do`, "uses net/http.DefaultClient"),
				in("internal/page/a.go", `import "net/http"; type client struct{ http.Client }`, "uses net/http.Client"),
				in("internal/page/a.go", `import "net"; func f(d *net.Dialer) {}`, "uses net.Dialer"),
				in("internal/cli/a.go", `import "`+sdk+`/mcp"; var v = mcp.NewServer(nil, nil)`, "uses "+sdk+"/mcp.NewServer"),
				in("internal/fault/a.go", ``, "the fence of os.Exit names bench, which does not use it"),
			},
			good: []sample{
				in("internal/wizard/a.go", `import "os"; func f(os struct{ Getenv int }) int { return os.Getenv }; var v = os.Args`, ""),
				in("internal/wizard/a.go", `import "example.com/os"; var v = os.Args`, ""),
				in("internal/wizard/a.go", `import env "os"; import os "strings"; var v, w = env.Args, os.Fields`, ""),
				in("internal/wizard/a.go", `import "os"; type t struct{ Getenv func() }; func f(v t) { v.Getenv(); _ = os.Args }`, ""),
				in("cmd/legwork/a.go", `import "os"; func f() { os.Exit(1) }`, ""),
				in("internal/wizard/a_test.go", `import "os"; var v = os.Getenv("A")`, ""),
			},
		},
		{
			name: "no init", check: noInit,
			bad:  []sample{in("internal/page/a.go", `func init() {}`, "no init functions")},
			good: []sample{in("internal/page/a.go", `type t int; func (t) init() {}`, "")},
		},
		{
			name: "no back door", check: noLinkname,
			bad:  []sample{in("internal/page/a.go", "//go:linkname exit os.Exit\nfunc exit(int)", "go:linkname")},
			good: []sample{in("internal/page/a.go", "// exit needs no go:linkname\nfunc exit(int)", "")},
		},
	}
}

// fencedNames also finds permissions that nobody uses any more.
func fencedNames(files []source) []string {
	var wrong []string
	used := map[string]bool{}
	for _, f := range files {
		if f.test {
			continue
		}
		for _, u := range f.uses() {
			for _, c := range calls {
				if u.path != c.pkg || !slices.Contains(strings.Fields(c.names), u.name) {
					continue
				}
				used[c.pkg+"."+c.names+" "+f.pkg] = true
				if !slices.Contains(c.only, f.pkg) {
					wrong = append(wrong, fmt.Sprintf("%s uses %s.%s: %s", f.at(u.node), u.path, u.name, c.reason))
				}
			}
		}
	}
	for _, c := range calls {
		for _, pkg := range c.only {
			if !used[c.pkg+"."+c.names+" "+pkg] {
				wrong = append(wrong, fmt.Sprintf("the fence of %s.%s names %s, which does not use it", c.pkg, c.names, pkg))
			}
		}
	}
	return wrong
}

// noInit keeps import order from being behaviour.
func noInit(files []source) []string {
	var wrong []string
	for _, f := range files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				wrong = append(wrong, f.at(fn)+": no init functions")
			}
		}
	}
	return wrong
}

// noLinkname keeps the fences from being gone around.
func noLinkname(files []source) []string {
	var wrong []string
	for _, f := range files {
		for _, group := range f.ast.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:linkname") {
					wrong = append(wrong, f.at(c)+": no go:linkname")
				}
			}
		}
	}
	return wrong
}
