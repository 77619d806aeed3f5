package browser

import (
	"io"
	"strings"
	"testing"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/google/go-cmp/cmp"
)

// TestConnReads hands out every message whole, whatever its length, and none of
// those that nobody wants. What was handed out stays as it was.
func TestConnReads(t *testing.T) {
	long := strings.Repeat("long", 50_000)
	out, in := io.Pipe()
	sink, _ := io.Pipe()
	type heard struct{ Method, Params string }
	var methods []string
	var params []jsonv2.Value // kept beyond the handler, as a reply is
	c := newConn(out, closing{sink})
	c.open("", nil, func(method string, p jsonv2.Value) {
		methods, params = append(methods, method), append(params, p)
	})
	for _, m := range []string{
		`{"method":"Page.first","params":{"a":"first"}}`,
		`{"method":"Network.dataReceived","params":{"requestId":"1"}}`,
		`{"method":"Network.dataReceivedElsewhere","params":{}}`,
		`{"method":"Page.second","params":{"a":"` + long + `"}}`,
		`{"method":"Network.policyUpdated","params":{}}`,
		`{"method":"Network.policyUpdated`, // no message at all
		`{"method":"Page.third","params":{"a":"3"}}`,
	} {
		if _, err := io.WriteString(in, m+"\x00"); err != nil {
			t.Fatal(err)
		}
	}
	_ = in.Close() // a pipe's end never fails
	<-c.done
	c.close()
	var got []heard
	for i, m := range methods {
		got = append(got, heard{m, string(params[i])})
	}
	want := []heard{
		{"Page.first", `{"a":"first"}`}, {"Network.dataReceivedElsewhere", `{}`},
		{"Page.second", `{"a":"` + long + `"}`}, {"Page.third", `{"a":"3"}`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// closing is the other direction of a connection, which nobody uses.
type closing struct{ io.Closer }

func (closing) Write(b []byte) (int, error) { return len(b), nil }
