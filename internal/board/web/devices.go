package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/push"
)

// deviceView is a browser that the visitor is told on.
type deviceView struct {
	ID, Name string
	At       time.Time
}

// loadDevices lists where the visitor is told.
func (v *visit) loadDevices(b *profileBody) error {
	if v.site.options.Push == nil {
		return nil
	}
	b.PushKey = v.site.options.Push.PublicKey()
	list, err := v.site.options.Push.Devices(v.ctx(), v.who.ID)
	if err != nil {
		return err
	}
	for _, d := range list {
		b.Devices = append(b.Devices, deviceView{d.ID, d.Name, d.CreatedAt})
	}
	return nil
}

// addDevice keeps what the browser got from its push service, and tells the visitor there
// from now on: that is what they asked for.
func (v *visit) addDevice() error {
	if v.site.options.Push == nil {
		return noPage()
	}
	f, err := v.form("device")
	if err != nil {
		return err
	}
	err = v.site.options.Push.Add(v.ctx(), v.who.ID, push.Subscription{
		Endpoint: f.Get("endpoint"), P256DH: f.Get("p256dh"), Auth: f.Get("auth"), Name: browserName(v.r.UserAgent()),
	})
	if err != nil {
		return v.refused(err, f, v.profileWith)
	}
	if err := v.toldBy(notify.ByPush); err != nil {
		return err
	}
	return v.done("/me", "told_here")
}

// removeDevice ends it; who has no device left is told by mail again.
func (v *visit) removeDevice() error {
	if v.site.options.Push == nil {
		return noPage()
	}
	theirs, err := v.site.options.Push.Remove(v.ctx(), v.who.ID, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	if !theirs {
		return noPage()
	}
	left, err := v.site.options.Push.Devices(v.ctx(), v.who.ID)
	if err != nil {
		return err
	}
	if len(left) == 0 {
		if err := v.toldBy(""); err != nil {
			return err
		}
	}
	return v.done("/me", "saved")
}

// toldBy sets the way by which the visitor is told. None ends that by devices alone.
func (v *visit) toldBy(way string) error {
	p, err := v.site.board.Person(v.ctx(), v.who.ID)
	if err != nil {
		return err
	}
	s := notify.ParseSettings(p.Notify)
	if way == "" && s.By != notify.ByPush {
		return nil
	}
	s.By = way
	return v.site.board.SetNotify(v.ctx(), p.ID, s.String())
}

// The words of a User-Agent by which people know their browser and device, in the order
// in which they are looked for: browsers also name those that they are like.
var (
	browserMarks = [][2]string{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"}, {"Firefox", "Firefox"}, {"FxiOS", "Firefox"},
		{"CriOS", "Chrome"}, {"Chrome", "Chrome"}, {"Safari", "Safari"},
	}
	systemMarks = [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Macintosh", "Mac"}, {"CrOS", "Chromebook"}, {"Linux", "Linux"},
	}
)

// browserName is what a person knows a browser by, such as "Chrome, Android".
func browserName(agent string) string {
	var words []string
	for _, marks := range [][][2]string{browserMarks, systemMarks} {
		for _, m := range marks {
			if strings.Contains(agent, m[0]) {
				words = append(words, m[1])
				break
			}
		}
	}
	return strings.Join(words, ", ")
}

// serveWorker serves the script that shows pushes. It is at the root, since a worker
// rules over the paths below its own only, and asked for anew at every visit.
func serveWorker(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeFileFS(w, r, assetFiles, "assets/worker.js")
}

// serveManifest lets people put the board on the first screen of their phone: on an
// iPhone only such pages may tell them something (Web Application Manifest).
func serveManifest(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/manifest+json")
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeFileFS(w, r, assetFiles, "assets/manifest.webmanifest")
}
