package mcptest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/auth"
)

// TestCheckServer checks servers as an agent does, and reads what was found.
func TestCheckServer(t *testing.T) {
	b := newBench(t)
	good := b.want("check_server", `{"url":`+quote(overHTTP(t))+`}`)
	if good.at("connected") != true || fmt.Sprint(good.at("tools")) == "0" || good.at("steps.0.status") != "passed" {
		t.Errorf("a good server: %s", good.raw)
	}
	stdio := b.want("check_server", `{"url":`+quote(command(t))+`,"no_probes":true}`)
	if stdio.at("connected") != true || strings.Contains(stdio.raw, `"name":"probes"`) {
		t.Errorf("a command: %s", stdio.raw)
	}
	bad := b.want("check_server", `{"url":`+quote(unruly(t, map[string]string{"tools/list": `{"tools":[{"name":"a"},{"name":"a"}]}`}).url)+`}`)
	if fmt.Sprint(bad.at("errors")) == "0" || bad.at("findings.0.severity") != "error" || !strings.Contains(bad.text, "FAILED") {
		t.Errorf("a bad server: %s", bad.raw)
	}
	// the same report again, from another place, as documents, and not for others
	name := quote(fmt.Sprint(bad.at("report")))
	again := b.want("check_server", `{"report":`+name+`,"offset":1}`)
	if again.at("findings.0.rule") != bad.at("findings.1.rule") {
		t.Errorf("offset 1 begins with %v, want %v", again.at("findings.0.rule"), bad.at("findings.1.rule"))
	}
	for format, begins := range map[string]string{"html": "<!doctype html>", "junit": "<?xml", "text": "http://"} {
		a := b.want("check_server", `{"report":`+name+`,"format":"`+format+`"}`)
		if doc := fmt.Sprint(a.at("document")); !strings.HasPrefix(strings.ToLower(doc), begins) {
			t.Errorf("%s begins with %.40s", format, doc)
		}
	}
	b.as = auth.Principal{Issuer: "https://issuer.example", Subject: "somebody else"}
	if a := b.call("check_server", `{"report":`+name+`}`); !a.error {
		t.Errorf("another caller reads it: %s", a.raw)
	}
}

// TestCheckServerOfConnection checks what a connection leads to, with its secrets, which
// no answer shows.
func TestCheckServerOfConnection(t *testing.T) {
	b := newBench(t)
	b.want("connect_to_server", `{"command":`+quote(self(t))+`,"args":["`+playServer+`"],"env":{"TOKEN_FOR_IT":"${ENV:MCPTEST_TOKEN}"}}`)
	a := b.want("check_server", `{"no_probes":true}`)
	if a.at("connected") != true {
		t.Errorf("not connected: %s", a.raw)
	}
	if secret := "secret-of-mcptest_token"; strings.Contains(a.raw+a.text, secret) {
		t.Errorf("the answer holds the secret: %s", a.raw)
	}
	if s := b.want("get_connection_status", `{}`); s.at("connected") != true {
		t.Errorf("the connection was used up: %s", s.raw)
	}
}

// TestCheckServerRefuses: what must not be checked is not.
func TestCheckServerRefuses(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Commands = false })
	for args, subtype := range map[string]string{
		`{}`: "<nil>", `{"url":"/bin/true"}`: subRefused, `{"url":"ftp://host/"}`: subTarget, `{"report":"r99"}`: "<nil>",
		`{"url":"https://host/","connection":"x"}`: subTarget,
	} {
		if a := b.call("check_server", args); !a.error || fmt.Sprint(a.at("error.details.subtype")) != subtype {
			t.Errorf("%s: %s", args, a.raw)
		}
	}
	// a caller who checks twice at one time waits
	var ends []func()
	for range checksEach {
		done, err := b.reports.begin("somebody")
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, done)
	}
	if _, err := b.reports.begin("somebody"); err == nil {
		t.Error("one caller runs as many checks as he likes")
	}
	for _, done := range ends {
		done()
	}
	if done, err := b.reports.begin("somebody"); err != nil {
		t.Error("places are not given back")
	} else {
		done()
	}
}

// TestReportsAreBounded keeps the newest reports of each caller only.
func TestReportsAreBounded(t *testing.T) {
	var r reports
	first := r.keep("a", kept{})
	for range reportsEach {
		r.keep("b", kept{})
		r.keep("a", kept{})
	}
	if _, ok := r.get("a", first); ok || len(r.names("a")) != reportsEach || len(r.names("b")) != reportsEach {
		t.Errorf("kept %v and %v", r.names("a"), r.names("b"))
	}
	for i := range 2 * reportsAll {
		r.keep(fmt.Sprint("caller ", i), kept{})
	}
	if len(r.all) != reportsAll {
		t.Errorf("%d reports are kept", len(r.all))
	}
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
