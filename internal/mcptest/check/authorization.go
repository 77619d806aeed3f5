package check

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// maxMetadata is the most that is read of a metadata document, in bytes.
const maxMetadata = 1 << 20

var metadataParameter = lazyregexp.New(`resource_metadata\s*=\s*(?:"([^"]*)"|([^\s,"]+))`)

// authorization follows what a 401 says: the protected resource metadata (RFC 9728),
// then the metadata of the authorization server (RFC 8414, OpenID Connect Discovery).
// Each candidate is asked in the order in which clients do (MCP 2025-11-25,
// Authorization Server Discovery).
func (r *run) authorization(ctx context.Context, failed *wire.Error) outcome {
	if r.target.Headers.Get("Authorization") != "" {
		return outcome{detail: fmt.Sprintf("The server answers %d to the credentials that were given.", failed.Status()), next: "Check that the token is alive, is meant for this server (aud) and has the scopes."}
	}
	named := ""
	if failed.HTTP != nil {
		all := failed.HTTP.Header.Values("WWW-Authenticate")
		if len(all) == 0 && failed.Status() == http.StatusUnauthorized {
			r.add("auth-no-challenge", spot{"connection", "", fmt.Sprintf("%d without WWW-Authenticate", failed.Status())})
		}
		if m := metadataParameter.FindStringSubmatch(strings.Join(all, ", ")); m != nil {
			named = m[1] + m[2]
		}
	}
	var tried []string
	for _, candidate := range resourceCandidates(r.target.URL, named) {
		meta, note := r.metadata(ctx, candidate, "prm-invalid")
		tried = append(tried, note)
		if meta == nil {
			continue
		}
		found := candidate
		if candidate == named {
			found = ""
		}
		return r.resource(ctx, meta, found, tried)
	}
	if place := behindPath(r.target.URL); place != "" {
		meta, note := r.metadata(ctx, place, "") // a page is no fault where no client looks
		tried = append(tried, note)
		if meta != nil {
			r.add("prm-misplaced", spot{"authorization", "", strings.Join(tried, "; ")})
			return outcome{detail: strings.Join(tried, "; "), next: rules["prm-misplaced"].fix}
		}
	}
	r.add("prm-missing", spot{"authorization", "", strings.Join(tried, "; ")})
	return outcome{detail: strings.Join(tried, "; "), next: rules["prm-missing"].fix}
}

// knownResource is where protected resource metadata are (RFC 9728, 3.1).
const knownResource = "/.well-known/oauth-protected-resource"

// behindPath is where some put protected resource metadata, and no client looks: behind
// the path of the endpoint instead of before it (RFC 9728, 3.1).
func behindPath(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil || strings.Trim(u.Path, "/") == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host + strings.TrimSuffix(u.EscapedPath(), "/") + knownResource
}

// resourceCandidates are where protected resource metadata may be, the named one first.
func resourceCandidates(endpoint, named string) []string {
	var out []string
	if named != "" {
		out = append(out, named)
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		return out
	}
	if path := strings.TrimSuffix(u.EscapedPath(), "/"); path != "" {
		out = append(out, u.Scheme+"://"+u.Host+knownResource+path)
	}
	out = append(out, u.Scheme+"://"+u.Host+knownResource)
	return compact(out)
}

func compact(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// issuerCandidates are where the metadata of an issuer may be.
func issuerCandidates(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" {
		return nil
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	return compact([]string{
		origin + "/.well-known/oauth-authorization-server" + path,
		origin + "/.well-known/openid-configuration" + path,
		origin + path + "/.well-known/openid-configuration",
	})
}

// resource checks protected resource metadata, and goes on to the issuers. Metadata that
// a challenge names are for the address that was asked; such that were found somewhere
// are for the address from which that is made, which for those of an origin is the
// origin (RFC 9728, 3.3).
func (r *run) resource(ctx context.Context, meta map[string]any, found string, tried []string) outcome {
	resource, _ := meta["resource"].(string)
	origin, atOrigin := strings.CutSuffix(found, knownResource)
	same := func(address string) bool {
		return strings.TrimSuffix(resource, "/") == strings.TrimSuffix(address, "/")
	}
	if !same(r.target.URL) && (!atOrigin || !same(origin)) {
		r.add("prm-resource", spot{"protected resource metadata", "/resource", fmt.Sprintf("resource is %q, the endpoint is %q", resource, r.target.URL)})
	}
	issuers, _ := meta["authorization_servers"].([]any)
	if len(issuers) == 0 {
		r.add("prm-invalid", spot{"protected resource metadata", "/authorization_servers", shown(meta)})
	}
	for n, v := range issuers[:min(len(issuers), 3)] {
		issuer, _ := v.(string)
		tried = append(tried, r.issuer(ctx, issuer, n)...)
	}
	return outcome{detail: strings.Join(tried, "; "), next: rules["auth-required"].fix}
}

func (r *run) issuer(ctx context.Context, issuer string, n int) []string {
	var tried []string
	for _, candidate := range issuerCandidates(issuer) {
		meta, note := r.metadata(ctx, candidate, "as-metadata-invalid")
		tried = append(tried, note)
		if meta == nil {
			continue
		}
		if meta["issuer"] != issuer {
			r.add("as-issuer", spot{"authorization server metadata", "/issuer", fmt.Sprintf("issuer is %s, authorization_servers has %q", shown(meta["issuer"]), issuer)})
		}
		methods, _ := meta["code_challenge_methods_supported"].([]any)
		if !slices.Contains(methods, any("S256")) {
			r.add("as-no-pkce", spot{"authorization server metadata", "/code_challenge_methods_supported", shown(meta["code_challenge_methods_supported"])})
		}
		return tried
	}
	r.add("as-metadata-missing", spot{"authorization", fmt.Sprintf("/authorization_servers/%d", n), issuer + ": " + strings.Join(tried, "; ")})
	return tried
}

// metadata gets a JSON object, without the headers of the target: they are secrets of
// another server. What is no object breaks the rule, if one is given.
func (r *run) metadata(ctx context.Context, address, rule string) (map[string]any, string) {
	note := func(what any) string { return fmt.Sprintf("GET %s: %v", address, what) }
	if r.o.Wire.HTTPClient == nil {
		return nil, note("no client")
	}
	ctx, cancel := context.WithTimeout(ctx, r.o.CallTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil || req.URL.Scheme != "https" && req.URL.Scheme != "http" {
		return nil, note("this is no address")
	}
	req.Header.Set("Accept", "application/json")
	res, err := r.o.Wire.HTTPClient.Do(req)
	if err != nil {
		return nil, note(err)
	}
	defer func() { _ = res.Body.Close() }() // what matters was read
	body, err := io.ReadAll(io.LimitReader(res.Body, maxMetadata))
	if err != nil {
		return nil, note(err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, note(res.StatusCode)
	}
	var meta map[string]any
	if err := json.Unmarshal(bytes.TrimSpace(body), &meta); err != nil || meta == nil {
		if rule == "" {
			return nil, note("200, but no JSON object")
		}
		r.add(rule, spot{"metadata", "", fmt.Sprintf("%s: 200, but no JSON object within %d bytes: %s", address, maxMetadata, body[:min(len(body), 200)])})
		return nil, note("200, but no JSON object")
	}
	if rule != "" && res.Header.Get("Access-Control-Allow-Origin") == "" {
		r.add("prm-cors", spot{"metadata", "", address + ": no Access-Control-Allow-Origin"})
	}
	return meta, note("200")
}
