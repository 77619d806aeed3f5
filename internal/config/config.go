package config

import (
	"slices"
	"strings"
	"time"
)

// Config is every setting. The tags are the whole definition: the name in the
// settings file, the environment variables in order of precedence (the names of
// the specifications after our own), default, bounds, unit of a bare number, and
// what the setting is for.
type Config struct {
	Addr string `name:"addr" env:"LEGWORK_ADDR" doc:"HOST:PORT that 'legwork http' listens on; empty: 127.0.0.1 and port"`
	Port int    `name:"port" env:"LEGWORK_PORT,PORT" default:"8080" min:"0" max:"65535" doc:"port on 127.0.0.1; 0 takes a free one"`

	DataDir    string `name:"data_dir" env:"LEGWORK_DATA_DIR" default:"DATA" doc:"folder for what the program keeps"`
	WizardsDir string `name:"wizards_dir" env:"LEGWORK_WIZARDS_DIR,FEDERALRUNNER_WIZARDS_DIR,FEDERALSCOUT_WIZARDS_DIR" default:"DATA/wizards" doc:"folder of your wizards: wizard-structures/ and data-schemas/"`
	UploadsDir string `name:"uploads_dir" env:"LEGWORK_UPLOADS_DIR" default:"DATA/uploads" doc:"the only folder that files are uploaded from"`

	BrowserEngine    string `name:"browser_engine" env:"LEGWORK_BROWSER_ENGINE,FEDERALRUNNER_BROWSER_TYPE" enum:"chromium,chromium-headless-shell,firefox,webkit" doc:"empty: the best Chromium that is installed"`
	BrowserPath      string `name:"browser_path" env:"LEGWORK_BROWSER_PATH" doc:"browser binary; empty: search"`
	BrowserURLs      string `name:"browser_urls" env:"LEGWORK_BROWSER_URLS" secret:"true" doc:"Chromium that runs already, used instead of one of this program's own: http://HOST:PORT of the DevTools protocol or of a WebDriver that gives Chromium (a Selenium Grid, a chromedriver), or ws:// addresses, separated by commas; webkit+http://HOST:PORT is a WebKitWebDriver, used instead of WebKit of this machine"`
	BrowserGuardHost string `name:"browser_guard_host" env:"LEGWORK_BROWSER_GUARD_HOST" doc:"address of this machine at which those browsers reach it; empty: loopback"`
	BrowserHeadless  bool   `name:"browser_headless" env:"LEGWORK_BROWSER_HEADLESS,FEDERALRUNNER_HEADLESS" default:"true" doc:"false shows the browser window"`
	BrowserSandbox   *bool  `name:"browser_sandbox" env:"LEGWORK_BROWSER_SANDBOX" doc:"empty: on unless run as root"`
	MaxBrowsers      int    `name:"max_browsers" env:"LEGWORK_MAX_BROWSERS" default:"1" min:"1" max:"64" doc:"browsers at the same time"`
	TabsPerBrowser   int    `name:"tabs_per_browser" env:"LEGWORK_TABS_PER_BROWSER" default:"0" min:"0" max:"256" doc:"runs at the same time in one browser; 0: two per core"`
	AllowPrivate     bool   `name:"allow_private" env:"LEGWORK_ALLOW_PRIVATE" default:"false" doc:"let forms use private, loopback and metadata addresses"`

	ExecutionTimeout  time.Duration `name:"execution_timeout" env:"LEGWORK_EXECUTION_TIMEOUT,FEDERALRUNNER_EXECUTION_TIMEOUT" default:"240s" unit:"s" min:"1s" max:"1h" doc:"most time of one execution"`
	WaitTime          time.Duration `name:"wait_time" env:"LEGWORK_WAIT_TIME" default:"45s" unit:"s" min:"1s" max:"10m" doc:"how long a call waits for its execution before it returns a run id"`
	NavigationTimeout time.Duration `name:"navigation_timeout" env:"LEGWORK_NAVIGATION_TIMEOUT,FEDERALRUNNER_NAVIGATION_TIMEOUT" default:"30s" unit:"ms" min:"1s" max:"10m" doc:"most time of one attempt to load the first page"`
	ElementTimeout    time.Duration `name:"element_timeout" env:"LEGWORK_ELEMENT_TIMEOUT,FEDERALRUNNER_ELEMENT_TIMEOUT" default:"10s" unit:"ms" min:"100ms" max:"2m" doc:"most time for one field to appear"`
	RunRetention      time.Duration `name:"run_retention" env:"LEGWORK_RUN_RETENTION" default:"1h" unit:"s" min:"1m" max:"168h" doc:"how long results stay in memory"`
	Grace             time.Duration `name:"grace" env:"LEGWORK_GRACE" default:"30s" unit:"s" min:"1s" max:"10m" doc:"how long running calls may go on after a signal to stop"`

	ScreenshotQuality int `name:"screenshot_quality" env:"LEGWORK_SCREENSHOT_QUALITY,FEDERALRUNNER_SCREENSHOT_QUALITY" default:"80" min:"10" max:"100" doc:"JPEG quality of pictures"`
	ScreenshotMaxKB   int `name:"screenshot_max_kb" env:"LEGWORK_SCREENSHOT_MAX_KB,FEDERALRUNNER_SCREENSHOT_MAX_SIZE_KB" default:"100" min:"10" max:"2000" doc:"most kB of one picture in a result"`
	ViewportWidth     int `name:"viewport_width" env:"LEGWORK_VIEWPORT_WIDTH,FEDERALRUNNER_VIEWPORT_WIDTH" default:"1280" min:"320" max:"3840" doc:"width of the browser window in pixels"`
	ViewportHeight    int `name:"viewport_height" env:"LEGWORK_VIEWPORT_HEIGHT,FEDERALRUNNER_VIEWPORT_HEIGHT" default:"1024" min:"240" max:"4320" doc:"height of the browser window in pixels"`

	ScoutSessions          int           `name:"scout_sessions" env:"LEGWORK_SCOUT_SESSIONS" default:"8" min:"1" max:"64" doc:"forms that are explored at the same time, each with a browser tab of its own"`
	ScoutSessionTimeout    time.Duration `name:"scout_session_timeout" env:"LEGWORK_SCOUT_SESSION_TIMEOUT,FEDERALSCOUT_SESSION_TIMEOUT" default:"30m" unit:"s" min:"1s" max:"24h" doc:"an exploration that nobody uses ends after it; its saved pages stay"`
	ScoutNavigationTimeout time.Duration `name:"scout_navigation_timeout" env:"LEGWORK_SCOUT_NAVIGATION_TIMEOUT,FEDERALSCOUT_NAVIGATION_TIMEOUT" default:"30s" unit:"ms" min:"1s" max:"2m" doc:"most time for a page to load while it is explored"`
	ScoutElementTimeout    time.Duration `name:"scout_element_timeout" env:"LEGWORK_SCOUT_ELEMENT_TIMEOUT,FEDERALSCOUT_ELEMENT_TIMEOUT" default:"10s" unit:"ms" min:"100ms" max:"2m" doc:"most time for one element while a form is explored"`
	ScoutMaxElements       int           `name:"scout_max_html_elements" env:"LEGWORK_SCOUT_MAX_HTML_ELEMENTS,FEDERALSCOUT_MAX_HTML_ELEMENTS" default:"50" min:"1" max:"500" doc:"most elements of one kind in one answer about a page"`
	ScoutScreenshotQuality int           `name:"scout_screenshot_quality" env:"LEGWORK_SCOUT_SCREENSHOT_QUALITY,FEDERALSCOUT_SCREENSHOT_QUALITY" default:"60" min:"10" max:"100" doc:"JPEG quality of pictures of an exploration"`
	ScoutScreenshotMaxKB   int           `name:"scout_screenshot_max_kb" env:"LEGWORK_SCOUT_SCREENSHOT_MAX_KB,FEDERALSCOUT_SCREENSHOT_MAX_SIZE_KB" default:"120" min:"10" max:"2000" doc:"most kB of one picture of an exploration"`
	ScoutViewportWidth     int           `name:"scout_viewport_width" env:"LEGWORK_SCOUT_VIEWPORT_WIDTH,FEDERALSCOUT_VIEWPORT_WIDTH" default:"1200" min:"320" max:"3000" doc:"width of the window of an exploration in pixels"`
	ScoutViewportHeight    int           `name:"scout_viewport_height" env:"LEGWORK_SCOUT_VIEWPORT_HEIGHT,FEDERALSCOUT_VIEWPORT_HEIGHT" default:"1400" min:"320" max:"3000" doc:"height of the window of an exploration in pixels"`

	ScansDir      string        `name:"scans_dir" env:"LEGWORK_SCANS_DIR" default:"DATA/scans" doc:"folder of the accessibility scans: config/, base_urls/ and results/ as CWAC has them, and the registry"`
	CWACPath      string        `name:"cwac_path" env:"LEGWORK_CWAC_PATH,CWAC_PATH" doc:"folder of a CWAC installation that scans instead of the native engine; empty: none"`
	CWACPython    string        `name:"cwac_python" env:"LEGWORK_CWAC_PYTHON" doc:"Python interpreter of that installation; empty: its .venv, or the best that is found"`
	MaxScans      int           `name:"max_scans" env:"LEGWORK_MAX_SCANS" default:"2" min:"1" max:"64" doc:"accessibility scans at the same time, each with a browser of its own"`
	ScanMaxPages  int           `name:"scan_max_pages" env:"LEGWORK_SCAN_MAX_PAGES" default:"5000" min:"1" max:"100000" doc:"most pages of one accessibility scan"`
	ScanTimeout   time.Duration `name:"scan_timeout" env:"LEGWORK_SCAN_TIMEOUT" default:"4h" unit:"s" min:"10s" max:"168h" doc:"most time of one accessibility scan"`
	ScanRetention time.Duration `name:"scan_retention" env:"LEGWORK_SCAN_RETENTION" default:"2160h" unit:"s" min:"1h" max:"87600h" doc:"how long scans that were started by tools are kept"`

	TesterCommands    bool          `name:"mcptest_allow_commands" env:"LEGWORK_MCPTEST_ALLOW_COMMANDS" default:"false" doc:"callers of 'legwork http' may have servers under test started as commands of this machine; over stdio they always may"`
	TesterSecrets     string        `name:"mcptest_secrets" env:"LEGWORK_MCPTEST_SECRETS" doc:"names of environment variables, separated by commas, that the user of this machine may send to servers under test as ${ENV:NAME}; those that begin with MCPTEST_ always"`
	TesterSecretsDir  string        `name:"mcptest_secrets_dir" env:"LEGWORK_MCPTEST_SECRETS_DIR" default:"DATA/mcptest/secrets" doc:"the only folder of which ${FILE:NAME} names files"`
	TesterConnections int           `name:"mcptest_connections" env:"LEGWORK_MCPTEST_CONNECTIONS" default:"64" min:"1" max:"1000" doc:"connections to servers under test at the same time"`
	TesterIdle        time.Duration `name:"mcptest_idle" env:"LEGWORK_MCPTEST_IDLE" default:"30m" unit:"s" min:"10s" max:"24h" doc:"a connection to a server under test that nobody uses is closed after it"`

	BountyURL      string `name:"bounty_url" env:"LEGWORK_BOUNTY_URL,BASE_URL" default:"http://127.0.0.1:8090" doc:"address of the bounty board that the server bounty asks, such as https://board.example.org; default: that of legwork board on this machine"`
	BountyAccount  string `name:"bounty_account_id" env:"LEGWORK_BOUNTY_ACCOUNT_ID,DEFAULT_AI_ACCOUNT_ID" doc:"account on the board of calls that name none; needs its key too"`
	BountyKey      string `name:"bounty_api_key" env:"LEGWORK_BOUNTY_API_KEY,DEFAULT_AI_API_KEY" secret:"true" doc:"key of that account"`
	BountyProfiles string `name:"bounty_profiles_dir" env:"LEGWORK_BOUNTY_PROFILES_DIR" default:"DATA/bounty/profiles" doc:"folder of the accounts that connect_agent_account remembers, readable by you alone"`
	BountyFloorUSD int    `name:"bounty_min_usd_cents" env:"LEGWORK_BOUNTY_MIN_USD_CENTS" default:"500" min:"1" max:"1000000" doc:"least budget of a task in US cents; less is refused before the board is asked"`
	BountyFloorJPY int    `name:"bounty_min_jpy" env:"LEGWORK_BOUNTY_MIN_JPY" default:"750" min:"1" max:"1000000" doc:"the same in yen"`

	PracticeAddr    string `name:"practice_addr" env:"LEGWORK_PRACTICE_ADDR" doc:"HOST:PORT of a practice site that already runs; empty: start one when needed"`
	PracticeWidgets bool   `name:"practice_widgets" env:"LEGWORK_PRACTICE_WIDGETS" default:"false" doc:"also offer a wizard for each practice page of a single widget"`

	BoardAddr        string `name:"board_addr" env:"LEGWORK_BOARD_ADDR" default:"127.0.0.1:8090" doc:"HOST:PORT that 'legwork board' listens on"`
	BoardDatabaseURL string `name:"board_database_url" env:"LEGWORK_BOARD_DATABASE_URL" secret:"true" doc:"where the board keeps everything: postgres://USER:PASSWORD@HOST/DB, or sqlite:PATH; empty: board.db in board_dir"`
	BoardDir         string `name:"board_dir" env:"LEGWORK_BOARD_DIR" default:"DATA/board" doc:"folder of the board: database, files that people upload, secrets that it made"`
	BoardURL         string `name:"board_url" env:"LEGWORK_BOARD_URL" doc:"address under which people and agents reach the board, such as https://board.example.org; needed beyond this machine, where it must be https: a proxy in front ends TLS"`
	BoardProxies     string `name:"board_proxies" env:"LEGWORK_BOARD_PROXIES" doc:"addresses or prefixes of proxies whose X-Forwarded-For is believed, separated by commas; empty: none"`
	BoardPepper      string `name:"board_pepper" env:"LEGWORK_BOARD_PEPPER" secret:"true" doc:"what keys and sessions are hashed with, 32 characters or more; empty: made once and kept in board_dir"`
	BoardSigningKey  string `name:"board_signing_key" env:"LEGWORK_BOARD_SIGNING_KEY" secret:"true" doc:"what links to files are signed with, 32 characters or more; empty: made once and kept in board_dir"`
	BoardOperators   string `name:"board_operators" env:"LEGWORK_BOARD_OPERATORS" doc:"mail addresses of the people who run the board, separated by commas"`
	BoardFeeBPS      int    `name:"board_fee_bps" env:"LEGWORK_BOARD_FEE_BPS" default:"2000" min:"0" max:"5000" doc:"fee of the board in hundredths of a per cent of a budget"`
	BoardMinUSD      int    `name:"board_min_usd_cents" env:"LEGWORK_BOARD_MIN_USD_CENTS" default:"500" min:"1" max:"100000" doc:"least budget of a task in US cents"`
	BoardMinJPY      int    `name:"board_min_jpy" env:"LEGWORK_BOARD_MIN_JPY" default:"750" min:"1" max:"100000" doc:"least budget of a task in yen"`
	BoardCapUSD      int    `name:"board_daily_cap_usd_cents" env:"LEGWORK_BOARD_DAILY_CAP_USD_CENTS" default:"50000" min:"1" max:"2000000000" doc:"what an agent without a cap of its own may promise in a day, in US cents"`
	BoardCapJPY      int    `name:"board_daily_cap_jpy" env:"LEGWORK_BOARD_DAILY_CAP_JPY" default:"75000" min:"1" max:"2000000000" doc:"the same for tasks in yen"`
	BoardUSDJPY      int    `name:"board_usd_jpy" env:"LEGWORK_BOARD_USD_JPY" default:"150" min:"1" max:"1000" doc:"yen of a dollar, only to show what a task in yen is about in dollars"`
	BoardCalls       int    `name:"board_calls_per_minute" env:"LEGWORK_BOARD_CALLS_PER_MINUTE" default:"600" min:"1" max:"1000000" doc:"calls of one account or person in a minute; who shows no credentials has a fifth of it, by address"`
	BoardDevMail     bool   `name:"board_dev_mail" env:"LEGWORK_BOARD_DEV_MAIL" default:"false" doc:"keep mails in the database and show them at /dev/mail instead of sending them; never beyond this machine"`
	BoardSMTP        string `name:"board_smtp_url" env:"LEGWORK_BOARD_SMTP_URL" secret:"true" doc:"how mails are sent: smtp://USER:PASSWORD@HOST:PORT or smtps://; empty: not at all"`
	BoardMailFrom    string `name:"board_mail_from" env:"LEGWORK_BOARD_MAIL_FROM" doc:"sender of mails"`

	BoardGoogleID     string `name:"board_google_client_id" env:"LEGWORK_BOARD_GOOGLE_CLIENT_ID" doc:"client of Google's sign-in; empty: people cannot sign in with Google"`
	BoardGoogleSecret string `name:"board_google_client_secret" env:"LEGWORK_BOARD_GOOGLE_CLIENT_SECRET" secret:"true" doc:"its secret"`
	BoardLINEID       string `name:"board_line_channel_id" env:"LEGWORK_BOARD_LINE_CHANNEL_ID" doc:"channel of LINE Login; empty: people cannot sign in with LINE"`
	BoardLINESecret   string `name:"board_line_channel_secret" env:"LEGWORK_BOARD_LINE_CHANNEL_SECRET" secret:"true" doc:"its secret"`
	BoardLINEToken    string `name:"board_line_message_token" env:"LEGWORK_BOARD_LINE_MESSAGE_TOKEN" secret:"true" doc:"channel access token of the board's LINE account, of the same provider as the channel of LINE Login; empty: nobody is told by LINE"`
	BoardOIDCIssuer   string `name:"board_oidc_issuer" env:"LEGWORK_BOARD_OIDC_ISSUER" doc:"another issuer of OpenID Connect that people sign in with; its word on addresses is believed"`
	BoardOIDCName     string `name:"board_oidc_name" env:"LEGWORK_BOARD_OIDC_NAME" default:"OpenID" doc:"what people call that issuer"`
	BoardOIDCID       string `name:"board_oidc_client_id" env:"LEGWORK_BOARD_OIDC_CLIENT_ID" doc:"client of the board there"`
	BoardOIDCSecret   string `name:"board_oidc_client_secret" env:"LEGWORK_BOARD_OIDC_CLIENT_SECRET" secret:"true" doc:"its secret"`

	LogLevel  string `name:"log_level" env:"LEGWORK_LOG_LEVEL" default:"info" enum:"debug,info,warn,error" doc:"least level that is logged, to stderr"`
	LogFormat string `name:"log_format" env:"LEGWORK_LOG_FORMAT" enum:"text,json" doc:"empty: json for 'legwork http', text otherwise"`

	Metrics            bool   `name:"metrics" env:"LEGWORK_METRICS" default:"true" doc:"'legwork http' answers /metrics, for Prometheus; with a login it needs the scope metrics:read"`
	OTLPEndpoint       string `name:"otlp_endpoint" env:"LEGWORK_OTLP_ENDPOINT,OTEL_EXPORTER_OTLP_ENDPOINT" doc:"base URL of a collector that 'legwork http' sends traces to, such as http://127.0.0.1:4318; empty: none"`
	OTLPTracesEndpoint string `name:"otlp_traces_endpoint" env:"LEGWORK_OTLP_TRACES_ENDPOINT,OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" doc:"whole URL for traces, instead of otlp_endpoint"`
	OTLPHeaders        string `name:"otlp_headers" env:"LEGWORK_OTLP_HEADERS,OTEL_EXPORTER_OTLP_TRACES_HEADERS,OTEL_EXPORTER_OTLP_HEADERS" secret:"true" doc:"headers for the collector: NAME=VALUE pairs with commas between"`
	ServiceName        string `name:"service_name" env:"LEGWORK_SERVICE_NAME,OTEL_SERVICE_NAME" default:"legwork" doc:"name of this server in traces"`
	TracePercent       int    `name:"trace_percent" env:"LEGWORK_TRACE_PERCENT" default:"100" min:"1" max:"100" doc:"share of the traces that is sent"`
	AuditLog           string `name:"audit_log" env:"LEGWORK_AUDIT_LOG" doc:"file in which 'legwork http' keeps who ran what and when, without values, as a chain of hashes; empty: none"`
	AuditRequired      bool   `name:"audit_required" env:"LEGWORK_AUDIT_REQUIRED" default:"true" doc:"calls that change something are refused while the audit log cannot be written"`
	AuditMaxMB         int    `name:"audit_max_mb" env:"LEGWORK_AUDIT_MAX_MB" default:"64" min:"1" max:"10240" doc:"size in MB at which a new audit file is begun; old ones stay"`

	Issuer             string        `name:"issuer" env:"LEGWORK_ISSUER,AUTH0_ISSUER" doc:"authorization server whose tokens 'legwork http' accepts, exactly as its tokens name it; empty: https://AUTH0_DOMAIN/"`
	Auth0Domain        string        `name:"auth0_domain" env:"AUTH0_DOMAIN" doc:"domain of an Auth0 tenant, when there is no issuer"`
	Audience           string        `name:"audience" env:"LEGWORK_AUDIENCE,AUTH0_API_AUDIENCE" doc:"names of this server in tokens, separated by commas; its own addresses always count"`
	ServerURL          string        `name:"server_url" env:"LEGWORK_SERVER_URL,MCP_SERVER_URL" doc:"address under which clients reach 'legwork http', such as https://forms.example.org; needed beyond this machine"`
	JWKSURL            string        `name:"jwks_url" env:"LEGWORK_JWKS_URL" doc:"where the issuer's keys are; empty: its metadata tells"`
	IntrospectionURL   string        `name:"introspection_url" env:"LEGWORK_INTROSPECTION_URL" doc:"where the issuer answers about opaque tokens; empty: its metadata tells"`
	IntrospectionID    string        `name:"introspection_client_id" env:"LEGWORK_INTROSPECTION_CLIENT_ID,AUTH0_CLIENT_ID" doc:"client as which opaque tokens are asked about; empty: opaque tokens are refused"`
	IntrospectionKey   string        `name:"introspection_client_secret" env:"LEGWORK_INTROSPECTION_CLIENT_SECRET,AUTH0_CLIENT_SECRET" secret:"true" doc:"secret of that client"`
	IntrospectionCache time.Duration `name:"introspection_cache" env:"LEGWORK_INTROSPECTION_CACHE" default:"30s" unit:"s" min:"1s" max:"1h" doc:"how long an answer about an opaque token is believed, and so how long a revoked one works"`
	TokenLeeway        time.Duration `name:"token_leeway" env:"LEGWORK_TOKEN_LEEWAY" default:"30s" unit:"s" min:"1s" max:"5m" doc:"how far the issuer's clock may differ, and so how long an expired token still works"`
	TokensFile         string        `name:"tokens_file" env:"LEGWORK_TOKENS_FILE" doc:"file of tokens that 'legwork token' makes, for servers without an issuer or beside it"`
	AllowedOrigins     string        `name:"allowed_origins" env:"LEGWORK_ALLOWED_ORIGINS" doc:"web origins whose pages may call, separated by commas; empty: any, since every call needs a token"`
	DatabaseURL        string        `name:"database_url" env:"LEGWORK_DATABASE_URL" secret:"true" doc:"where calls are counted when several servers share their limits: postgres://USER:PASSWORD@HOST/DB, or sqlite:PATH; empty: in memory"`
	MaxSessions        int           `name:"max_sessions" env:"LEGWORK_MAX_SESSIONS" default:"256" min:"1" max:"100000" doc:"protocol sessions that clients may have open together"`
	SessionIdle        time.Duration `name:"session_idle" env:"LEGWORK_SESSION_IDLE" default:"30m" unit:"s" min:"1s" max:"24h" doc:"a protocol session that nobody uses ends after it"`
	RateLimits         string        `name:"rate_limits" env:"LEGWORK_RATE_LIMITS" doc:"other limits than the built-in ones, such as federalrunner_execute_wizard=50/1h:burst=5,*=off; 'all' is everything that one caller does; off: none at all"`

	origins map[string]string
	notes   []string
}

// Notes are settings that are accepted but do not do what they say.
func (c *Config) Notes() []string {
	return slices.Clone(c.notes)
}

// TokenIssuer is the authorization server whose tokens are accepted: "" when none
// is configured.
func (c *Config) TokenIssuer() string {
	if c.Issuer == "" && c.Auth0Domain != "" {
		return "https://" + c.Auth0Domain + "/"
	}
	return c.Issuer
}

// List splits the value of a setting that is written with commas.
func List(value string) []string {
	var out []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// IsDefault reports whether nobody chose the setting.
func (c *Config) IsDefault(name string) bool {
	origin := c.origins[name]
	return origin == "" || origin == "default"
}
