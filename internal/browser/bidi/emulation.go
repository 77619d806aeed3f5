package bidi

// The commands of the module emulation (WebDriver BiDi, 7.4). Each works on all
// contexts of the user contexts, also on those to come.
var (
	SetLocale    = Command[LocaleParams, None]{"emulation.setLocaleOverride"}
	SetTimezone  = Command[TimezoneParams, None]{"emulation.setTimezoneOverride"}
	SetUserAgent = Command[UserAgentParams, None]{"emulation.setUserAgentOverride"}
)

// LocaleParams set the language, a BCP 47 tag.
type LocaleParams struct {
	Locale       string        `json:"locale"`
	UserContexts []UserContext `json:"userContexts,omitempty"`
}

// TimezoneParams set the time zone, an IANA name.
type TimezoneParams struct {
	Timezone     string        `json:"timezone"`
	UserContexts []UserContext `json:"userContexts,omitempty"`
}

// UserAgentParams set the User-Agent.
type UserAgentParams struct {
	UserAgent    string        `json:"userAgent"`
	UserContexts []UserContext `json:"userContexts,omitempty"`
}
