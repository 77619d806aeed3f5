package mcptest

import (
	"strings"
	"testing"
)

// TestTranscriptHasHeaders: what HTTP carried beside the messages is evidence too, without
// the secrets in it.
func TestTranscriptHasHeaders(t *testing.T) {
	b := newBench(t)
	b.want("connect_to_server", `{"url":`+quote(overHTTP(t))+`,"token":"canary-of-a-token","headers":{"X-Tenant":"canary-of-a-tenant"}}`)
	b.want("list_tools", `{}`)
	a := b.want("get_transcript", `{}`)
	for _, want := range []string{"> Accept: application/json, text/event-stream", "> Authorization: [redacted]", "> X-Tenant: [redacted]", "< Content-Type: "} {
		if !strings.Contains(a.text, want) {
			t.Errorf("the transcript has no %q:\n%s", want, a.text)
		}
	}
	if strings.Contains(a.raw+a.text, "canary") {
		t.Errorf("the transcript has a secret:\n%s", a.text)
	}
}
