package crawl

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"syscall"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// denied is the refusal of a client that is guarded against private addresses.
func denied(err error) *fault.Error {
	var f *fault.Error
	if errors.As(err, &f) && f.Kind == fault.Denied {
		return f
	}
	return nil
}

// hopeless reports an error that no other try changes: an address that is never
// allowed, a host that is not known, a certificate that is not valid.
func hopeless(err error) bool {
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	return denied(err) != nil || errors.As(err, &dns) && dns.IsNotFound || errors.As(err, &cert)
}

// because says why a request had no answer, in words that are the same every time:
// the texts of the network have port numbers in them.
func because(err error) string {
	var dns *net.DNSError
	var wait net.Error
	var cert *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var no *refused
	switch f := denied(err); {
	case f != nil:
		return f.Message
	case errors.As(err, &no):
		return "redirects to what is no address of a page: " + no.detail
	case errors.Is(err, errRedirects):
		return errRedirects.Error()
	case errors.As(err, &dns):
		return "the host name is not known"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &wait) && wait.Timeout():
		return "no answer in time"
	case errors.As(err, &cert), errors.As(err, &unknown), errors.As(err, &name):
		return "the certificate is not valid"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the connection was reset"
	}
	return "the connection failed"
}
