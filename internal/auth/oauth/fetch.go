package oauth

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"
)

const (
	// fetchTime is how long one answer of the issuer may take.
	fetchTime = 5 * time.Second
	// maxAnswer is far more than any issuer's keys take.
	maxAnswer = 512 << 10
)

// issuerClient speaks to the issuer only.
type issuerClient struct{ http *http.Client }

// newIssuerClient makes a client that follows no redirect: it could lead inside
// the network, or hand a token to somebody else.
func newIssuerClient(c *http.Client) issuerClient {
	own := *c
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	own.Jar = nil
	return issuerClient{&own}
}

// statusError is an answer that is not 200.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("it answers with status %d", int(e)) }

// get returns the body at a URL.
func (c issuerClient) get(ctx context.Context, url string) ([]byte, error) {
	return c.do(ctx, http.MethodGet, url, nil)
}

// do sends a request and returns the body of a 200. form, when it is there, is
// the prepared body and may set headers.
func (c issuerClient) do(ctx context.Context, method, url string, form *form) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.body)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, errors.New("its address is not usable")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "legwork")
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.SetBasicAuth(form.user, form.password)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, plainCause(err)
	}
	defer func() { _ = res.Body.Close() }() // nothing is lost: it was read
	if res.StatusCode != http.StatusOK {
		return nil, statusError(res.StatusCode)
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, plainCause(err)
	case len(raw) > maxAnswer:
		return nil, fmt.Errorf("its answer is larger than %d bytes", maxAnswer)
	}
	return raw, nil
}

// form is a POST with the credentials of a client.
type form struct{ body, user, password string }

// plainCause says what kind of failure it was, in words of our own: the text of
// an error may quote what the other side sent, and that may quote the token.
func plainCause(err error) error {
	var certificate *tls.CertificateVerificationError
	var dns *net.DNSError
	var number syscall.Errno
	var op *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("it does not answer within %v", fetchTime)
	case errors.Is(err, context.Canceled):
		return errors.New("asking it was cancelled")
	case errors.As(err, &certificate):
		return errors.New("its certificate is not trusted")
	case errors.As(err, &dns):
		return errors.New("its name cannot be resolved")
	case errors.As(err, &number):
		return fmt.Errorf("it cannot be reached: %s", number.Error())
	case errors.As(err, &op):
		return errors.New("it cannot be reached: the connection failed in " + op.Op)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it closes the connection without an answer")
	}
	return errors.New("it cannot be reached, or does not speak HTTP")
}
