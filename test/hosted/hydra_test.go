package hosted

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hydra is an Ory Hydra with a database of its own.
type hydra struct {
	*process
	public, admin string // URLs without a slash at the end
	dir           string
}

// hydraSettings makes JWTs with both spellings of the scopes, and grants a machine
// that asks for no scope all it may have, as Auth0 does.
const hydraSettings = `
serve:
  public: { host: 127.0.0.1, port: %s }
  admin: { host: 127.0.0.1, port: %s }
urls:
  self: { issuer: "http://%s/" }
  login: "http://%s/test/login"
  consent: "http://%s/test/consent"
strategies:
  access_token: jwt
  jwt: { scope_claim: both }
oauth2:
  client_credentials: { default_grant_allowed_scope: true }
  expose_internal_errors: true
secrets: { system: ["a secret of tests and of no other use"] }
log: { level: error }
`

// startHydra prepares a database and the clients, and starts.
func startHydra(dir string) (*hydra, error) {
	public, admin := freeAddr(), freeAddr()
	h := &hydra{public: "http://" + public, admin: "http://" + admin, dir: dir}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	settings := fmt.Sprintf(hydraSettings, portOf(public), portOf(admin), public, public, public)
	if err := os.WriteFile(filepath.Join(dir, "hydra.yml"), []byte(settings), 0o600); err != nil {
		return nil, err
	}
	if out, err := h.command("migrate", "sql", "-e", "-y").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("preparing Hydra's database: %w\n%s", err, out)
	}
	if err := h.run(); err != nil {
		return nil, err
	}
	for _, c := range []map[string]any{
		machineClient("machine", "client_secret_post", allScopes),
		machineClient("machine-basic", "client_secret_basic", allScopes),
		machineClient("machine-too", "client_secret_post", allScopes),
		machineClient("reader", "client_secret_post", "federalrunner:read"),
		opaqueClient("opaque-machine"), opaqueClient("opaque-other"),
		{
			"client_id": "app", "token_endpoint_auth_method": "none", "redirect_uris": []string{callback},
			"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
			"scope": allScopes + " offline_access", "audience": []string{audience},
		},
	} {
		raw, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		if r, err := exchange(http.MethodPost, h.admin+"/admin/clients", nil, string(raw)); err != nil || r.status != http.StatusCreated {
			h.stop()
			return nil, fmt.Errorf("making a client at Hydra: %w %d %s", err, r.status, r.body)
		}
	}
	return h, nil
}

func machineClient(id, method, scope string) map[string]any {
	return map[string]any{
		"client_id": id, "client_secret": clientSecret, "token_endpoint_auth_method": method, "scope": scope,
		"grant_types": []string{"client_credentials"}, "audience": []string{audience},
	}
}

// opaqueClient is a machine whose tokens only Hydra understands.
func opaqueClient(id string) map[string]any {
	c := machineClient(id, "client_secret_post", allScopes)
	c["access_token_strategy"] = "opaque"
	return c
}

// introspecting lets legwork ask about opaque tokens, where Hydra's metadata does
// not say.
func (h *hydra) introspecting() []string {
	return append(h.env(), "LEGWORK_INTROSPECTION_URL="+h.admin+"/admin/oauth2/introspect", "LEGWORK_INTROSPECTION_CLIENT_ID=any",
		"LEGWORK_INTROSPECTION_CLIENT_SECRET="+clientSecret, "LEGWORK_INTROSPECTION_CACHE=1s")
}

func (h *hydra) command(args ...string) *exec.Cmd {
	cmd := exec.Command(hydraBin, append(args, "-c", filepath.Join(h.dir, "hydra.yml"))...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.dir, "DSN=sqlite://" + filepath.Join(h.dir, "db.sqlite") + "?_fk=true"}
	return cmd
}

// run starts the server, also again after a stop.
func (h *hydra) run() error {
	var err error
	h.process, err = start(h.command("serve", "all", "--dev", "--sqa-opt-out"), h.public+"/health/ready")
	return err
}

// issuer ends in a slash, as Auth0's does.
func (h *hydra) issuer() string { return h.public + "/" }

func (h *hydra) tokenURL() string { return h.public + "/oauth2/token" }

func (h *hydra) env() []string {
	return []string{"AUTH0_ISSUER=" + h.issuer(), "AUTH0_API_AUDIENCE=" + audience}
}

// ask sends JSON to the administration and wants it done.
func (h *hydra) ask(t *testing.T, method, path, body string) map[string]any {
	t.Helper()
	r := send(t, method, h.admin+path, nil, body)
	answer := map[string]any{}
	if r.status >= 300 {
		t.Fatalf("Hydra refuses %s %s: %d %s", method, path, r.status, r.body)
	}
	if strings.HasPrefix(r.body, "{") {
		if err := json.Unmarshal([]byte(r.body), &answer); err != nil {
			t.Fatal(err)
		}
	}
	return answer
}
