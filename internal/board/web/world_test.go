package web

import (
	"context"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/push"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

// mailbox takes the jobs of the board and keeps the mails among them.
type mailbox struct {
	mu    sync.Mutex
	mails []data.Mail
	jobs  []data.Job
}

// Enqueue implements data.Outbox.
func (m *mailbox) Enqueue(_ context.Context, tx store.Tx, j data.Job) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.jobs = append(m.jobs, j)
	if j.Mail != nil {
		m.mails = append(m.mails, *j.Mail)
	}
	return nil
}

// Letters implements Mailbox.
func (m *mailbox) Letters(context.Context, int) ([]notify.Letter, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []notify.Letter
	for _, mail := range m.mails {
		list = append([]notify.Letter{{To: mail.To, Subject: mail.Template, Body: mail.Values["code"], At: time.Now()}}, list...)
	}
	return list, nil
}

// code is the last code that was sent to an address.
func (m *mailbox) code(t *testing.T, to string) string {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := len(m.mails) - 1; i >= 0; i-- {
		if m.mails[i].To == to {
			return m.mails[i].Values["code"]
		}
	}
	t.Fatalf("no code was sent to %s", to)
	return ""
}

// world is a board with its pages on a real database, and a requester.
type world struct {
	t       *testing.T
	db      *store.DB
	board   *data.Board
	mailbox *mailbox
	money   *money.Fake
	media   *media.Store
	push    *push.Push
	pushed  *pushService
	site    string
	agent   data.AgentAccount
	key     data.Key
	secret  string

	mu  sync.Mutex
	off time.Duration // of the pages' clock
}

// newWorld opens a board in an empty SQLite file.
func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOn(t, databases.SQLite(t))
}

// newWorldOn opens a board in an empty database.
func newWorldOn(t *testing.T, u store.URL) *world {
	t.Helper()
	return newWorldWith(t, u, func(*Options, string) {})
}

// newWorldWith also changes the options of the pages, whose address is known then.
func newWorldWith(t *testing.T, u store.URL, change func(o *Options, site string)) *world {
	t.Helper()
	w := &world{t: t, mailbox: &mailbox{}, money: money.NewFake()}
	db := storetest.Open(t, u).WithClock(w.now)
	w.db = db
	var err error
	w.board, err = data.Open(db, data.Options{Pepper: []byte(strings.Repeat("pepper..", 4)), Provider: w.money, Outbox: w.mailbox})
	if err != nil {
		t.Fatal(err)
	}
	w.media, err = media.Open(media.Options{Dir: t.TempDir(), Key: []byte(strings.Repeat("media...", 4)), Now: w.now})
	if err != nil {
		t.Fatal(err)
	}
	w.pushed, w.push = newPushService(t, db)
	server := httptest.NewUnstartedServer(nil)
	w.site = "http://" + server.Listener.Addr().String()
	o := Options{Board: w.board, Media: w.media, Secret: []byte(strings.Repeat("secret..", 4)), Mailbox: w.mailbox, Push: w.push, Clock: w.now, Screen: noSecrets}
	change(&o, w.site)
	server.Config.Handler, err = New(o)
	if err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(server.Close)
	connected, err := w.board.Connect(t.Context(), "青葉リサーチ株式会社", "agent@example.org")
	if err != nil {
		t.Fatal("connecting the agent:", err)
	}
	w.agent, w.key, w.secret = connected.Agent, connected.Key, connected.Secret
	return w
}

// noSecrets refuses messages that ask for a code.
func noSecrets(text string) error {
	if strings.Contains(text, "認証コード") {
		return task.Refuse(task.ContentPolicy)
	}
	return nil
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Add(w.off)
}

// later moves the clock of the pages and the database.
func (w *world) later(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.off += d
}

// by is the requester.
func (w *world) by() task.Actor {
	return task.Actor{Kind: task.Agent, ID: w.agent.ID, KeyID: w.key.ID}
}

// draft is a task as the requester posts it.
func draft() task.Draft {
	minor, minutes := int64(1500), 2880.0
	return task.Draft{
		Title: "案内板の写真を撮る", Text: "駅前の案内板を写真に撮ってください。\n文字が読めるようにお願いします。", Label: "real_world_verification", OriginCountry: "JP",
		Place: task.Place{Prefecture: "東京都", City: "渋谷区", Exact: "渋谷1-1-1 東口"}, AcceptanceCriteria: "All three photos are sharp.\nThe sign is readable.",
		NotAllowed: "人の顔を写さないでください。", Deliverable: "photo", AmountMinor: &minor, Currency: "JPY", DeadlineMinutes: &minutes,
	}
}

// post posts a task.
func (w *world) post(change func(*task.Draft)) task.Task {
	w.t.Helper()
	d := draft()
	if change != nil {
		change(&d)
	}
	made, err := w.board.CreateTask(w.t.Context(), w.by(), data.NewTask{Draft: d})
	if err != nil {
		w.t.Fatal("posting a task:", err)
	}
	return made
}

// worker makes a person with a profile and returns them with a signed-in client.
func (w *world) worker(email string) (data.Person, *client) {
	w.t.Helper()
	id, err := w.board.StartSignIn(w.t.Context(), email, "ja")
	if err != nil {
		w.t.Fatal("asking for a code:", err)
	}
	p, session, err := w.board.ConfirmSignIn(w.t.Context(), id, w.mailbox.code(w.t, email))
	if err != nil {
		w.t.Fatal("signing in:", err)
	}
	name, _, _ := strings.Cut(email, "@")
	p.Handle, p.Prefecture, p.City, p.Lang, p.Country = name, "東京都", "渋谷区", "ja", "JP"
	if p, err = w.board.SavePerson(w.t.Context(), p); err != nil {
		w.t.Fatal("saving a profile:", err)
	}
	c := newClient(w.t, w.site)
	c.setCookie("board-session", session)
	return p, c
}

// assigned posts a task and assigns it to a worker.
func (w *world) assigned(worker data.Person, change func(*task.Draft)) task.Task {
	w.t.Helper()
	t := w.post(change)
	a, err := w.board.Apply(w.t.Context(), task.Actor{Kind: task.Human, ID: worker.ID}, data.NewApplication{TaskID: t.ID, CoverLetter: "近くに住んでいます。", Availability: "いつでも"})
	if err != nil {
		w.t.Fatal("applying:", err)
	}
	made, err := w.board.AcceptApplication(w.t.Context(), w.by(), data.Acceptance{TaskID: t.ID, ApplicationID: a.ID})
	if err != nil {
		w.t.Fatal("accepting:", err)
	}
	return made.Task
}

// requesterClient is a client that signed in with the key of the agent.
func (w *world) requesterClient() *client {
	w.t.Helper()
	c := newClient(w.t, w.site)
	res := c.post("/requester/login", url.Values{"account": {w.agent.ID}, "key": {w.secret}})
	if res.status != 303 || res.header.Get("Location") != "/requester" {
		w.t.Fatalf("signing in with the key: %d %s", res.status, res.header.Get("Location"))
	}
	return c
}
