package crawl

import (
	"slices"
	"strings"
)

// tracking are the query parameters that say who sent the visitor or who the
// visitor is, and nothing about the page. Each is documented by the service that
// adds it: Google Analytics and Ads (utm, gclid, ...), Meta (fbclid), Microsoft
// (msclkid), Yandex, HubSpot, Mailchimp, Marketo, Matomo, Adobe, TikTok, X.
var tracking = map[string]bool{
	"gclid": true, "gclsrc": true, "dclid": true, "gbraid": true, "wbraid": true, "gad_source": true, "gad_campaignid": true, "srsltid": true,
	"_ga": true, "_gl": true, "fbclid": true, "igshid": true, "igsh": true, "msclkid": true, "yclid": true, "ysclid": true, "_openstat": true,
	"mc_cid": true, "mc_eid": true, "_hsenc": true, "_hsmi": true, "hsctatracking": true, "__hstc": true, "__hssc": true, "__hsfp": true,
	"mkt_tok": true, "s_cid": true, "ef_id": true, "s_kwcid": true, "ttclid": true, "twclid": true, "li_fat_id": true, "epik": true,
	"vero_id": true, "vero_conv": true, "oly_anon_id": true, "oly_enc_id": true, "wickedid": true, "rb_clickid": true, "sc_cid": true,
	// session ids, which PHP, Java and ColdFusion put into links for visitors without cookies
	"phpsessid": true, "jsessionid": true, "aspsessionid": true, "cfid": true, "cftoken": true,
}

// trackingPrefixes are the families among them.
var trackingPrefixes = []string{"utm_", "pk_", "mtm_", "matomo_", "piwik_", "hsa_"}

func tracks(parameter string) bool {
	name, _, _ := strings.Cut(parameter, "=")
	name = strings.ToLower(name)
	return tracking[name] || slices.ContainsFunc(trackingPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// withoutTracking removes the tracking parameters of a query and keeps the order of
// the others.
func withoutTracking(query string) string {
	if query == "" {
		return ""
	}
	return strings.Join(slices.DeleteFunc(strings.Split(query, "&"), func(p string) bool { return p == "" || tracks(p) }), "&")
}

// withoutSession removes the session ids that Java servers put behind a path.
func withoutSession(path string) string {
	const mark = ";jsessionid="
	for {
		at := strings.Index(strings.ToLower(path), mark)
		if at < 0 {
			return path
		}
		end := at + len(mark)
		if n := strings.IndexAny(path[end:], ";/"); n >= 0 {
			end += n
		} else {
			end = len(path)
		}
		path = path[:at] + path[end:]
	}
}

// ordered sorts parameters by name. Those of one name keep their order, which may
// mean something.
func ordered(query string) string {
	parts := strings.Split(query, "&")
	slices.SortStableFunc(parts, func(a, b string) int {
		x, _, _ := strings.Cut(a, "=")
		y, _, _ := strings.Cut(b, "=")
		return strings.Compare(x, y)
	})
	return strings.Join(parts, "&")
}

// indexFiles are the file names that servers serve for a folder.
var indexFiles = []string{"/index.html", "/index.htm", "/index.php", "/index.jsp", "/index.asp", "/index.aspx", "/index.shtml", "/index.xhtml", "/default.htm", "/default.html", "/default.asp", "/default.aspx"}

// alikePath is the part that paths share which may well mean the same page: letter
// case, a trailing slash, an index file and doubled slashes aside. Only evidence
// from the site makes them one.
func alikePath(path string) string {
	path = strings.ToLower(path)
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	for _, file := range indexFiles {
		if rest, ok := strings.CutSuffix(path, file); ok {
			path = rest
			break
		}
	}
	return strings.TrimRight(path, "/")
}
