package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptrace"
)

var errNoAddress = errors.New("it needs a scheme and a host")

// traced notes how far a request comes, and which connection it takes.
func (c *Conn) traced(ctx context.Context, a *HTTPAnswer, k *call) context.Context {
	reach := func(stage Stage) {
		c.mu.Lock()
		defer c.mu.Unlock()
		a.stage = stage
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		ConnectStart:      func(string, string) { reach(StageTCP) },
		TLSHandshakeStart: func() { reach(StageTLS) },
		GotConn: func(i httptrace.GotConnInfo) {
			c.mu.Lock()
			defer c.mu.Unlock()
			a.stage, a.Remote, a.Reused = StageHTTP, i.Conn.RemoteAddr().String(), i.Reused
			if k.overhears() && !k.over {
				k.hangUp = sendingHalf(i.Conn)
				k.ex.Overheard = k.hangUp != nil
			}
		},
	})
}

func tlsVersion(v uint16) string { return tls.VersionName(v) }

// classify says what a failed request failed of, by the types of its causes.
func (c *Conn) classify(ctx context.Context, err error, method string, a *HTTPAnswer) *Error {
	if ctx.Err() != nil {
		return giveUp(ctx, method, "The request was given up.")
	}
	c.mu.Lock()
	copied := *a
	c.mu.Unlock()
	e := &Error{Kind: Refused, Method: method, HTTP: &copied, Cause: err}
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns):
		e.Stage, e.Detail = StageDNS, "The name of the host was not found."
	case isTLS(err) || copied.stage == StageTLS:
		e.Stage, e.Detail = StageTLS, "No secure connection came about."
	case errors.As(err, &op) && op.Op == "dial" || copied.stage == StageTCP:
		e.Stage, e.Detail = StageTCP, "No connection came about."
	case copied.Remote == "":
		e.Stage, e.Detail = StageGuard, "The address may not be reached, or no connection came about."
	default:
		e.Kind, e.Stage, e.Detail = Broken, StageHTTP, "The connection broke before an answer came."
	}
	return e
}

func isTLS(err error) bool {
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verification) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid)
}

// asError makes an Error of any failure of a carrier.
func asError(err error, method string) error {
	var known *Error
	var rpc *RPCError
	if errors.As(err, &known) || errors.As(err, &rpc) {
		return err
	}
	return &Error{Kind: Broken, Method: method, Detail: "The connection broke.", Cause: err}
}
