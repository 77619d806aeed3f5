package board

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// asker is somebody who asks for a file.
type asker struct{ name, as string }

// linked is a board where somebody delivered a photo, with everybody who may ask for it.
type linked struct {
	*site
	askers       []asker
	own, foreign string        // ids of files
	late         *atomic.Int64 // minutes that the clock is ahead

	owner, another, operator task.Actor
}

func newLinked(t *testing.T) *linked {
	l := &linked{late: &atomic.Int64{}}
	o := options(t, databases.SQLite(t))
	o.Clock = func() time.Time { return time.Now().Add(time.Duration(l.late.Load()) * time.Minute) }
	l.site = open(t, o)
	l.running()
	key := l.agent()
	otherKey := l.json("POST", "/api/ai/accounts", "", map[string]any{"name": "Other", "paypal_email": "other@agents.net"})["api_key"].(string)
	me, session := l.signIn("hana@people.jp")
	them, other := l.signIn("taro@people.jp")
	runs, boss := l.signIn("boss@board.jp")
	reading := l.json("POST", "/api/ai/keys", key, map[string]any{"name": "reader", "scopes": []string{"read"}})["api_key"].(string)
	l.askers = []asker{
		{"the owner", session}, {"another person", other}, {"the requester", key}, {"another agent", otherKey}, {"a key that may only read", reading},
		{"an operator", boss}, {"nobody", ""}, {"a session that is none", strings.Repeat("x", 43)},
	}
	l.owner, l.another = task.Actor{Kind: task.Human, ID: me}, task.Actor{Kind: task.Human, ID: them}
	l.operator = task.Actor{Kind: task.Human, ID: runs}
	l.own, l.foreign = l.upload(session, picture(t)), l.upload(other, picture(t))
	return l
}

// all asks for an address as everybody and joins the answers.
func (l *linked) all(method, address string) string {
	l.Helper()
	var got []string
	for _, a := range l.askers {
		status, header, body := l.request(method, address, a.as, nil, nil)
		if status == http.StatusOK && method == http.MethodGet && header.Get("Content-Type") != "image/jpeg" || status != http.StatusOK && strings.Contains(body, "JFIF") {
			l.Errorf("%s %s as %s: %d with %s", method, address, a.name, status, header.Get("Content-Type"))
		}
		got = append(got, fmt.Sprint(status))
	}
	return strings.Join(got, " ")
}

// TestMatrixOfLinks is the authorization matrix of the files: whatever a link is for and
// whoever asks with it. A link of a person works for that person; one of an agent works
// for whoever holds it, since agents fetch without a login, and for 15 minutes.
func TestMatrixOfLinks(t *testing.T) {
	l := newLinked(t)
	kept := files{l.board.media}
	link := func(file string, viewer task.Actor) string { path, _ := kept.Link(file, viewer); return path }
	agent := task.Actor{Kind: task.Agent, ID: "whoever"}
	own, agents := link(l.own, l.owner), link(l.own, agent)
	swap := func(address, old, next string) string {
		l.Helper()
		if !strings.Contains(address, old) {
			t.Fatalf("%s has no %s", address, old)
		}
		return strings.Replace(address, old, next, 1)
	}
	const nobody = "403 403 403 403 403 403 403 403" // as for a file that is not there
	// the owner, another person, the requester, another agent, a reading key, an operator, nobody, no session
	for name, c := range map[string][2]string{
		"a person's own link":            {own, "200 403 403 403 403 403 403 403"},
		"a link of another person":       {link(l.foreign, l.another), "403 200 403 403 403 403 403 403"},
		"a link to it for somebody else": {link(l.own, l.another), "403 200 403 403 403 403 403 403"},
		"a link of an agent":             {agents, "200 200 200 200 200 200 200 200"},
		"a link of an operator":          {link(l.own, l.operator), "403 403 403 403 403 200 403 403"},
		"an unknown file":                {link(strings.Repeat("0", len(l.own)), agent), strings.ReplaceAll(nobody, "403", "404")},
		"an id that is none":             {link("secrets.json", agent), nobody},
		"no file at all":                 {"/files/", nobody},
		"without a signature":            {strings.Split(agents, "?")[0], nobody},
		"the signature of another file":  {swap(agents, l.own, l.foreign), nobody},
		"another form":                   {swap(agents, "/full?", "/thumb?"), nobody},
		"out of the folder":              {swap(agents, l.own, "..%2f..%2fsecrets.json%00"), nobody},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			if got := l.all(method, c[0]); got != c[1] {
				t.Errorf("%s %s:\n%s, want\n%s", method, name, got, c[1])
			}
		}
	}
	if got := l.all(http.MethodPost, own); strings.Contains(got, "200") {
		t.Errorf("POST: %s", got)
	}
	l.late.Store(16)
	for name, address := range map[string]string{"own": own, "agent": agents} {
		if got := l.all(http.MethodGet, address); strings.Contains(got, "200") {
			t.Errorf("the %s link works after its time: %s", name, got)
		}
		if got := l.all(http.MethodGet, longer(address)); strings.Contains(got, "200") {
			t.Errorf("the %s link works with another time in it: %s", name, got)
		}
	}
	if got := l.all(http.MethodGet, link(l.own, l.owner)); !strings.HasPrefix(got, "200 403") {
		t.Errorf("a new link: %s", got)
	}
}

// longer gives a link more time, as somebody does who does not know the key.
func longer(address string) string {
	path, query, _ := strings.Cut(address, "?")
	var all []string
	for _, part := range strings.Split(query, "&") {
		if name, value, _ := strings.Cut(part, "="); strings.Trim(value, "0123456789") == "" && value != "" {
			part = name + "=" + strings.Repeat("9", len(value))
		}
		all = append(all, part)
	}
	return path + "?" + strings.Join(all, "&")
}
