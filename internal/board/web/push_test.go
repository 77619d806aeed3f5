package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/notify"
)

// fakeSubscription has the browser subscribe at the push service of these tests: Chromium
// knows no other one than Google's. It also notes what is unsubscribed.
const fakeSubscription = `(() => { const sub = { toJSON: () => ({ endpoint: %ENDPOINT%, keys: { p256dh: %P256DH%, auth: %AUTH% } }),
  unsubscribe: async () => { localStorage.setItem('unsubscribed', 'yes'); return true; } };
  PushManager.prototype.subscribe = async (options) => { localStorage.setItem('subscribed', JSON.stringify(options)); return sub; };
  PushManager.prototype.getSubscription = async () => localStorage.getItem('subscribed') ? sub : null; })()`

// phoneOf is a Chromium where a person is signed in.
func (w *world) phoneOf(c *client) (*chromium, string) {
	w.t.Helper()
	b := newChromium(w.t)
	var target struct{ TargetID string }
	b.do("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	page := b.attach(target.TargetID)
	form := w.pushed.form("phone")
	source := fakeSubscription
	for name, value := range map[string]string{"%ENDPOINT%": form.Get("endpoint"), "%P256DH%": form.Get("p256dh"), "%AUTH%": form.Get("auth")} {
		quoted, err := json.Marshal(value)
		if err != nil {
			w.t.Fatal(err)
		}
		source = strings.ReplaceAll(source, name, string(quoted))
	}
	b.do("", "Browser.grantPermissions", map[string]any{"origin": w.site, "permissions": []string{"notifications"}}, nil)
	b.do(page, "Page.enable", nil, nil)
	b.do(page, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": source}, nil)
	for _, cookie := range c.http.Jar.Cookies(c.request("GET", "/", "").URL) {
		b.do(page, "Network.setCookie", map[string]any{"name": cookie.Name, "value": cookie.Value, "url": w.site}, nil)
	}
	b.do(page, "ServiceWorker.enable", nil, nil)
	return b, page
}

// at waits for a page whose address ends so.
func (b *chromium) at(page, end string) {
	b.t.Helper()
	b.until("a page at "+end, func() string {
		got, err := b.eval(page, "document.readyState === 'complete' ? location.pathname + location.search : ''")
		if err == nil && strings.HasSuffix(got, end) {
			return got
		}
		return ""
	})
}

// registration is the id of the page's service worker.
func (b *chromium) registration(page string) string {
	b.t.Helper()
	return b.until("a registered service worker", func() string {
		b.must(page, "1") // takes in events
		for _, e := range b.events {
			var in struct {
				Registrations []struct{ RegistrationID, ScopeURL string }
			}
			if e.Method == "ServiceWorker.workerRegistrationUpdated" && json.Unmarshal(e.Params, &in) == nil && len(in.Registrations) > 0 {
				return in.Registrations[0].RegistrationID
			}
		}
		return ""
	})
}

const shownNotifications = `navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => JSON.stringify(all.map((n) => [n.title, n.body, n.tag, n.lang, n.data.url])))`

// shown hands a push over until there are notifications, and returns them. Chromium drops a
// push when its worker does not start in time, as on a machine that is busy.
func (b *chromium) shown(page string, push map[string]any) string {
	b.t.Helper()
	n := 0
	return b.until("a notification", func() string {
		if n%100 == 0 {
			b.do(page, "ServiceWorker.deliverPushMessage", push, nil)
		}
		n++
		return strings.TrimPrefix(b.must(page, shownNotifications), "[]")
	})
}

// A person subscribes with a click, the board pushes, and the browser shows what the push
// service handed over; who signs out ends it. The push service is that of these tests, and
// what it takes is decrypted and given to Chromium as its own push client would.
func TestPushInChromium(t *testing.T) {
	w := newWorld(t)
	hana, c := w.worker("hana@example.org")
	b, page := w.phoneOf(c)
	b.do(page, "Page.navigate", map[string]any{"url": w.site + "/me"}, nil)
	b.at(page, "/me")
	b.must(page, `document.querySelector('form[data-push] button').click()`)
	b.at(page, "/me?done=told_here")
	if got := b.must(page, "localStorage.getItem('subscribed')"); !strings.Contains(got, `"userVisibleOnly":true`) || !strings.Contains(got, w.push.PublicKey()) {
		t.Errorf("it subscribed with %s", got)
	}
	if w.way(hana.ID) != notify.ByPush || w.devices(hana.ID) != "Chrome, Linux" {
		t.Fatalf("told by %q on %q", w.way(hana.ID), w.devices(hana.ID))
	}
	letter := notify.Letter{
		ID: "0190a1b2-0000-7000-8000-000000000001", To: notify.PushAddress(hana.ID), Subject: "「駅前の写真」の担当に決まりました", Lang: "ja",
		Text: "手取り: 1,600円\n", URL: w.site + "/me/tasks/1", Urgent: true,
	}
	id := b.registration(page)
	for range 2 { // an attempt that comes twice is shown once
		if err := (notify.Devices{Push: w.push}).Send(t.Context(), letter); err != nil {
			t.Fatal(err)
		}
		want := `[["` + letter.Subject + `","手取り: 1,600円","` + letter.ID + `","ja","` + letter.URL + `"]]`
		got := b.shown(page, map[string]any{"origin": w.site, "registrationId": id, "data": w.pushed.last(t)})
		if got != want {
			t.Errorf("shown: %s\nwant %s", got, want)
		}
	}
	b.must(page, `document.querySelector('form[action="/logout"] button').click()`)
	b.at(page, "/?done=logout")
	if got := b.must(page, "localStorage.getItem('unsubscribed')"); got != "yes" {
		t.Error("who signed out is still subscribed")
	}
}

// A push without words says that there is news, one that is no JSON too, and a touch opens
// pages of the board only.
func TestWorkerOfPushes(t *testing.T) {
	w := newWorld(t)
	_, c := w.worker("hana@example.org")
	b, page := w.phoneOf(c)
	b.do(page, "Page.navigate", map[string]any{"url": w.site + "/me"}, nil)
	b.at(page, "/me")
	b.must(page, `navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => 'ready')`)
	id := b.registration(page)
	for _, data := range []string{"", "no JSON", `{"title":"","tag":""}`} {
		got := b.shown(page, map[string]any{"origin": w.site, "registrationId": id, "data": data})
		if !strings.HasPrefix(got, `[["Legwork","","legwork"`) {
			t.Errorf("%q shows %s", data, got)
		}
		b.must(page, `navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.forEach((n) => n.close()))`)
		b.until("an empty list", func() string { return b.must(page, shownNotifications+".then((all) => all === '[]' ? 'empty' : '')") })
	}
	worker := b.attach(b.until("the target of the worker", func() string {
		var out struct {
			TargetInfos []struct{ TargetID, Type, URL string }
		}
		b.do("", "Target.getTargets", nil, &out)
		for _, target := range out.TargetInfos {
			if target.Type == "service_worker" && strings.HasPrefix(target.URL, w.site) {
				return target.TargetID
			}
		}
		return ""
	}))
	for address, want := range map[string]string{
		w.site + "/me/tasks/1": w.site + "/me/tasks/1", "/offers/2": w.site + "/offers/2", "https://evil.example/": w.site + "/me/tasks", "//evil.example/x": w.site + "/me/tasks",
		"javascript:alert(1)": w.site + "/me/tasks", "data:text/html,x": w.site + "/me/tasks",
	} {
		quoted, err := json.Marshal(address)
		if err != nil {
			t.Fatal(err)
		}
		got := b.must(worker, `(async () => { let to = ''; self.clients.openWindow = async (address) => { to = address; }; await show(`+string(quoted)+`); return to; })()`)
		if got != want {
			t.Errorf("a touch on %s opens %q, want %q", address, got, want)
		}
	}
}

// What browsers ask for at the root is there for everybody, and always asked for anew.
func TestWorkerAndManifest(t *testing.T) {
	w := newWorld(t)
	c := newClient(t, w.site)
	for path, typ := range map[string]string{"/worker.js": "text/javascript; charset=utf-8", "/manifest.webmanifest": "application/manifest+json"} {
		res := c.get(path)
		if res.status != http.StatusOK || res.header.Get("Content-Type") != typ || res.header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %d %v", path, res.status, res.header)
		}
	}
	var manifest struct {
		StartURL string `json:"start_url"`
		Display  string
	}
	if err := json.Unmarshal([]byte(c.get("/manifest.webmanifest").body), &manifest); err != nil || manifest.StartURL != "/me/tasks" || manifest.Display == "" {
		t.Errorf("%+v, %v", manifest, err)
	}
	c.get("/").says(t, http.StatusOK, `<link rel="manifest" href="/manifest.webmanifest">`)
}
