package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// sessionSeconds is how long a browser keeps a sign-in.
const sessionSeconds = 30 * 24 * 3600

// recognise finds out who the visitor is, and takes a sign-in that is over from
// the browser.
func (v *visit) recognise() error {
	found, over, err := v.identify()
	if err != nil {
		return err
	}
	if over {
		v.setCookie("session", "", -1)
	}
	v.who = found
	if !found.Human {
		return nil
	}
	offers, err := v.site.board.OffersTo(v.ctx(), found.ID)
	if err != nil {
		return err
	}
	v.who.Offers = len(offers)
	return nil
}

// identify reads the sign-in of a request. One that is over is nobody's; a
// database that fails is an error, so that nobody is signed out by it.
func (v *visit) identify() (found who, over bool, err error) {
	c, err := v.r.Cookie(v.site.cookie("session"))
	if err != nil {
		return who{}, false, nil
	}
	secret, err := url.QueryUnescape(c.Value)
	if err != nil || secret == "" {
		return who{}, true, nil
	}
	if strings.HasPrefix(secret, requesterPrefix) {
		return v.identifyRequester(secret)
	}
	p, err := v.site.board.Session(v.ctx(), secret)
	switch {
	case err != nil && nobody(err):
		return who{}, true, nil
	case err != nil:
		return who{}, false, err
	}
	return who{Known: true, Human: true, Operator: p.Operator, ID: p.ID, Name: p.Handle}, false, nil
}

// nobody reports whether an error says that a sign-in is not valid.
func nobody(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && (f.Kind == fault.Denied || f.Kind == fault.NotFound || f.Kind == fault.Expired || f.Kind == fault.Invalid)
}

// actor is the visitor to the board.
func (v *visit) actor() task.Actor {
	if v.who.Human {
		return task.Actor{Kind: task.Human, ID: v.who.ID}
	}
	return task.Actor{Kind: task.Agent, ID: v.who.ID, KeyID: v.who.KeyID}
}

// operator is the visitor as one who runs the board.
func (v *visit) operator() task.Actor { return task.Actor{Kind: task.Operator, ID: v.who.ID} }

// requesterPrefix begins the sign-in of a requester. It names the key that was
// typed and is signed, so nothing is stored unless it is ended before its time; it
// ends with the key, which is looked up for every page.
const requesterPrefix = "r1."

// requesterHours is how long it holds.
const requesterHours = 12 * time.Hour

// requesterToken is a sign-in with a key.
func (s *Site) requesterToken(k data.Key) string {
	text := k.AgentID + "." + k.ID + "." + strconv.FormatInt(s.now().Add(requesterHours).Unix(), 10) + "." + rand.Text()
	return requesterPrefix + base64.RawURLEncoding.EncodeToString([]byte(text)) + "." + s.sign(text)
}

func (s *Site) sign(text string) string { return s.signFor("requester sign-in", text) }

// signFor signs a text for one use: a signature of one never serves for another.
func (s *Site) signFor(use, text string) string {
	mac := hmac.New(sha256.New, s.options.Secret)
	mac.Write([]byte(use + "\n" + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// same compares without telling by its time how much is the same.
func same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// pass is a requester's sign-in.
type pass struct {
	agentID, keyID string
	until          time.Time
	signature      string // names it: the text before it can be encoded in several ways
}

// readToken returns a sign-in that is genuine and not over.
func (s *Site) readToken(token string) (pass, bool) {
	encoded, signature, _ := strings.Cut(strings.TrimPrefix(token, requesterPrefix), ".")
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || !same(signature, s.sign(string(raw))) {
		return pass{}, false
	}
	parts := strings.Split(string(raw), ".")
	if len(parts) != 4 {
		return pass{}, false
	}
	seconds, err := strconv.ParseInt(parts[2], 10, 64)
	until := time.Unix(seconds, 0)
	return pass{parts[0], parts[1], until, signature}, err == nil && s.now().Before(until)
}

// identifyRequester also makes sure that the key still holds.
func (v *visit) identifyRequester(token string) (found who, over bool, err error) {
	is, ok := v.site.readToken(token)
	if !ok {
		return who{}, true, nil
	}
	if ended, err := v.site.board.SignInEnded(v.ctx(), is.signature); err != nil || ended {
		return who{}, ended, err
	}
	keys, err := v.site.board.Keys(v.ctx(), task.Actor{Kind: task.Agent, ID: is.agentID})
	if err != nil {
		return who{}, false, err
	}
	for _, k := range keys {
		if k.ID != is.keyID || !k.RevokedAt.IsZero() || !k.ExpiresAt.IsZero() && !v.now.Before(k.ExpiresAt) {
			continue
		}
		agent, err := v.site.board.Agent(v.ctx(), is.agentID)
		if err != nil || agent.Disabled {
			return who{}, err == nil, err
		}
		return who{Known: true, ID: is.agentID, KeyID: is.keyID, Name: agent.Name}, false, nil
	}
	return who{}, true, nil
}

// enterWithKey signs a requester in. The key must be one that may read and post,
// for the pages can approve and pay.
func (v *visit) enterWithKey(account, secret string) (string, error) {
	k, err := v.site.board.Authenticate(v.ctx(), secret)
	if err != nil {
		return "", err
	}
	if k.AgentID == "" || k.AgentID != account || !hasScope(k, data.ScopeRead) || !hasScope(k, data.ScopePost) {
		return "", task.Refuse(task.InvalidCredentials)
	}
	return v.site.requesterToken(k), nil
}

func hasScope(k data.Key, scope string) bool {
	for _, s := range k.Scopes {
		if s == scope {
			return true
		}
	}
	return false
}
