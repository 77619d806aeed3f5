package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/words"
	"github.com/legwork-mcp/legwork/internal/browser"
)

// hostile is text as somebody writes it who wants the page to run it.
const hostile = `</textarea></script><script>document.title='owned'</script><img src=x onerror="document.title='owned'"> " onfocus="document.title='owned'" autofocus x=" [a](javascript:document.title='owned') **b** {{.}}`

// filledPages are all pages with every part that they can have.
func filledPages(v *visit) map[string]any {
	now := v.now
	q := quoteView{TakeHome: 1200, Fee: 300, Total: 1500, Currency: "JPY"}
	due := dueView{At: now.Add(26 * time.Hour), Now: now}
	t := taskView{
		ID: "t1", Title: "渋谷区の案内板を確認する", Text: "案内板の写真を3枚撮ってください。\n文字が読めるようにお願いします。", Label: "real_world_verification",
		Deliverable: "photo", Criteria: "The board is readable in all three photos.", NotAllowed: hostile, Exact: "渋谷1-1-1",
		Place: placeView{Prefecture: "東京都", City: "渋谷区"}, Quote: q, Status: "revision", Failure: "timeout", Deadline: due, Due: due, DueKey: "due.deadline", URL: "/me/tasks/t1", Applicants: 1, CreatedAt: now,
	}
	english := t
	english.Title, english.Text, english.Status, english.Deliverable = "Check a sign in Osaka "+hostile, hostile, "open", "text"
	english.Place, english.Quote = placeView{Free: "Osaka, near the station"}, quoteView{TakeHome: 1000, Fee: 250, Total: 1250, Currency: "USD"}
	rows := []taskView{t, english}
	delivery := deliveryView{At: now, Text: hostile, Photos: []photoView{{URL: "/assets/icon.svg", ThumbURL: "/assets/icon.svg", CapturedAt: &now, Duplicate: true}}, Videos: []videoView{{"/files/v"}}}
	messages := []messageView{{Mine: true, Body: "はい、できます。", At: now}, {Name: "Requester", Body: hostile, At: now, Files: []string{"/files/x"}}}
	dispute := &disputeView{Reason: hostile, Outcome: "split", Note: "半分ずつにします。"}
	rejection := &rejectionView{Code: "unreadable", Text: hostile}
	requester := requesterView{Name: hostile, Decided: 12, ApprovalPercent: 91, PayTime: 5 * time.Hour, Since: true, SinceAt: now}
	labels, kinds := options(v, "label.", task.Labels()), options(v, "deliverable.", task.Deliverables())
	return map[string]any{
		"tasks": listBody{Filter: filled("filter", url.Values{"q": {hostile}, "label": {"lead_prep"}}), Filtered: 2, Prefectures: v.prefectures(), Labels: labels, Deliverables: kinds, Tasks: rows, Next: "/?cursor=x"},
		"task":  taskBody{Task: english, Requester: requester, CanApply: true, Reasons: options(v, "report.", reportReasons)},
		"login": signInBody{Next: "/me"}, "code": signInBody{DevMail: true}, "requesterlogin": signInBody{},
		"devmail": devMailBody{[]notify.Letter{{To: "a@example.jp", Subject: "確認コード", Body: hostile, At: now}}},
		"about":   aboutBody{Steps: []string{"about.step1"}, Fair: []string{"about.fair1"}, Safe: []string{"about.safe1"}, FeePercent: "20", FloorJPY: 750, FloorUSD: 500},
		"error":   failure{Title: "page.notfound", Text: v.say("page.notfound.text"), Back: "/", BackKey: "page.back"},
		"profile": profileBody{Prefectures: v.prefectures(), Weekdays: weekdays, Toggles: toggles(), PushKey: "key", Devices: []deviceView{{"d1", hostile, now}, {"d2", "", now}}, Ways: []option{{"", "mail"}, {"push", hostile}}, Payouts: []payoutView{{At: now, TaskID: "t1", Title: hostile, Amount: 1200, Currency: "JPY"}, {At: now, Key: "payouts.entry", Amount: 1, Currency: "USD"}}, Balances: []balanceView{{1200, "JPY"}}},
		"mytasks": mineBody{Offers: []offerView{{ID: "o1", Title: t.Title, Quote: q, Due: due}}, Groups: []groupView{{"applied", rows}, {"working", nil}, {"delivered", rows}, {"finished", rows}}},
		"offer":   offerBody{ID: "o1", Task: t, Due: due, Live: true},
		"work": workBody{Task: t, Tone: "warn", Timer: due, TimerKey: "due.deadline", Request: hostile, Rejection: rejection, Dispute: dispute, Submissions: []deliveryView{delivery}, Messages: messages,
			Reviews: []reviewView{{"agent", 5, "ありがとうございました。"}}, CanSubmit: true, CanAppeal: true, CanDecline: true, CanDispute: true, CanRate: true, CanChat: true},
		"threads":   threadsBody{Threads: []threadView{{"/me/messages/c1", hostile, hostile, true, now}}, Next: "/me/messages?cursor=x"},
		"thread":    threadBody{ID: "c1", TaskURL: "/me/tasks/t1", Requester: requester, Messages: messages, ChatURL: "/me/messages/c1", CanChat: true},
		"terms":     sheetBody{Rows: []sheetRow{{Key: "terms.content", Text: hostile}, {Key: "terms.method", Key2: "terms.method.rule"}}, Hash: strings.Repeat("0123456789abcdef", 4), Back: "/me/tasks/t1"},
		"requester": requestsBody{Filters: []link{{URL: "/requester", Key: "req.all", Here: true}}, Tasks: rows, Next: "/requester?cursor=x"},
		"requestertask": requestBody{Task: t, Tone: "warn", Timer: due, TimerKey: "due.review", Applications: []applicantView{{ID: "a1", Handle: hostile, Cover: hostile, Availability: "土曜", Status: "selecting", Place: t.Place, Rating: "4.5", Rated: 2, Completed: 7, Counter: 2000}},
			Submissions: []deliveryView{delivery}, Messages: messages, Dispute: dispute, RejectCodes: options(v, "reject.", task.RejectCodes()), TermsURL: "/x", CanChoose: true, CanReview: true, CanRevise: true, CanCancel: true, CanRate: true, CanChat: true, HasChat: true, CanExtend: true, CanDispute: true, Extensions: v.extensions()},
		"ops": opsBody{Holds: []holdView{{"t1", t.Title, hostile, "otp_relay", hostile, now}}, Reports: []reportView{{"r1", "t1", t.Title, "illegal", hostile, now}},
			Disputes: []opsDisputeView{{"t1", t.Title, hostile, now, q}}, Jobs: []JobCount{{"mail", "available", 3}}, Books: &booksView{now, []string{"a task was paid twice: t1"}}, Further: "/ops?disputes=x"},
		"reviews":  opinionsBody{Rating: "4.5", Rated: 2, Reviews: []opinionView{{5, hostile, now}, {4, "", now}}, Next: "/me/reviews?cursor=x", Back: "/me"},
		"leave":    leaveBody{Goes: []string{"leave.goes1"}, Stays: []string{"leave.stays1"}},
		"accounts": accountsBody{Accounts: []accountRow{{ID: "a1", Name: hostile, Email: "a@example.jp", Disabled: true, Caps: filled("capsa1", url.Values{"jpy": {"75000"}})}}, Next: "/ops/accounts?cursor=x"},
		"agents": agentsBody{[]agentView{{ID: "a1", Name: hostile, Email: "a@example.jp", Disabled: true, Caps: data.Caps{"JPY": 75000, "USD": 50000}, Keys: []agentKeyView{
			{ID: "k1", Name: hostile, Prefix: "ai_live_0123abcd", Scopes: data.AgentScopes(), CreatedAt: now, Used: true, LastUsedAt: now, Ends: true, ExpiresAt: now, Live: true,
				Caps: filled("capsk1", url.Values{"jpy": {"5000"}}), RevokeAction: "/x", CapsFrom: "/y"}, {ID: "k2", Name: "old", Prefix: "ai_live_01", CreatedAt: now},
		}}}},
		"dispute": disputeBody{ID: "t1", By: "human", Reason: hostile, At: now, Task: t, Rejection: rejection, Submissions: []deliveryView{delivery}, Messages: messages},
	}
}

// gallery serves every page with everything that it can show, as /{lang}/{page}.
func gallery(t *testing.T) string {
	t.Helper()
	all, err := parsePages()
	if err != nil {
		t.Fatal(err)
	}
	s := &Site{pages: all, options: Options{Simulated: true}, now: func() time.Time { return time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC) }}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /assets/{name}", serveAsset)
	mux.HandleFunc("GET /{lang}/{page}", func(w http.ResponseWriter, r *http.Request) {
		v := &visit{site: s, w: w, r: r, lang: words.Lang(r.PathValue("lang")), now: s.now(), who: who{Known: true, Human: true, Operator: true, Offers: 2}}
		body, ok := filledPages(v)[r.PathValue("page")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		var f *form
		if name := r.URL.Query().Get("wrong"); name != "" {
			f = filled(name, url.Values{"cover_letter": {hostile}, "handle": {hostile}, "text": {hostile}})
			for _, field := range strings.Split(r.URL.Query().Get("fields"), ",") {
				f.wrong(field, "error.required")
			}
			f.wrong("", "reason.not_open")
			if b, ok := body.(agentsBody); ok { // the page has a form for each key
				b.Agents[0].Keys[0].Caps = f
			}
		}
		if err := v.show(r.PathValue("page"), v.say("site.name")+" "+r.PathValue("page"), body, f); err != nil {
			t.Error(err)
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	server := httptest.NewServer(secured(mux))
	t.Cleanup(server.Close)
	return server.URL
}

// wrongForms are pages with a form that was refused.
var wrongForms = map[string]string{
	"task": "apply&fields=cover_letter,availability", "profile": "profile&fields=handle,prefecture,floor", "work": "submit&fields=files,text", "requestertask": "reject&fields=code,text",
	"login": "login&fields=email", "leave": "leave&fields=sure", "agents": "capsk1&fields=jpy,usd", "dispute": "resolve&fields=percent,note",
}

// Every page with everything that it can show passes axe, can be used with the
// keyboard alone, does not scroll sideways at twice the size, and runs nothing
// that people wrote.
func TestPagesAreAccessible(t *testing.T) {
	site := gallery(t)
	names := pageNames(t)
	for _, lang := range words.Langs {
		for half, part := range [][]string{names[:len(names)/2], names[len(names)/2:]} {
			t.Run(fmt.Sprintf("%s %d", lang, half), func(t *testing.T) {
				t.Parallel()
				tab := open(t, site, string(lang))
				for _, name := range part {
					looksGood(t, tab, site+"/"+string(lang)+"/"+name)
					if wrong := wrongForms[name]; wrong != "" {
						looksGood(t, tab, site+"/"+string(lang)+"/"+name+"?wrong="+wrong)
					}
				}
			})
		}
	}
}

func looksGood(t *testing.T, tab *browser.Tab, address string) {
	t.Helper()
	p := visitPage(t, tab, address)
	clean(t, p)
	fits(t, p)
	if strings.Contains(address, "/ja/") { // the same in either language
		reachable(t, p)
	}
	if strings.HasSuffix(address, "/ja/task") || strings.HasSuffix(address, "/ja/work") {
		undisturbed(t, p)
	}
	if facts, err := p.Facts(patience(t)); err != nil || strings.Contains(facts.Title, "owned") {
		t.Errorf("%s ran what people wrote: %q, %v", address, facts.Title, err)
	}
}

// pageNames are the names of all templates that are pages.
func pageNames(t *testing.T) []string {
	t.Helper()
	entries, err := templateFiles.ReadDir("templates")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !slices.Contains(shared, e.Name()) {
			names = append(names, strings.TrimSuffix(e.Name(), ".html"))
		}
	}
	return names
}
