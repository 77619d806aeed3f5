package cli

import (
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// checkAddresses refuses addresses in the settings of a hosted server that would
// quietly mean something else than whoever wrote them thought. It quotes none: a
// secret may have been put into the wrong setting.
func checkAddresses(c *config.Config) error {
	if server := strings.TrimSuffix(c.ServerURL, "/"); server != "" && !isWebOrigin(server) {
		return unusable("MCP_SERVER_URL is not the address of a server.", "Write scheme and host alone, such as https://forms.example.org.")
	}
	for _, origin := range config.List(c.AllowedOrigins) {
		// A browser writes origins in lower case, and never more than this.
		if origin != "null" && (!isOrigin(origin) || strings.ToLower(origin) != origin) {
			return unusable("LEGWORK_ALLOWED_ORIGINS has an entry that is no web origin, so that no page could ever match it.",
				"Write scheme and host in lower case, without a path or a slash at the end, such as https://chat.example.org; leave it empty for any origin.")
		}
	}
	if strings.ContainsAny(c.Auth0Domain, "/@?# ") {
		return unusable("AUTH0_DOMAIN is not a domain.", "Write the domain alone, such as tenant.eu.auth0.com, or set AUTH0_ISSUER to the whole address.")
	}
	if d := c.DatabaseURL; d != "" && !strings.HasPrefix(d, "sqlite:") && !strings.Contains(d, "://") {
		return unusable("LEGWORK_DATABASE_URL does not say which kind of database it is.", "Write postgres://USER:PASSWORD@HOST/DB or sqlite:PATH.")
	}
	return nil
}

// isOrigin reports whether a text is scheme and host, and a port perhaps, alone.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && u.User == nil && u.Scheme != "" && u.Hostname() != "" &&
		strings.EqualFold(u.Scheme+"://"+u.Host, text)
}

// isWebOrigin reports whether a text is an origin that a client can reach over HTTP.
func isWebOrigin(text string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(text), "://")
	return isOrigin(text) && (scheme == "http" || scheme == "https")
}

func unusable(what, action string) error {
	return fault.New(fault.Invalid, "invalid_setting", what, action)
}
