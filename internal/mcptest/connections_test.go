package mcptest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/auth"
)

// TestConnectionsBelongToTheirCallers: for another caller they do not exist.
func TestConnectionsBelongToTheirCallers(t *testing.T) {
	url := overHTTP(t)
	b := newBench(t, func(o *Options) { o.Settings = Settings{PerCaller: 2, Connections: 3} })
	ada, bob := auth.Principal{Issuer: "https://i.example", Subject: "ada"}, auth.Principal{Issuer: "https://i.example", Subject: "bob"}
	b.as = ada
	b.want("connect_to_server", `{"url":`+quote(url)+`,"connection":"mine"}`)
	b.as = bob
	for _, c := range []string{"list_tools", "disconnect", "get_transcript", "await_event"} {
		if a := b.call(c, `{"connection":"mine"}`); a.at("error.type") != "not_connected" || strings.Contains(a.raw, url) {
			t.Errorf("%s: %s", c, a.raw)
		}
	}
	if a := b.want("get_connection_status", `{"connection":"mine"}`); a.at("connected") != false || strings.Contains(a.raw, url) {
		t.Errorf("status: %s", a.raw)
	}
	for _, name := range []string{"mine", "two"} {
		b.want("connect_to_server", `{"url":`+quote(url)+`,"connection":"`+name+`"}`)
	}
	if a := b.call("connect_to_server", `{"url":`+quote(url)+`,"connection":"three"}`); a.at("error.details.subtype") != "too_many_connections" {
		t.Errorf("over the share of one: %s", a.raw)
	}
	b.as = ada
	if a := b.call("connect_to_server", `{"url":`+quote(url)+`,"connection":"three"}`); a.at("error.details.subtype") != "too_many_connections" {
		t.Errorf("over the number of all: %s", a.raw)
	}
	b.as = auth.Principal{}
	if a := b.call("connect_to_server", `{"url":`+quote(url)+`}`); a.at("error.type") != "connection_failed" {
		t.Errorf("a caller who is nobody: %s", a.raw)
	}
}

// TestTheSameName: a connection that lives is not lost by accident, one that has ended
// is in nobody's way.
func TestTheSameName(t *testing.T) {
	url, line := overHTTP(t), command(t)
	b := newBench(t)
	b.want("connect_to_server", `{"url":`+quote(line)+`}`)
	if a := b.call("connect_to_server", `{"url":`+quote(url)+`}`); a.at("error.details.subtype") != "already_connected" || a.at("connection.server_url") != line {
		t.Errorf("over a connection: %s", a.raw)
	}
	b.call("call_tool", `{"name":"exit"}`)
	if a := b.want("get_connection_status", `{}`); a.at("connected") != false || !strings.Contains(a.raw, "out of cheese") {
		t.Errorf("after the end of the process: %s", a.raw)
	}
	if a := b.want("connect_to_server", `{"url":`+quote(url)+`}`); a.at("previous_connection.server_url") != line {
		t.Errorf("over one that has ended: %s", a.raw)
	}
	if a := b.want("connect_to_server", `{"replace":true,"url":`+quote(line)+`}`); a.at("connection.transport") != "stdio" || a.at("previous_connection.server_url") != url {
		t.Errorf("replaced: %s", a.raw)
	}
}

// TestIdleConnectionsAreClosed: a connection that nobody uses ends by itself.
func TestIdleConnectionsAreClosed(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Settings = Settings{Idle: 50 * time.Millisecond} })
	b.want("connect_to_server", `{"url":`+quote(command(t))+`}`)
	tick := time.NewTicker(150 * time.Millisecond) // each look at it begins its time anew
	defer tick.Stop()
	for range 100 {
		<-tick.C
		if a := b.want("get_connection_status", `{}`); a.at("connections.0") == nil {
			return
		}
	}
	t.Error("it is still there")
}

// TestSecrets: they reach the server, and nobody else; only the user of this machine can
// name one.
func TestSecrets(t *testing.T) {
	s := unruly(t, map[string]string{"tools/list": `{"tools":[{"name":"leak","description":"secret-of-env:t and plain-secret-token"}]}`, "resources/read": `!{"code":-32603,"message":"no: secret-of-env:t"}`})
	b := newBench(t)
	a := b.want("connect_to_server", `{"era":"legacy","url":`+quote(s.url)+`,"token":"${ENV:T}","headers":{"X-Key":"plain-secret-token","X-File":"a ${FILE:f}"}}`)
	_, h := s.last()
	got := []string{h.Get("Authorization"), h.Get("X-Key"), h.Get("X-File")}
	if diff := cmp.Diff([]string{"Bearer secret-of-env:t", "plain-secret-token", "a secret-of-file:f"}, got); diff != "" {
		t.Errorf("the server got (-want +got):\n%s", diff)
	}
	all := a.raw + a.text
	failed := b.call("read_resource", `{"uri":"a:b"}`)
	refused := unruly(t, map[string]string{"initialize": `!{"code":-32000,"message":"no: secret-of-env:t"}`})
	denied := b.call("connect_to_server", `{"era":"legacy","connection":"two","token":"${ENV:T}","url":`+quote(refused.url)+`}`)
	all += failed.raw + failed.text + denied.raw + denied.text
	if !failed.error || !denied.error || !strings.Contains(failed.raw, "no: ") || !strings.Contains(denied.raw, "no: ") {
		t.Errorf("the failures do not show the server's words: %s %s", failed.raw, denied.raw)
	}
	for _, c := range []string{"list_tools", "get_transcript", "get_connection_status", "disconnect"} {
		a := b.want(c, `{}`)
		all += a.raw + a.text
	}
	for _, secret := range []string{"secret-of", "plain-secret-token"} {
		if strings.Contains(all, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
	b.as = auth.Principal{Issuer: "https://i.example", Subject: "ada"}
	if a := b.call("connect_to_server", `{"url":`+quote(s.url)+`,"token":"${ENV:T}"}`); a.at("error.details.subtype") != "invalid_target" {
		t.Errorf("somebody else's reference: %s", a.raw)
	}
}

// TestCommandsNeedLeave: without it none is started, in whatever way it is written.
func TestCommandsNeedLeave(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Commands = false })
	mark := filepath.Join(t.TempDir(), "mark")
	for _, args := range []string{`{"url":"touch ` + mark + `"}`, `{"command":"touch","args":["` + mark + `"]}`} {
		if a := b.call("connect_to_server", args); a.at("error.details.subtype") != "not_allowed" {
			t.Errorf("%s: %s", args, a.raw)
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the command ran")
	}
}

// TestTheEnvironmentOfCommands: a server under test gets what it was given, and nothing
// that is ours.
func TestTheEnvironmentOfCommands(t *testing.T) {
	b := newBench(t)
	a := b.want("connect_to_server", `{"url":`+quote(command(t))+`,"env":{"OWN":"value-of-own"}}`)
	names, _ := a.at("process.environment").([]any)
	if !slices.Contains(names, any("OWN")) || slices.Contains(names, any("SECRET_OF_OURS")) || strings.Contains(a.raw, "hunter2") || strings.Contains(a.raw, "value-of-own") {
		t.Errorf("%v in %s", names, a.raw)
	}
}

func TestSplitWords(t *testing.T) {
	for text, want := range map[string][]string{
		`npx -y  some-server`:         {"npx", "-y", "some-server"},
		`a "b c" 'd "e' f\ g ""`:      {"a", "b c", `d "e`, "f g", ""},
		"a\tb; rm -rf $HOME | `c` >d": {"a", "b;", "rm", "-rf", "$HOME", "|", "`c`", ">d"},
		``:                            nil,
	} {
		if diff := cmp.Diff(want, splitWords(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
