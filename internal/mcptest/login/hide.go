package login

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// redacted stands where a secret stood.
const redacted = "[redacted]"

// shortestSecret is how long a text must be to be looked for: shorter ones are in many
// words.
const shortestSecret = 6

// secretMembers are the members of answers whose values are secrets, whatever they are.
var secretMembers = []string{"access_token", "refresh_token", "id_token", "client_secret", "registration_access_token", "code", "device_code", "assertion", "client_assertion"}

// hider takes secrets out of texts, also in the shapes that they take in JSON, an
// address and basic authentication.
type hider struct {
	mu      sync.RWMutex
	secrets []string
}

// learn adds secrets.
func (h *hider) learn(texts ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, text := range texts {
		if len(text) < shortestSecret {
			continue
		}
		shapes := []string{text, url.QueryEscape(text), url.PathEscape(text), base64.StdEncoding.EncodeToString([]byte(text))}
		if inJSON, err := json.Marshal(text); err == nil {
			shapes = append(shapes, string(inJSON[1:len(inJSON)-1]))
		}
		for _, s := range shapes {
			if !slices.Contains(h.secrets, s) {
				h.secrets = append(h.secrets, s)
			}
		}
	}
	// the longest first: one secret may hold another
	slices.SortFunc(h.secrets, func(a, b string) int { return len(b) - len(a) })
}

// text gives a text without secrets.
func (h *hider) text(s string) string {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, secret := range h.secrets {
		s = strings.ReplaceAll(s, secret, redacted)
	}
	return s
}

// Hide takes what this login keeps secret out of a text: its tokens, the secret of its
// client, codes.
func (l *Login) Hide(text string) string { return l.rec.hide.text(text) }

// object writes a JSON object without the values of its secret members.
func (h *hider) object(o map[string]any) string {
	raw, err := json.Marshal(withoutSecrets(o, 0))
	if err != nil {
		return ""
	}
	return h.text(string(raw))
}

// mostNested is how deep secret members are looked for; below that nothing is shown.
const mostNested = 20

func withoutSecrets(v any, depth int) any {
	if depth > mostNested {
		return "…"
	}
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			if slices.Contains(secretMembers, strings.ToLower(name)) {
				value = redacted
			}
			out[name] = withoutSecrets(value, depth+1)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = withoutSecrets(value, depth+1)
		}
		return out
	}
	return v
}
