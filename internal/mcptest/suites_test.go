package mcptest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
)

// at is where a server of the library is, as an argument of connect_to_server.
func at(t *testing.T, name string) string {
	t.Helper()
	target := fixture.Named(name).StartOver(t, fixture.HTTP)
	return `{"era":"legacy","url":` + quote(target.URL) + `}`
}

// TestSuitesOfASession records what an agent did, and runs it again: on the same server it
// passes, on another it says what is no longer so.
func TestSuitesOfASession(t *testing.T) {
	b := newBench(t)
	if a := b.call("record_suite", `{}`); a.at("error.type") != errNotConnected {
		t.Errorf("nothing is connected: %s", a.raw)
	}
	b.want("connect_to_server", at(t, "everything"))
	b.want("list_tools", `{}`)
	b.want("call_tool", `{"name":"sum","arguments":{"numbers":[9007199254740993,2]}}`)
	b.want("read_resource", `{"uri":"memo://note"}`)
	recorded := b.want("record_suite", `{"name":"a session"}`)
	text := fmt.Sprint(recorded.at("suite"))
	if fmt.Sprint(recorded.at("steps")) != "4" || !strings.Contains(text, "- 9007199254740993") || !strings.Contains(recorded.text, openMark) {
		t.Fatalf("%s", recorded.text)
	}
	if a := b.want("run_suite", `{"suite":`+quote(text)+`}`); a.at("passed") != true || !strings.Contains(a.text, "PASSED: 4 steps") {
		t.Errorf("the same server: %s", a.text)
	}
	b.want("disconnect", `{}`)
	b.want("connect_to_server", at(t, "plain"))
	a := b.want("run_suite", `{"suite":`+quote(text)+`}`)
	if a.at("passed") != false || a.at("steps.0.passed") != false || a.at("steps.2.failures.0.expected") == nil {
		t.Errorf("another server: %s", a.raw)
	}
	for _, bad := range []string{`version: 1`, "version: 1\nsuite: x\nsteps: [{call: *a}]", "\x00"} {
		if a := b.call("run_suite", `{"suite":`+quote(bad)+`}`); a.at("error.type") != errInvalidArguments {
			t.Errorf("%q: %s", bad, a.raw)
		}
	}
	if a := b.call("record_suite", `{"after":100000}`); a.at("error.type") != errInvalidArguments {
		t.Errorf("nothing was said since: %s", a.raw)
	}
}

// TestSuitesHoldNoSecrets records a session with a server that repeats what it is told, and
// with a command that is started with a secret.
func TestSuitesHoldNoSecrets(t *testing.T) {
	b := newBench(t)
	s := unruly(t, map[string]string{"tools/call": `{"content":[{"type":"text","text":"Bearer secret-of-env:mcptest_token"}]}`})
	b.want("connect_to_server", `{"era":"legacy","url":`+quote(s.url)+`,"token":"${ENV:MCPTEST_TOKEN}"}`)
	b.want("call_tool", `{"name":"t"}`)
	a := b.want("record_suite", `{}`)
	if strings.Contains(a.raw+a.text, "secret-of") || fmt.Sprint(a.at("steps")) != "1" { // an answer that holds it cannot be expected
		t.Errorf("%s", a.raw)
	}
	b.want("connect_to_server", `{"connection":"two","command":`+quote(self(t))+`,"args":["`+playServer+`","${ENV:MCPTEST_TOKEN}"]}`)
	a = b.want("record_suite", `{"connection":"two"}`)
	if strings.Contains(a.raw+a.text, "secret-of") || !strings.Contains(a.raw, playServer) {
		t.Errorf("%s", a.raw)
	}
}

// TestSnapshots takes one and compares with it.
func TestSnapshots(t *testing.T) {
	b := newBench(t)
	b.want("connect_to_server", at(t, "everything"))
	taken := b.want("snapshot", `{}`)
	text := fmt.Sprint(taken.at("snapshot"))
	if !json.Valid([]byte(text)) || !strings.Contains(text, "memo://notes/{id}") {
		t.Fatalf("%s", taken.raw)
	}
	if a := b.want("snapshot", `{"compare_with":`+quote(text)+`}`); a.at("changes") != nil || !strings.Contains(a.text, "Nothing changed") {
		t.Errorf("the same server: %s", a.raw)
	}
	b.want("disconnect", `{}`)
	b.want("connect_to_server", at(t, "plain"))
	if a := b.want("snapshot", `{"compare_with":`+quote(text)+`}`); a.at("verdict") != "breaking" || a.at("changes.0.verdict") != "breaking" {
		t.Errorf("another server: %s", a.raw)
	}
	if a := b.call("snapshot", `{"compare_with":"{}"}`); a.at("error.type") != errInvalidArguments {
		t.Errorf("no snapshot: %s", a.raw)
	}
	b.want("disconnect", `{}`)
	b.want("connect_to_server", at(t, "tools-null"))
	if a := b.call("snapshot", `{}`); a.at("error.details.subtype") != subSchema {
		t.Errorf("a server whose list is none: %s", a.raw)
	}
}

// TestSnapshotsThatFail: the type of the error is that of the list that failed.
func TestSnapshotsThatFail(t *testing.T) {
	b := newBench(t)
	s := unruly(t, map[string]string{"tools/list": `!{"code":-32000,"message":"not now"}`})
	b.want("connect_to_server", `{"era":"legacy","url":`+quote(s.url)+`}`)
	if a := b.call("snapshot", `{}`); a.at("error.type") != errExecution || a.at("error.details.subtype") != subProtocol || fmt.Sprint(a.at("error.details.code")) != "-32000" {
		t.Errorf("the server says no: %s", a.raw)
	}
	s.set(500)
	if a := b.call("snapshot", `{}`); a.at("error.type") != errTransport || a.at("error.details.subtype") == subSchema || fmt.Sprint(a.at("error.details.http.status")) != "500" {
		t.Errorf("HTTP says no: %s", a.raw)
	}
}
