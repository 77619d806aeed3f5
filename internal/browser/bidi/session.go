package bidi

import "encoding/json"

// The commands of the module session (WebDriver BiDi, 7.1).
var (
	SessionNew       = Command[NewParams, NewResult]{"session.new"}
	SessionSubscribe = Command[SubscribeParams, None]{"session.subscribe"}
	SessionStatus    = Command[None, None]{"session.status"}
)

// NewParams asks for a session.
type NewParams struct {
	Capabilities Capabilities `json:"capabilities"`
}

// Capabilities are what the browser must be able to do.
type Capabilities struct {
	AlwaysMatch AlwaysMatch `json:"alwaysMatch"`
}

// AlwaysMatch are the capabilities that have no alternative.
type AlwaysMatch struct {
	// Prompts says who answers message boxes: by kind, or under "default",
	// "accept", "dismiss" or "ignore", which leaves them to the client.
	Prompts             map[string]string `json:"unhandledPromptBehavior,omitempty"`
	AcceptInsecureCerts bool              `json:"acceptInsecureCerts,omitempty"`
}

// NewResult says what the browser is.
type NewResult struct {
	SessionID    string `json:"sessionId"`
	Capabilities struct {
		BrowserName    string          `json:"browserName"`
		BrowserVersion string          `json:"browserVersion"`
		UserAgent      string          `json:"userAgent"`
		Proxy          json.RawMessage `json:"proxy"`
	} `json:"capabilities"`
}

// SubscribeParams names the events to send, or whole modules.
type SubscribeParams struct {
	Events []string `json:"events"`
}

// The commands of the module browser (WebDriver BiDi, 7.2).
var (
	BrowserClose        = Command[None, None]{"browser.close"}
	CreateUserContext   = Command[UserContextParams, UserContextResult]{"browser.createUserContext"}
	RemoveUserContext   = Command[UserContextResult, None]{"browser.removeUserContext"}
	SetDownloadBehavior = Command[DownloadBehaviorParams, None]{"browser.setDownloadBehavior"}
)

// UserContext is the id of a set of cookies, storage and cache.
type UserContext string

// UserContextParams say what a new user context is like.
type UserContextParams struct {
	Proxy   *Proxy            `json:"proxy,omitempty"`
	Prompts map[string]string `json:"unhandledPromptBehavior,omitempty"`
}

// Proxy is a proxy configuration; NoProxy lists hosts that are reached without it.
type Proxy struct {
	Type string `json:"proxyType"`
	HTTP string `json:"httpProxy,omitempty"`
	SSL  string `json:"sslProxy,omitempty"`
}

// UserContextResult names a user context.
type UserContextResult struct {
	UserContext UserContext `json:"userContext"`
}

// DownloadBehaviorParams say what becomes of downloads.
type DownloadBehaviorParams struct {
	Behavior     *DownloadBehavior `json:"downloadBehavior"`
	UserContexts []UserContext     `json:"userContexts,omitempty"`
}

// DownloadBehavior is "allowed" into a folder, or "denied".
type DownloadBehavior struct {
	Type   string `json:"type"`
	Folder string `json:"destinationFolder,omitempty"`
}
