package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/words"
)

// way is how a person is told.
func (w *world) way(id string) string {
	w.t.Helper()
	p, err := w.board.Person(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return notify.ParseSettings(p.Notify).By
}

// devices are the names of where somebody is told.
func (w *world) devices(id string) string {
	w.t.Helper()
	list, err := w.push.Devices(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	var all []string
	for _, d := range list {
		all = append(all, d.Name)
	}
	return strings.Join(all, "; ")
}

// Who asks for it is told on a device, may choose mail again, and is told by mail when
// the last device is gone.
func TestDevicesOfAWorker(t *testing.T) {
	w := newWorld(t)
	hana, c := w.worker("hana@example.org")
	_, taro := w.worker("taro@example.org")
	if body := c.get("/me").body; strings.Contains(body, words.Ja.Say("profile.by.push")) || !strings.Contains(body, `data-push="`+w.push.PublicKey()+`"`) {
		t.Error("without a device it is offered as a way, or the key is missing")
	}
	req := c.request("POST", "/me/devices", w.pushed.form("1").Encode())
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", w.site)
	req.Header.Set("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1")
	if res := c.do(req); res.status != http.StatusSeeOther || res.header.Get("Location") != "/me?done=told_here" {
		t.Fatalf("%d %s", res.status, res.header.Get("Location"))
	}
	if got := w.devices(hana.ID); got != "Safari, iPhone" || w.way(hana.ID) != notify.ByPush {
		t.Errorf("told on %q, by %q", got, w.way(hana.ID))
	}
	c.get("/me").says(t, http.StatusOK, "Safari, iPhone", `<option value="push" selected>`)
	for _, by := range []string{"", "push", "line", "smoke signals"} {
		c.post("/me", url.Values{"handle": {"hana"}, "prefecture": {"13"}, "cap": {"1"}, "by": {by}}).says(t, http.StatusSeeOther)
		if want := strings.ReplaceAll(by, "smoke signals", ""); w.way(hana.ID) != want {
			t.Errorf("%q is kept as %q", by, w.way(hana.ID))
		}
	}
	c.post("/me", url.Values{"handle": {"hana"}, "prefecture": {"13"}, "cap": {"1"}, "by": {"push"}}).says(t, http.StatusSeeOther)
	list, err := w.push.Devices(t.Context(), hana.ID)
	if err != nil {
		t.Fatal(err)
	}
	remove := "/me/devices/" + list[0].ID + "/remove"
	taro.post(remove, nil).says(t, http.StatusNotFound)
	if w.devices(hana.ID) == "" {
		t.Error("somebody else took the device away")
	}
	c.post(remove, nil).says(t, http.StatusSeeOther)
	if w.devices(hana.ID) != "" || w.way(hana.ID) != "" {
		t.Errorf("told on %q, by %q", w.devices(hana.ID), w.way(hana.ID))
	}
}

// What is no subscription is refused on the page, other sites cannot send one, and who
// leaves the board takes their devices along.
func TestDevicesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	hana, c := w.worker("hana@example.org")
	for _, endpoint := range []string{"", "http://push.example.com/a", "https://169.254.169.254/", "https://localhost/", "javascript:alert(1)"} {
		form := w.pushed.form("1")
		form.Set("endpoint", endpoint)
		if res := c.post("/me/devices", form); res.status != http.StatusUnprocessableEntity || endpoint != "" && strings.Contains(res.body, endpoint) {
			t.Errorf("%q: %d", endpoint, res.status)
		}
	}
	req := c.request("POST", "/me/devices", w.pushed.form("1").Encode())
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", "https://evil.example")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	if res := c.do(req); res.status != http.StatusForbidden || w.devices(hana.ID) != "" {
		t.Errorf("another site: %d", res.status)
	}
	newClient(t, w.site).post("/me/devices", w.pushed.form("1")).says(t, http.StatusSeeOther)
	c.post("/me/devices", w.pushed.form("1")).says(t, http.StatusSeeOther)
	if w.devices(hana.ID) != "" {
		t.Errorf("a browser without a name is %q", w.devices(hana.ID))
	}
	if list, err := w.push.Devices(t.Context(), hana.ID); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	if err := w.board.DeletePerson(context.Background(), hana.ID); err != nil {
		t.Fatal(err)
	}
	if list, err := w.push.Devices(t.Context(), hana.ID); err != nil || len(list) != 0 {
		t.Errorf("after leaving: %v, %v", list, err)
	}
}

func TestBrowserNames(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36":                     "Chrome, Android",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0":       "Edge, Windows",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0":                                                              "Firefox, Linux",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36": "Samsung Internet, Android",
		"curl/8.5.0": "",
	} {
		if got := browserName(agent); got != want {
			t.Errorf("%s is %q, want %q", agent, got, want)
		}
	}
}
