package bidi

import (
	"encoding/base64"
	"net/http"
)

// The commands of the modules network and storage (WebDriver BiDi, 7.5 and 7.7).
var (
	AddIntercept     = Command[InterceptParams, InterceptResult]{"network.addIntercept"}
	RemoveIntercept  = Command[InterceptResult, None]{"network.removeIntercept"}
	ContinueRequest  = Command[ContinueParams, None]{"network.continueRequest"}
	ContinueWithAuth = Command[AuthParams, None]{"network.continueWithAuth"}
	SetCookie        = Command[CookieParams, None]{"storage.setCookie"}
)

// InterceptParams hold requests in a phase: beforeRequestSent, responseStarted or
// authRequired. Without patterns it is all of them.
type InterceptParams struct {
	Phases   []string     `json:"phases"`
	Patterns []URLPattern `json:"urlPatterns,omitempty"`
}

// URLPattern fits the addresses of one origin.
type URLPattern struct {
	Type     string `json:"type"` // pattern
	Protocol string `json:"protocol,omitempty"`
	Hostname string `json:"hostname,omitempty"`
	Port     string `json:"port,omitempty"`
}

// InterceptResult names the intercept.
type InterceptResult struct {
	Intercept string `json:"intercept"`
}

// ContinueParams let a held request go on, with these headers when there are any.
type ContinueParams struct {
	Request string   `json:"request"`
	Headers []Header `json:"headers,omitempty"`
}

// AuthParams answer a server that asks for a password. Action is default or cancel.
type AuthParams struct {
	Request string `json:"request"`
	Action  string `json:"action"`
}

// Header is one field of a message.
type Header struct {
	Name  string `json:"name"`
	Value Bytes  `json:"value"`
}

// Bytes are a string, or bytes in Base64 when they are no UTF-8.
type Bytes struct {
	Type  string `json:"type"` // string or base64
	Value string `json:"value"`
}

// Text are bytes that are a string.
func Text(s string) Bytes { return Bytes{Type: "string", Value: s} }

// String is what the bytes are, as they came.
func (b Bytes) String() string {
	if b.Type == "base64" {
		if raw, err := base64.StdEncoding.DecodeString(b.Value); err == nil {
			return string(raw)
		}
	}
	return b.Value
}

// HeaderOf gathers the fields of a message.
func HeaderOf(fields []Header) http.Header {
	h := http.Header{}
	for _, f := range fields {
		h.Add(f.Name, f.Value.String())
	}
	return h
}

// CookieParams set a cookie for a user context.
type CookieParams struct {
	Cookie    Cookie           `json:"cookie"`
	Partition *CookiePartition `json:"partition,omitempty"`
}

// CookiePartition says whose cookies they are.
type CookiePartition struct {
	Type        string      `json:"type"` // storageKey
	UserContext UserContext `json:"userContext,omitempty"`
}

// Cookie is one cookie. SameSite is strict, lax, none or default.
type Cookie struct {
	Name     string `json:"name"`
	Value    Bytes  `json:"value"`
	Domain   string `json:"domain"`
	Path     string `json:"path,omitempty"`
	HTTPOnly bool   `json:"httpOnly,omitempty"`
	Secure   bool   `json:"secure,omitempty"`
	SameSite string `json:"sameSite,omitempty"`
	Expiry   int64  `json:"expiry,omitempty"` // seconds since 1970
}

// The events of the module network that are known here.
const (
	BeforeRequestSent = "network.beforeRequestSent"
	ResponseStarted   = "network.responseStarted"
	ResponseCompleted = "network.responseCompleted"
	FetchError        = "network.fetchError"
	AuthRequired      = "network.authRequired"
)

// RequestInfo is the parameter of the events of requests.
type RequestInfo struct {
	Context    ContextID `json:"context"`
	Blocked    bool      `json:"isBlocked"`
	Navigation string    `json:"navigation"` // that it is the document of
	Request    struct {
		Request     string   `json:"request"` // its id, which redirects keep
		URL         string   `json:"url"`
		Destination string   `json:"destination"`   // as in Fetch
		Initiator   string   `json:"initiatorType"` // as in Resource Timing
		Headers     []Header `json:"headers"`
	} `json:"request"`
	Response struct {
		URL     string   `json:"url"`
		Status  int      `json:"status"`
		Headers []Header `json:"headers"`
	} `json:"response"`
	ErrorText string `json:"errorText"`
}
