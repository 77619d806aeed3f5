package mcptest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// TestTranscriptURIs: a URI names a connection and perhaps an entry, and nothing else.
func TestTranscriptURIs(t *testing.T) {
	for uri, want := range map[string]string{
		"mcptest://default/transcript":                `{"connection":"default","limit":200}`,
		"mcptest://my%20server%2F2/transcript/7":      `{"connection":"my server/2","limit":200,"entry":7}`,
		"mcptest:///transcript":                       "",
		"mcptest://a/transcript/":                     "",
		"mcptest://a/transcript/0":                    "",
		"mcptest://a/transcript/-1":                   "",
		"mcptest://a/transcript/1/2":                  "",
		"mcptest://a/transcript/99999999999999999999": "",
		"mcptest://%zz/transcript":                    "",
		"mcptest://a":                                 "",
		"file:///etc/passwd":                          "",
		"":                                            "",
	} {
		raw, ok := transcriptOf(uri)
		if ok != (want != "") || ok && string(raw) != want {
			t.Errorf("%s gives %s, %t", uri, raw, ok)
		}
	}
}

// TestTranscriptResource: a transcript is read by whom the connection belongs to, without
// secrets, and by nobody else.
func TestTranscriptResource(t *testing.T) {
	b := newBench(t)
	b.want("connect_to_server", `{"connection":"one","url":`+quote(overHTTP(t))+`,"headers":{"X-Key":"${ENV:MCPTEST_X}"}}`)
	b.want("call_tool", `{"connection":"one","name":"echo","arguments":{"said":"secret-of-env:mcptest_x"}}`)
	policy := tool.Policy{Authorize: func(context.Context, tool.Spec) error { return nil }}
	read := func(who auth.Principal, uri string) (string, string) {
		for _, r := range b.Resources() {
			if args, ok := r.Arguments(uri); ok {
				contents, why := r.Contents(uri, r.Tool.Call(tool.WithCaller(t.Context(), who), policy, args))
				if why != "" {
					return "", why
				}
				return contents.Contents[0].Text, ""
			}
		}
		return "", "no such resource"
	}
	text, why := read(auth.Local(), "mcptest://one/transcript")
	var got TranscriptOut
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Entries) < 4 || !strings.Contains(text, `\"echo\"`) || strings.Contains(text, "secret-of-env") {
		t.Errorf("%v, %s: %s", err, why, text)
	}
	if text, why := read(auth.Local(), "mcptest://one/transcript/1"); !strings.Contains(text, `"seq":1`) {
		t.Errorf("an entry gives %s %s", text, why)
	}
	if text, why := read(auth.Principal{Issuer: "i", Subject: "somebody else"}, "mcptest://one/transcript"); text != "" || !strings.Contains(why, "no connection") {
		t.Errorf("somebody else reads %s %s", text, why)
	}
}
