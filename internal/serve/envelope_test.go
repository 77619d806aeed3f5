package serve

import (
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/observe/trace"
)

// full has every field, so that a new one cannot be forgotten on the way.
func full(t *testing.T) requestEnvelope {
	e := requestEnvelope{
		RequestID: "r1", Message: `"m"`, Parent: trace.Parent{Traceparent: "00-1-2-01", Tracestate: "v=1,w=2"},
		Allowance: allowance{Tool: "echo", Limit: 20, Wait: time.Minute + 1, All: true, Down: true},
		Principal: auth.Principal{
			Issuer: "https://i.example/", Subject: "ann\r\nLegwork-Envelope: local\x00,\"", Client: "é", Session: "s", Scopes: []string{"a:read", "b,c"},
			Expires: time.Date(2026, 11, 28, 10, 0, 0, 123, time.UTC),
		},
	}
	for _, v := range []any{e, e.Parent, e.Allowance, e.Principal} {
		for name, f := range reflect.ValueOf(v).Fields() {
			if name.IsExported() && f.IsZero() { // the rest is worked out anew
				t.Errorf("%T has nothing in %s", v, name.Name)
			}
		}
	}
	return e
}

func TestEverythingComesThroughTheSDK(t *testing.T) {
	bare := requestEnvelope{RequestID: "r2", Principal: auth.Principal{Issuer: "i", Subject: "s"}}
	for name, e := range map[string]requestEnvelope{"full": full(t), "bare": bare} {
		h := http.Header{envelopeHeader: {"a", "client's", "own"}}
		e.put(h)
		if diff := cmp.Diff(e, envelopeOf(&mcp.RequestExtra{Header: h}), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(auth.Principal{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWithoutAnEnvelopeTheCallerIsNobody(t *testing.T) {
	h := http.Header{}
	full(t).put(h)
	for name, v := range map[string][]string{
		"none": nil, "cut": h[envelopeHeader][:envelopeFields-1], "one": {"x"},
		"no limit": spoilt(h, 4), "no time": spoilt(h, 5), "neither yes nor no": spoilt(h, 6), "no end": spoilt(h, 11),
	} {
		e := envelopeOf(&mcp.RequestExtra{Header: http.Header{envelopeHeader: v}})
		if e.Principal.ID() != "" || e.Principal.Has("a:read") || e.RequestID == "" || e.RequestID == "r1" {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if e := envelopeOf(nil); !e.Principal.IsLocal() {
		t.Errorf("over stdio: %+v", e)
	}
}

// spoilt is an envelope with one value that cannot be.
func spoilt(h http.Header, at int) []string {
	v := append([]string(nil), h[envelopeHeader]...)
	v[at] = "x"
	return v
}
