package reach

import (
	"crypto/tls"
	"net/http"
	"time"
)

// Limits of one exchange.
const (
	handshakeLimit = 10 * time.Second
	answerLimit    = 20 * time.Second
	headerLimit    = 16 << 10 // bytes
)

// NewClient is an HTTP client for addresses that strangers choose. It connects
// through d, does not follow redirects (it returns them), keeps no connections and
// no cookies, and ends each exchange after timeout. roots may be nil.
func NewClient(d *Dialer, roots *tls.Config, timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			DialContext: d.DialContext, Proxy: nil, TLSClientConfig: roots, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: handshakeLimit, ResponseHeaderTimeout: answerLimit, MaxResponseHeaderBytes: headerLimit,
			DisableKeepAlives: true, DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
