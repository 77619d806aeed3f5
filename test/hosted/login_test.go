package hosted

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// person logs in and consents as with a browser: cookies, redirects and forms.
type person struct {
	t    *testing.T
	name string
	http *http.Client
	// callback begins the address at which the login ends, which ended has then; issuer is
	// what it may begin with too.
	callback, issuer string
	ended            *url.URL
	// seen are the codes that the person's browser carried to the client.
	seen []string
}

func newPerson(t *testing.T, name string) *person {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	// Every step is looked at, so none is followed unseen.
	stop := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &person{t: t, name: name, callback: callback, http: &http.Client{Jar: jar, CheckRedirect: stop, Timeout: patience}}
}

// fetch is the fetcher of codes of the Go client.
func (p *person) fetch(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	q, err := p.authorize(ctx, args.URL)
	if err != nil {
		return nil, err
	}
	return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
}

// authorize goes from the authorization endpoint to the callback and returns what
// arrives there.
func (p *person) authorize(ctx context.Context, from string) (url.Values, error) {
	next := func() (*http.Request, error) { return http.NewRequestWithContext(ctx, http.MethodGet, from, nil) }
	for range 20 {
		req, err := next()
		if err != nil {
			return nil, err
		}
		res, err := p.http.Do(req)
		if err != nil {
			return nil, err
		}
		_ = res.Body.Close()
		at := req.URL
		if to, err := res.Location(); err == nil {
			if strings.HasPrefix(to.String(), p.callback) && (p.issuer == "" || !strings.HasPrefix(to.String(), p.issuer)) {
				p.ended = to
				return p.arrive(to.Query())
			}
			next = p.step(ctx, to)
			continue
		}
		if res.StatusCode != http.StatusOK || !strings.HasPrefix(at.Path, "/interaction/") {
			return nil, fmt.Errorf("the login ends at %s with %s", at, res.Status)
		}
		next = p.fill(ctx, at)
	}
	return nil, errors.New("the login goes round in circles")
}

func (p *person) arrive(q url.Values) (url.Values, error) {
	if q.Get("code") == "" {
		return nil, fmt.Errorf("the login ends with %s: %s", q.Get("error"), q.Get("error_description"))
	}
	p.seen = append(p.seen, q.Get("code"))
	return q, nil
}

// step follows a redirect. Hydra sends to pages that the site around it has; what
// they would do is done here.
func (p *person) step(ctx context.Context, to *url.URL) func() (*http.Request, error) {
	target := to.String()
	switch {
	case to.Query().Has("login_challenge"):
		target = p.accept("login", to.Query().Get("login_challenge"), `{"subject":"`+p.name+`","remember":true}`)
	case to.Query().Has("consent_challenge"):
		target = p.accept("consent", to.Query().Get("consent_challenge"), p.consent(to.Query().Get("consent_challenge")))
	}
	return func() (*http.Request, error) { return http.NewRequestWithContext(ctx, http.MethodGet, target, nil) }
}

func (p *person) accept(what, challenge, body string) string {
	answer := ory.ask(p.t, http.MethodPut, "/admin/oauth2/auth/requests/"+what+"/accept?"+what+"_challenge="+url.QueryEscape(challenge), body)
	to, _ := answer["redirect_to"].(string)
	return to
}

// consent grants what is asked for, to the API: Hydra takes no notice of the
// resource that MCP clients name, so its consent page must know the audience.
func (p *person) consent(challenge string) string {
	asked := ory.ask(p.t, http.MethodGet, "/admin/oauth2/auth/requests/consent?consent_challenge="+url.QueryEscape(challenge), "")
	var scopes []string
	list, _ := asked["requested_scope"].([]any)
	for _, s := range list {
		scopes = append(scopes, fmt.Sprintf("%q", s))
	}
	return `{"grant_scope":[` + strings.Join(scopes, ",") + `],"grant_access_token_audience":["` + audience + `"]}`
}

// fill sends the form of the provider's development page. One of its two pages
// asks for a login, the other for consent; each takes no notice of the other's
// fields.
func (p *person) fill(ctx context.Context, at *url.URL) func() (*http.Request, error) {
	return func() (*http.Request, error) {
		page, err := p.read(ctx, at)
		if err != nil {
			return nil, err
		}
		form := url.Values{"prompt": {"login"}, "login": {p.name}, "password": {"not checked"}}
		if strings.Contains(page, `value="consent"`) {
			form = url.Values{"prompt": {"consent"}}
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, at.String(), strings.NewReader(form.Encode()))
		if err == nil {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		return req, err
	}
}

func (p *person) read(ctx context.Context, at *url.URL) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return "", err
	}
	res, err := p.http.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	return string(raw), err
}
