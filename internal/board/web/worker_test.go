package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/words"
	"github.com/legwork-mcp/legwork/internal/store"
)

const why = "駅前の案内板はすべて写っています。もう一度ご確認ください。"

// says checks an answer.
func (a answer) says(t *testing.T, status int, texts ...string) {
	t.Helper()
	if a.status != status {
		t.Errorf("status %d, want %d, to %q", a.status, status, a.header.Get("Location"))
	}
	for _, want := range texts {
		if !strings.Contains(a.body, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// multi sends a form with files as a page without JavaScript does.
func (c *client) multi(path, text string, files map[string][]byte) answer {
	c.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.WriteField("text", text); err != nil {
		c.t.Fatal(err)
	}
	for name, raw := range files {
		part, err := w.CreateFormFile("files", name)
		if err == nil {
			_, err = part.Write(raw)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		c.t.Fatal(err)
	}
	req := c.request("POST", path, b.String())
	req.Header.Set("Content-Type", w.FormDataContentType())
	req.Header.Set("Origin", c.site)
	return c.do(req)
}

// Without JavaScript files go up with the form; one that is refused says why and
// costs nobody the text.
func TestDeliverWithoutJavaScript(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	path := "/me/tasks/" + w.assigned(worker, nil).ID
	heic := append([]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), make([]byte, 200)...)
	c.multi(path+"/submit", "ひとこと", map[string][]byte{"a.jpg": heic}).says(t, http.StatusUnprocessableEntity, "HEIC", `aria-invalid="true"`, "ひとこと")
	c.multi(path+"/submit", "ひとこと", map[string][]byte{"a.jpg": []byte("<svg onload=alert(1)>")}).says(t, http.StatusUnprocessableEntity, "JPEG・PNG・WebP")
	c.multi(path+"/submit", "ひとこと", nil).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.file_missing"), "ひとこと")
	many := map[string][]byte{}
	for i := range maxFiles + 1 {
		many[fmt.Sprintf("%d.jpg", i)] = photo(t, uint8(i*20))
	}
	c.multi(path+"/submit", "", many).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.file_many"))
	c.multi(path+"/submit", "ひとこと", map[string][]byte{"../../x.jpg": photo(t, 1), "b.jpg": photo(t, 200)}).says(t, http.StatusSeeOther)
	page := c.get(path)
	page.says(t, http.StatusOK, "ひとこと", words.Ja.Say("status.review_pending"), words.Ja.Say("items.photo", "n", 2))
	at := strings.Index(page.body, `href="/files/`)
	link, _, _ := strings.Cut(page.body[at+len(`href="`):], `"`)
	link = strings.ReplaceAll(link, "&amp;", "&")
	c.get(link).says(t, http.StatusOK)
	_, foreign := w.worker("jiro@example.org")
	for name, other := range map[string]*client{"another worker": foreign, "nobody": newClient(t, w.site), "the requester, with the worker's link": w.requesterClient()} {
		if res := other.get(link); res.status == http.StatusOK {
			t.Errorf("%s sees the file: %d", name, res.status)
		}
	}
	w.later(linkTime + time.Minute)
	if res := c.get(link); res.status == http.StatusOK {
		t.Error("the link is good for ever")
	}
}

// A file that somebody else has sent in parts is not the worker's to deliver.
func TestForeignUploadsAreNotDelivered(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	other, foreign := w.worker("jiro@example.org")
	mine, theirs := w.assigned(worker, nil), w.assigned(other, nil)
	foreign.multi("/me/tasks/"+theirs.ID+"/submit", "", map[string][]byte{"a.jpg": photo(t, 9)}).says(t, http.StatusSeeOther)
	subs, err := w.board.Submissions(t.Context(), theirs.ID)
	if err != nil || len(subs) != 1 {
		t.Fatalf("%v, %v", subs, err)
	}
	for _, id := range []string{subs[0].Items[0].Upload, "nothing", "../x", ""} {
		var b bytes.Buffer
		form := multipart.NewWriter(&b)
		_ = form.WriteField("upload", id)
		_ = form.Close()
		req := c.request("POST", "/me/tasks/"+mine.ID+"/submit", b.String())
		req.Header.Set("Content-Type", form.FormDataContentType())
		c.do(req).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.file_missing"))
	}
}

// The list of tasks is light: all that a first visit loads, as it is and packed.
func TestWeightOfTheTaskList(t *testing.T) {
	w := newWorld(t)
	for i := range perPage + 3 {
		w.post(func(d *task.Draft) {
			d.Title = fmt.Sprintf("案内板の写真を撮る仕事 その%d", i)
			d.Text = strings.Repeat("くわしい説明です。", 100)
		})
	}
	c := newClient(t, w.site)
	page := c.get("/")
	page.says(t, http.StatusOK, words.Ja.Say("list.more"), "その22")
	whole := page.body
	for _, name := range []string{"board.css", "board.js", "icon.svg"} {
		asset := c.get(assetURL(name))
		asset.says(t, http.StatusOK)
		if asset.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s is not kept: %q", name, asset.header.Get("Cache-Control"))
		}
		whole += asset.body
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(whole))
	_ = z.Close()
	t.Logf("the list of %d tasks is %d bytes, with its assets %d, packed %d", perPage, len(page.body), len(whole), packed.Len())
	if len(whole) > 60<<10 {
		t.Errorf("the list loads %d bytes, at most %d", len(whole), 60<<10)
	}
	at := strings.Index(page.body, `href="/?cursor=`)
	next, _, _ := strings.Cut(page.body[at+len(`href="`):], `"`)
	c.get(next).says(t, http.StatusOK, "その0<")
}

// The conditions of the list do what they say, and nonsense in them does nothing.
func TestConditionsOfTheList(t *testing.T) {
	w := newWorld(t)
	w.post(nil)
	w.post(func(d *task.Draft) {
		minor := int64(4000)
		d.Title, d.AmountMinor, d.Label, d.Deliverable, d.Place = "大阪で電話をかける", &minor, "bot_blocker_ops", "text", task.Place{Prefecture: "Osaka"}
	})
	c := newClient(t, w.site)
	const tokyo, osaka = "案内板の写真を撮る", "大阪で電話をかける"
	for query, want := range map[string][2]bool{
		"": {true, true}, "q=" + url.QueryEscape("電話"): {false, true}, "prefecture=" + url.QueryEscape("東京都"): {true, false}, "prefecture=27": {false, true},
		"label=bot_blocker_ops": {false, true}, "deliverable=photo": {true, false}, "min=1200": {true, true}, "min=1201": {false, true},
		"min=" + url.QueryEscape("３，２００円"): {false, true}, "min=3201": {false, false}, "min=abc": {true, true}, "min=-5": {true, true},
		"prefecture=nowhere": {true, true}, "min=99999999999999999999": {true, true}, "q=%00": {true, true}, "cursor=nonsense&min=1": {true, true},
	} {
		res := c.get("/?" + query)
		if strings.Contains(query, "nonsense") {
			if res.status >= 500 {
				t.Errorf("%s: %d", query, res.status)
			}
			continue
		}
		if got := [2]bool{strings.Contains(res.body, tokyo), strings.Contains(res.body, osaka)}; got != want || res.status != http.StatusOK {
			t.Errorf("%s: %v, want %v (%d)", query, got, want, res.status)
		}
	}
}

// A profile with mistakes comes back as it was typed, with what is wrong beside it.
func TestProfile(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	bad := url.Values{"handle": {""}, "prefecture": {"nowhere"}, "postcode": {"15"}, "areas": {"東京都渋谷区\nAtlantis"}, "floor": {"many"}, "quiet_from": {"25:00"}, "skills": {"写真"}, "cap": {"0"}}
	c.post("/me", bad).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.required"), words.Ja.Say("error.choose"), words.Ja.Say("error.postcode"), words.Ja.Say("error.area"),
		words.Ja.Say("error.number"), words.Ja.Say("error.time"), "Atlantis", `href="#profile-handle"`, "many")
	good := url.Values{
		"handle": {"はな"}, "prefecture": {"東京都"}, "city": {"東京都 渋谷区"}, "areas": {"Tokyo 渋谷区\n神奈川県横浜市\n\n大阪"}, "floor": {"１，５００円"}, "instant": {"1"},
		"quiet_from": {"22:00"}, "quiet_to": {"07:30"}, "skills": {"写真、英語, 運転、写真"}, "languages": {"日本語"}, "cap": {"３"}, "from_1": {"09:00"}, "to_1": {"18:00"}, "from_6": {"22:00"}, "to_6": {"02:00"}, "mail_worker_accepted": {"1"}, "mail_digest": {"1"},
	}
	c.post("/me", good).says(t, http.StatusSeeOther)
	got, err := w.board.Person(t.Context(), worker.ID)
	if err != nil {
		t.Fatal(err)
	}
	mails := notify.ParseSettings(got.Notify)
	if got.Handle != "はな" || got.City != "渋谷区" || len(got.Areas) != 3 || got.Instant.Cap != 3 || len(got.Skills) != 3 || got.Instant.Floors[money.JPY] != 1500 ||
		got.Instant.QuietFrom != 22*60 || got.Instant.QuietTo != 7*60+30 || !got.Instant.On || !mails.Digest || mails.QuietTo != 450 || len(got.Instant.Hours) != 2 || got.Instant.Hours[0] != (data.Hours{Day: time.Monday, From: 540, To: 1080}) || len(mails.Off) != 8 {
		t.Errorf("saved %+v, mails %+v", got, mails)
	}
	c.get("/me?done=saved").says(t, http.StatusOK, words.Ja.Say("done.saved"), "22:00", "07:30", "1500", "写真、", "神奈川県 横浜市", `role="status"`)
	half := url.Values(maps.Clone(good))
	half.Del("to_1")
	c.post("/me", half).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.hours"), "09:00")
	delete(good, "prefecture")
	good.Set("postcode", "５３０－０００１")
	c.post("/me", good).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.city"))
	good.Set("city", "北")
	good.Set("areas", "東京都 横浜市")
	c.post("/me", good).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.city"), words.Ja.Say("profile.similar"), "大阪市北区", "東京都 横浜市")
	good.Set("city", "Osaka")
	good.Set("areas", "Kanagawa Yokohama")
	c.post("/me", good).says(t, http.StatusSeeOther)
	if got, err = w.board.Person(t.Context(), worker.ID); err != nil || got.Prefecture != "大阪府" || got.City != "大阪市" || len(got.Areas) != 2 || got.Areas[1] != "神奈川県/横浜市" {
		t.Errorf("the postcode led to %s, %s, %v, %v", got.Prefecture, got.City, got.Areas, err)
	}
	c.get("/me").says(t, http.StatusOK, `<option value="大阪市北区">おおさかしきたく</option>`)
	c.get("/me/cities/13").says(t, http.StatusOK, `<option value="渋谷区">しぶやく</option>`)
	c.get("/me/cities/13?lang=en").says(t, http.StatusOK, `<option value="渋谷区">Shibuya-ku</option>`)
	c.get("/me/cities/nowhere").says(t, http.StatusSeeOther)
}

// A rejection says why, can be appealed, and an operator decides; both sides see
// the outcome, and rate once it is over.
func TestRejectionAppealAndDecision(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) { rejectionAppealAndDecision(t, newWorldOn(t, u)) })
}

func rejectionAppealAndDecision(t *testing.T, w *world) {
	worker, c := w.worker("hana@example.org")
	operator, ops := w.worker("ops@example.org")
	if err := w.board.SetOperator(t.Context(), operator.ID, true); err != nil {
		t.Fatal(err)
	}
	made := w.assigned(worker, nil)
	path, own := "/me/tasks/"+made.ID, "/requester/tasks/"+made.ID
	c.multi(path+"/submit", "", map[string][]byte{"a.jpg": photo(t, 7)}).says(t, http.StatusSeeOther)
	r := w.requesterClient()
	r.post(own+"/reject", url.Values{"text": {"だめ"}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.choose"), words.Ja.Say("error.too_short"), "だめ")
	r.post(own+"/reject", url.Values{"code": {"unreadable"}, "text": {"文字がまったく読めません。撮り直しが必要だと思います。"}}).says(t, http.StatusSeeOther)
	c.get(path).says(t, http.StatusOK, words.Ja.Say("status.appeal"), words.Ja.Say("reject.unreadable"), "文字がまったく読めません。", words.Ja.Say("appeal.title"), words.Ja.Say("due.appeal"))
	c.post(path+"/appeal", url.Values{"reason": {"短い"}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.too_short"))
	c.post(path+"/appeal", url.Values{"reason": {why}}).says(t, http.StatusSeeOther)
	ops.get("/ops").says(t, http.StatusOK, why)
	ops.get("/ops/disputes/"+made.ID).says(t, http.StatusOK, why, words.Ja.Say("ops.by.human"), "文字がまったく読めません。")
	ops.post("/ops/disputes/"+made.ID+"/resolve", url.Values{"percent": {"150"}, "note": {""}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.percent"), words.Ja.Say("error.required"))
	ops.post("/ops/disputes/"+made.ID+"/resolve", url.Values{"percent": {"１００"}, "note": {"写真は読めます。承認の条件を満たしていると判断しました。"}}).says(t, http.StatusSeeOther)
	ops.get("/ops/disputes/"+made.ID).says(t, http.StatusNotFound)
	c.get(path).says(t, http.StatusOK, words.Ja.Say("status.completed"), words.Ja.Say("dispute.worker"), "写真は読めます。", words.Ja.Say("rate.title"))
	c.post(path+"/rate", url.Values{"rating": {"9"}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.choose"))
	c.post(path+"/rate", url.Values{"rating": {"2"}, "comment": {"話を聞いてほしかったです。"}}).says(t, http.StatusSeeOther)
	if strings.Contains(r.get(own).body, "話を聞いて") {
		t.Error("the requester sees the rating before writing one")
	}
	r.post(own+"/rate", url.Values{"rating": {"4"}, "comment": {"ありがとうございました。"}}).says(t, http.StatusSeeOther)
	c.get(path).says(t, http.StatusOK, "話を聞いて", "ありがとうございました。")
	c.get("/me").says(t, http.StatusOK, "1,200円")
}

// Giving back, cancelling and messages.
func TestOtherEndsOfATask(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	made := w.assigned(worker, nil)
	path := "/me/tasks/" + made.ID
	r := w.requesterClient()
	r.post("/requester/tasks/"+made.ID+"/messages", url.Values{"body": {"Is the sign lit at night?"}}).says(t, http.StatusSeeOther)
	c.get(path).says(t, http.StatusOK, `lang="en"`, "Is the sign lit at night?", words.Ja.Say("chat.requester"))
	c.post(path+"/messages", url.Values{"body": {"認証コードを教えてください"}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("reason.content_policy_violation"))
	c.post(path+"/messages", url.Values{"body": {"はい、明るいです。"}}).says(t, http.StatusSeeOther)
	c.post(path+"/messages", url.Values{"body": {" "}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.required"))
	r.get("/requester/tasks/"+made.ID).says(t, http.StatusOK, "はい、明るいです。")
	c.post(path+"/decline", url.Values{"reason": {""}}).says(t, http.StatusUnprocessableEntity)
	c.post(path+"/decline", url.Values{"reason": {"急用ができました"}}).says(t, http.StatusSeeOther)
	c.get(path).says(t, http.StatusNotFound)
	r.post("/requester/tasks/"+made.ID+"/cancel", nil).says(t, http.StatusSeeOther)
	r.get("/requester/tasks/"+made.ID).says(t, http.StatusOK, words.Ja.Say("failure.cancelled_by_requester"))
	r.post("/requester/tasks/"+made.ID+"/approve", nil).says(t, http.StatusUnprocessableEntity, words.Ja.Say("errors.title"))
}

// Instant offers come to whom they fit, with the time to answer, and are accepted
// or declined; a late answer is told so.
func TestOffers(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	worker.Instant.On, worker.Instant.Cap, worker.Areas = true, 5, []string{"東京都"}
	if _, err := w.board.SavePerson(t.Context(), worker); err != nil {
		t.Fatal(err)
	}
	offer := func() data.Offer {
		t.Helper()
		o, err := w.board.OfferTask(t.Context(), w.post(nil).ID, 10*time.Minute)
		if err != nil || o.HumanID != worker.ID {
			t.Fatalf("offering: %+v, %v", o, err)
		}
		return o
	}
	first, second, third := offer(), offer(), offer()
	c.get("/me/tasks").says(t, http.StatusOK, words.Ja.Say("offers.title"), `/offers/`+first.ID, `class="badge-count">3`)
	c.get("/offers/"+first.ID).says(t, http.StatusOK, words.Ja.Say("offer.text"), "1,200円", `role="timer"`)
	c.post("/offers/"+first.ID+"/accept", nil).says(t, http.StatusSeeOther)
	c.get("/me/tasks/"+first.TaskID).says(t, http.StatusOK, words.Ja.Say("status.accepted"))
	c.get("/me/tasks/"+first.TaskID+"/terms").says(t, http.StatusOK, "SHA-256")
	c.post("/offers/"+second.ID+"/decline", nil).says(t, http.StatusSeeOther)
	w.later(11 * time.Minute)
	c.get("/offers/"+third.ID).says(t, http.StatusOK, words.Ja.Say("offer.gone"))
	if res := c.post("/offers/"+third.ID+"/accept", nil); res.status != http.StatusConflict {
		t.Errorf("a late answer: %d", res.status)
	}
}

// The language is the browser's, then the one that was chosen; what people wrote
// in the other one is marked.
func TestLanguage(t *testing.T) {
	w := newWorld(t)
	w.post(func(d *task.Draft) { d.Title = "Photograph the sign" })
	c := newClient(t, w.site)
	c.get("/").says(t, http.StatusOK, `<html lang="ja">`, ` lang="en">Photograph the sign`, `href="/?lang=en" lang="en" hreflang="en"`)
	c.get("/?lang=en&q=sign").says(t, http.StatusOK, `<html lang="en">`, `>Photograph the sign`, `Shibuya-ku, Tokyo <span lang="ja">渋谷区</span>`, `/?lang=ja&amp;q=sign`)
	c.get("/about").says(t, http.StatusOK, `<html lang="en">`)
	c.get("/about?lang=xx").says(t, http.StatusOK, `<html lang="en">`)
	c.get("/about?lang=ja").says(t, http.StatusOK, `<html lang="ja">`)
}

// The development mailbox is there only when the board has one.
func TestDevelopmentMailbox(t *testing.T) {
	w := newWorld(t)
	c := newClient(t, w.site)
	c.post("/login", url.Values{"email": {"mika@example.org"}}).says(t, http.StatusSeeOther)
	c.get("/login/code").says(t, http.StatusOK, "/dev/mail")
	c.get("/dev/mail").says(t, http.StatusOK, w.mailbox.code(t, "mika@example.org"), "mika@example.org")
	without, err := New(Options{Board: w.board, Media: w.media, Secret: []byte(strings.Repeat("s", 32)), Clock: w.now})
	if err != nil {
		t.Fatal(err)
	}
	other := serve(t, without)
	newClient(t, other).get("/dev/mail").says(t, http.StatusNotFound)
	c.post("/login/code", url.Values{"code": {"000000"}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.code"))
	c.post("/login", url.Values{"email": {"not an address"}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.email"), "not an address")
	c.post("/login", url.Values{"email": {"a@b.example\r\nBcc: x@y.example"}}).says(t, http.StatusUnprocessableEntity)
	stranger := newClient(t, w.site)
	stranger.post("/login/code", url.Values{"code": {w.mailbox.code(t, "mika@example.org")}}).says(t, http.StatusSeeOther)
	stranger.get("/me").says(t, http.StatusSeeOther)
}

// A requester may write before any task; the worker answers, or ends it for good.
func TestMessagesBeforeATask(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	_, foreign := w.worker("jiro@example.org")
	c.get("/me/messages").says(t, http.StatusOK, words.Ja.Say("threads.none"))
	started, err := w.board.StartConversation(t.Context(), w.by(), data.NewConversation{HumanID: worker.ID, Body: "Could you go to Shibuya?"})
	if err != nil {
		t.Fatal(err)
	}
	path := "/me/messages/" + started.Conversation.ID
	c.get("/me/messages").says(t, http.StatusOK, w.agent.Name, words.Ja.Say("threads.waits"), path)
	c.get(path).says(t, http.StatusOK, ">Could you go to Shibuya?", words.Ja.Say("requester.new"))
	foreign.get(path).says(t, http.StatusNotFound)
	foreign.post(path, url.Values{"body": {"x"}}).says(t, http.StatusNotFound)
	c.post(path, url.Values{"body": {""}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.required"))
	c.post(path, url.Values{"body": {"はい、行けます。"}}).says(t, http.StatusSeeOther)
	if page := c.get("/me/messages"); strings.Contains(page.body, words.Ja.Say("threads.waits")) {
		t.Error("an answered thread still waits")
	}
	c.post(path+"/close", url.Values{"block": {"1"}}).says(t, http.StatusSeeOther)
	c.get(path).says(t, http.StatusOK, "はい、行けます。", words.Ja.Say("reason.contact_not_open"))
	if _, err := w.board.StartConversation(t.Context(), w.by(), data.NewConversation{HumanID: worker.ID, Body: "Hello?"}); err == nil {
		t.Error("a blocked requester writes again")
	}
}

// An application can be taken back while nobody was chosen.
func TestWithdrawal(t *testing.T) {
	w := newWorld(t)
	_, c := w.worker("hana@example.org")
	made := w.post(nil)
	path := "/tasks/" + made.ID
	c.post(path+"/apply", url.Values{"cover_letter": {"近いです"}, "availability": {"いつでも"}}).says(t, http.StatusSeeOther)
	c.post(path+"/apply", url.Values{"cover_letter": {"近いです"}, "availability": {"いつでも"}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("reason.already_applied"))
	c.get(path).says(t, http.StatusOK, words.Ja.Say("status.selecting"), path+"/withdraw")
	c.post(path+"/withdraw", nil).says(t, http.StatusSeeOther)
	c.get(path).says(t, http.StatusOK, words.Ja.Say("status.withdrawn"))
	w.requesterClient().get("/requester/tasks/"+made.ID).says(t, http.StatusOK, words.Ja.Say("req.noapplications"))
}

// The requester's other decisions: one applicant is told no, a deadline moves, an
// operator is asked.
func TestRequesterDecisions(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	made := w.post(nil)
	own := "/requester/tasks/" + made.ID
	c.post("/tasks/"+made.ID+"/apply", url.Values{"cover_letter": {"近いです"}, "availability": {"いつでも"}}).says(t, http.StatusSeeOther)
	a, err := w.board.ApplicationBy(t.Context(), made.ID, worker.ID)
	if err != nil {
		t.Fatal(err)
	}
	r := w.requesterClient()
	r.post(own+"/refuse", url.Values{"application": {a.ID}}).says(t, http.StatusSeeOther)
	c.get("/tasks/"+made.ID).says(t, http.StatusOK, words.Ja.Say("status.not_chosen"), words.Ja.Say("status.not_chosen.help"))
	r.post(own+"/extend", url.Values{"hours": {"1000000"}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.choose"))
	r.post(own+"/extend", url.Values{"hours": {"24"}}).says(t, http.StatusSeeOther)
	if after, err := w.board.Task(t.Context(), made.ID); err != nil || !after.DeadlineAt.Equal(made.DeadlineAt.Add(24*time.Hour)) {
		t.Errorf("the deadline moved from %v to %v, %v", made.DeadlineAt, after.DeadlineAt, err)
	}
	given := w.assigned(worker, nil)
	c.multi("/me/tasks/"+given.ID+"/submit", "", map[string][]byte{"a.jpg": photo(t, 5)}).says(t, http.StatusSeeOther)
	own = "/requester/tasks/" + given.ID
	r.get(own).says(t, http.StatusOK, own+"/dispute")
	r.post(own+"/dispute", url.Values{"reason": {"短い"}}).says(t, http.StatusUnprocessableEntity, words.Ja.Say("error.too_short"))
	r.post(own+"/dispute", url.Values{"reason": {why}}).says(t, http.StatusSeeOther)
	r.get(own).says(t, http.StatusOK, words.Ja.Say("status.disputed"), why)
	c.get("/me/tasks/"+given.ID).says(t, http.StatusOK, words.Ja.Say("dispute.waiting"), why)
}
