package browser

import (
	"encoding/json"
	"net/url"
	"strings"
)

// originOf is the origin of an address as a script sees it, or empty.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	host, scheme := strings.ToLower(u.Host), strings.ToLower(u.Scheme)
	if scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	}
	if scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	}
	return scheme + "://" + host
}

// storageScripts put the entries in place before the page's own scripts look. The
// entries are JSON literals in a fixed text: no part of them can be read as script.
func storageScripts(entries map[string]map[string]string) []InitScript {
	if len(entries) == 0 {
		return nil
	}
	data, err := json.Marshal(entries) // strings only: it cannot fail
	if err != nil {
		return nil
	}
	return []InitScript{{Source: `(function (all) {
		const mine = Object.hasOwn(all, location.origin) ? all[location.origin] : {};
		try {
			for (const name of Object.keys(mine)) if (localStorage.getItem(name) === null) localStorage.setItem(name, mine[name]);
		} catch (refused) { /* a document without storage */ }
	})(` + string(data) + `);`}}
}
