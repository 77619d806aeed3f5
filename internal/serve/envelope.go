package serve

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/observe/trace"
)

// envelopeHeader carries what this server knows about a request through the SDK
// to the handler: with sessions, a handler's context is that of the request that
// opened the session. Whatever a client sends under this name is replaced.
const envelopeHeader = "Legwork-Envelope"

type requestEnvelope struct {
	Principal auth.Principal
	RequestID string
	Allowance allowance
	Parent    trace.Parent
	Message   string // id of the client's message
}

// envelopeFields is how many values the header has, besides those of the scopes.
const envelopeFields = 14

// put makes each field one value of the header, so that nothing in one of them
// can be taken for another, whatever an issuer writes into its tokens. The header
// does not leave the process.
func (e requestEnvelope) put(h http.Header) {
	p, a := e.Principal, e.Allowance
	ends := ""
	if !p.Expires.IsZero() {
		ends = strconv.FormatInt(p.Expires.UnixNano(), 10)
	}
	h[envelopeHeader] = append([]string{
		e.RequestID, e.Parent.Traceparent, e.Parent.Tracestate,
		a.Tool, strconv.Itoa(a.Limit), strconv.FormatInt(int64(a.Wait), 10), strconv.FormatBool(a.Down),
		p.Issuer, p.Subject, p.Client, p.Session, ends, e.Message, strconv.FormatBool(a.All),
	}, p.Scopes...)
}

// envelopeOf opens the envelope of a request. Without one over HTTP, the caller is
// nobody, who may do nothing; over stdio it is the user of this machine.
func envelopeOf(x *mcp.RequestExtra) requestEnvelope {
	if x == nil || x.Header == nil {
		return requestEnvelope{Principal: auth.Local(), RequestID: observe.NewRequestID()}
	}
	e, err := openEnvelope(x.Header[envelopeHeader])
	if err != nil {
		return requestEnvelope{RequestID: observe.NewRequestID()}
	}
	return e
}

func openEnvelope(v []string) (requestEnvelope, error) {
	if len(v) < envelopeFields {
		return requestEnvelope{}, errors.New("there is no envelope")
	}
	limit, err := strconv.Atoi(v[4])
	wait, waitErr := strconv.ParseInt(v[5], 10, 64)
	down, downErr := strconv.ParseBool(v[6])
	all, allErr := strconv.ParseBool(v[13])
	var ends time.Time
	var endsErr error
	if v[11] != "" {
		var at int64
		at, endsErr = strconv.ParseInt(v[11], 10, 64)
		ends = time.Unix(0, at)
	}
	return requestEnvelope{
		RequestID: v[0], Message: v[12], Parent: trace.Parent{Traceparent: v[1], Tracestate: v[2]},
		Allowance: allowance{Tool: v[3], Limit: limit, Wait: time.Duration(wait), Down: down, All: all},
		Principal: auth.Principal{Issuer: v[7], Subject: v[8], Client: v[9], Session: v[10], Expires: ends, Scopes: v[envelopeFields:]},
	}, errors.Join(err, waitErr, downErr, allErr, endsErr)
}
