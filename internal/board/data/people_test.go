package data_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func TestKeysOfAgents(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		k, secret, err := w.NewKey(t.Context(), data.Key{AgentID: w.agent.ID, Name: "reader", Scopes: []string{data.ScopeRead}, ExpiresAt: w.clock.now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(secret, k.Prefix+"_") || !strings.HasPrefix(k.Prefix, "ai_live_") || len(secret) != len("ai_live_")+8+1+48 {
			t.Errorf("the secret of %s has %d characters", k.Prefix, len(secret))
		}
		got := try(w.Authenticate(t.Context(), secret))(t)
		if diff := cmp.Diff(k, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		last := "0"
		if strings.HasSuffix(secret, "0") {
			last = "1"
		}
		for _, wrong := range []string{"", "_", k.Prefix, k.Prefix + "_", secret[:len(secret)-1] + last, secret + "0", strings.Repeat("a_", 5000), "ai_live_%_x", secret[:len(secret)-1]} {
			_, err := w.Authenticate(t.Context(), wrong)
			w.refused(err, task.InvalidCredentials)
		}
		w.clock.forward(time.Hour)
		_, err = w.Authenticate(t.Context(), secret)
		w.refused(err, task.InvalidCredentials)
	})
}

// TestTheUseOfAKeyIsNotedAtMostOnceAnHour: noting waits for all who write, and who reads
// with a key that was just used must not.
func TestTheUseOfAKeyIsNotedAtMostOnceAnHour(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, secret, err := w.NewKey(t.Context(), data.Key{AgentID: w.agent.ID, Name: "reader"})
		if err != nil {
			t.Fatal(err)
		}
		used := func() time.Time { return try(w.Authenticate(t.Context(), secret))(t).LastUsedAt }
		if at := used(); !at.IsZero() {
			t.Fatalf("a new key was used at %s", at)
		}
		first := w.clock.now()
		w.clock.forward(59 * time.Minute)
		err = w.db.Tx(t.Context(), func(context.Context, store.Tx) error { // the one who writes
			if at := used(); !at.Equal(first) {
				t.Errorf("used at %s, was noted at %s", first, at)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		w.clock.forward(time.Minute)
		used()
		if at, now := used(), w.clock.now(); !at.Equal(now) {
			t.Errorf("an hour later, at %s, the key was last used at %s", now, at)
		}
	})
}

func TestNoSecretIsKeptInTheClear(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	_, secret, err := w.NewKey(t.Context(), data.Key{AgentID: w.agent.ID, Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	id := try(w.StartSignIn(t.Context(), "ann@people.example", "ja"))(t)
	code := w.outbox.code(t)
	_, session, err := w.ConfirmSignIn(t.Context(), id, code)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"key": secret, "secret part": secret[strings.LastIndex(secret, "_")+1:], "session": session, "code": code} {
		for _, at := range []string{"api_keys WHERE mac", "sessions WHERE mac", "codes WHERE mac", "request_keys WHERE result"} {
			if n := w.count("SELECT COUNT(*) FROM " + at + " LIKE '%" + s + "%'"); n != 0 {
				t.Errorf("the %s is in %s", name, at)
			}
		}
	}
}

func TestRotationOverlaps(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	k, old, err := w.NewKey(t.Context(), data.Key{AgentID: w.agent.ID, Name: "n", Caps: data.Caps{money.JPY: 1000}, Scopes: []string{data.ScopePost}})
	if err != nil {
		t.Fatal(err)
	}
	next, fresh, err := w.RotateKey(t.Context(), w.agent, k.ID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(k, next, cmpopts.IgnoreFields(data.Key{}, "ID", "Prefix", "CreatedAt")); diff != "" {
		t.Errorf("the successor differs (-old +new):\n%s", diff)
	}
	for _, s := range []string{old, fresh} {
		if _, err := w.Authenticate(t.Context(), s); err != nil {
			t.Errorf("in the overlap: %v", err)
		}
	}
	w.clock.forward(time.Hour)
	_, err = w.Authenticate(t.Context(), old)
	w.refused(err, task.InvalidCredentials)
	if err := w.RevokeKey(t.Context(), w.agent, next.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.Authenticate(t.Context(), fresh)
	w.refused(err, task.InvalidCredentials)
	other := task.Actor{Kind: task.Human, ID: w.agent.ID}
	_, _, err = w.RotateKey(t.Context(), other, w.agent.KeyID, 0)
	w.refused(err, task.NotFound)
	w.refused(w.RevokeKey(t.Context(), other, w.agent.KeyID), task.NotFound)
}

func TestKeysThatCannotBe(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	ann := w.person("ann")
	for name, tt := range map[string]struct {
		k    data.Key
		want task.Reason
	}{
		"no name":              {data.Key{AgentID: w.agent.ID}, task.InvalidRequest},
		"an unknown scope":     {data.Key{AgentID: w.agent.ID, Name: "n", Scopes: []string{"root"}}, task.InvalidRequest},
		"a scope of an agent":  {data.Key{HumanID: ann.ID, Name: "n", Scopes: []string{data.ScopePost}}, task.InvalidRequest},
		"expired":              {data.Key{AgentID: w.agent.ID, Name: "n", ExpiresAt: w.clock.now()}, task.InvalidRequest},
		"a negative cap":       {data.Key{AgentID: w.agent.ID, Name: "n", Caps: data.Caps{"USD": -1}}, task.InvalidRequest},
		"of nobody":            {data.Key{AgentID: "nobody", Name: "n"}, task.NotFound},
		"of nobody that works": {data.Key{HumanID: "nobody", Name: "n"}, task.NotFound},
	} {
		if _, _, err := w.NewKey(t.Context(), tt.k); task.ReasonOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

func TestAnAccountHasSomeKeysAtMost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.person("ann")
		all := w.race(func(b *data.Board, _ int) error {
			_, _, err := b.NewKey(t.Context(), data.Key{HumanID: ann.ID, Name: "n"})
			return err
		})
		w.winners(all, 10, task.KeyLimit)
		keys := try(w.Keys(t.Context(), ann))(t)
		if len(keys) != 10 {
			t.Errorf("%d keys", len(keys))
		}
		if err := w.RevokeKey(t.Context(), ann, keys[0].ID); err != nil {
			t.Error(err)
		}
		if _, _, err := w.NewKey(t.Context(), data.Key{HumanID: ann.ID, Name: "n"}); err != nil {
			t.Errorf("in place of a revoked one: %v", err)
		}
	})
}

func TestAnAddressIsNoProofOfAnAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before := try(w.Agent(t.Context(), w.agent.ID))(t)
		c := try(w.Connect(t.Context(), "Renamed by Mallory", "ADA@agents.example"))(t)
		if c.Secret != "" || c.Agent.ID != "" || c.CodeID == "" {
			t.Errorf("a known address gives away %+v", c)
		}
		if diff := cmp.Diff(before, try(w.Agent(t.Context(), w.agent.ID))(t)); diff != "" {
			t.Errorf("the account changed (-before +after):\n%s", diff)
		}
		right := w.outbox.code(t)
		for n := range 5 {
			_, err := w.ConfirmAgent(t.Context(), task.Actor{}, c.CodeID, wrongCode(right, n))
			w.refused(err, task.InvalidCode)
		}
		_, err := w.ConfirmAgent(t.Context(), task.Actor{}, c.CodeID, right)
		w.refused(err, task.InvalidCode) // guessed too often
		c = try(w.Connect(t.Context(), "Ada", "ada@agents.example"))(t)
		got := try(w.ConfirmAgent(t.Context(), task.Actor{}, c.CodeID, w.outbox.code(t)))(t)
		if got.Agent.ID != w.agent.ID || got.Agent.Name != "Ada's agent" || got.Agent.EmailVerified.IsZero() {
			t.Errorf("confirmed: %+v", got.Agent)
		}
		if k := try(w.Authenticate(t.Context(), got.Secret))(t); k.AgentID != w.agent.ID {
			t.Errorf("the new key is %+v", k)
		}
		for _, k := range try(w.Keys(t.Context(), w.agent))(t) {
			if ended := !k.RevokedAt.IsZero(); ended != (k.ID == w.agent.KeyID) {
				t.Errorf("the key %q of an account that is proved has ended: %t", k.Name, ended)
			}
		}
		c = try(w.Connect(t.Context(), "Ada", "ada@agents.example"))(t)
		try(w.ConfirmAgent(t.Context(), task.Actor{}, c.CodeID, w.outbox.code(t)))(t)
		try(w.Authenticate(t.Context(), got.Secret))(t) // a later proof leaves it
		_, err = w.ConfirmAgent(t.Context(), task.Actor{}, c.CodeID, w.outbox.code(t))
		w.refused(err, task.InvalidCode) // used
	})
}

func TestAProofWithAKeyKeepsTheKeys(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	id := try(w.StartAgentCode(t.Context(), w.agent.ID))(t)
	try(w.ConfirmAgent(t.Context(), w.agent, id, w.outbox.code(t)))(t)
	for _, k := range try(w.Keys(t.Context(), w.agent))(t) {
		if !k.RevokedAt.IsZero() {
			t.Errorf("the key %q has ended", k.Name)
		}
	}
}

// wrongCode is a code that is not right.
func wrongCode(right string, n int) string {
	digit := (int(right[5]-'0') + 1 + n) % 10
	return right[:5] + string(rune('0'+digit))
}

func TestCodesEndAndAreNotSentWithoutEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := try(w.StartSignIn(t.Context(), "ann@people.example", "en"))(t)
		first := w.outbox.code(t)
		w.clock.forward(15 * time.Minute)
		_, _, err := w.ConfirmSignIn(t.Context(), id, first)
		w.refused(err, task.InvalidCode)
		w.clock.forward(time.Hour)
		old := try(w.StartSignIn(t.Context(), "ann@people.example", "en"))(t)
		oldCode := w.outbox.code(t)
		newer := try(w.StartSignIn(t.Context(), " Ann@People.example", "en"))(t)
		_, _, err = w.ConfirmSignIn(t.Context(), old, oldCode)
		w.refused(err, task.InvalidCode) // a newer one was sent
		p, session, err := w.ConfirmSignIn(t.Context(), newer, " "+w.outbox.code(t)+" ")
		if err != nil || p.Email != "ann@people.example" || p.Lang != "en" {
			t.Errorf("signed in: %+v, %v", p, err)
		}
		if who := try(w.Session(t.Context(), session))(t); who.ID != p.ID {
			t.Errorf("the session is of %s", who.ID)
		}
		before := len(w.outbox.of(task.JobMail))
		for range 50 {
			try(w.StartSignIn(t.Context(), "ann@people.example", "en"))(t)
		}
		if sent := len(w.outbox.of(task.JobMail)) - before; sent != 4 {
			t.Errorf("%d mails after 2 in this hour, want 4", sent)
		}
		newer = try(w.StartSignIn(data.WithSource(t.Context(), "192.0.2.9"), "ann@people.example", "en"))(t)
		// One code is for one purpose.
		_, err = w.ConfirmAgent(t.Context(), task.Actor{}, newer, w.outbox.code(t))
		w.refused(err, task.InvalidCode)
	})
}

func TestAddresses(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	for _, bad := range []string{"", "ann", "ann@", "@people.example", "ann@people", "a b@people.example", "Ann <ann@people.example>", "ann@people.example\r\nBcc: x@y.example", "ann@people.example,ben@people.example", "ann@[127.0.0.1]", strings.Repeat("a", 250) + "@people.example", "\"a\"@people.example"} {
		_, err := w.StartSignIn(t.Context(), bad, "ja")
		if task.ReasonOf(err) != task.InvalidRequest {
			// a line break is taken out; what is left must not be an address
			t.Errorf("%q is taken: %v", bad, err)
		}
	}
	before := w.count("SELECT COUNT(*) FROM codes")
	try(w.StartSignIn(t.Context(), "ａｎｎ@people.example", "ja"))(t)
	if w.count("SELECT COUNT(*) FROM codes WHERE email = 'ann@people.example'") != 1 || w.count("SELECT COUNT(*) FROM codes") != before+1 {
		t.Error("a full-width address is another one")
	}
}

func TestOnePersonPerAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.person("ann")
		again := w.person("ann")
		google, _, err := w.SignInIdentity(t.Context(), data.Identity{Provider: "google", Subject: "1", Email: "ann@people.example", Lang: "en"})
		if err != nil || again.ID != ann.ID || google.ID != ann.ID {
			t.Errorf("ann is %s, %s and %s: %v", ann.ID, again.ID, google.ID, err)
		}
		line, session, err := w.SignInIdentity(t.Context(), data.Identity{Provider: "line", Subject: "1", Lang: "ja"})
		if err != nil || line.ID == ann.ID || line.Email != "" {
			t.Errorf("without an address: %+v, %v", line, err)
		}
		back, _, err := w.SignInIdentity(t.Context(), data.Identity{Provider: "line", Subject: "1", Email: "other@people.example"})
		if err != nil || back.ID != line.ID {
			t.Errorf("the same identity: %+v, %v", back, err)
		}
		if err := w.EndSession(t.Context(), session); err != nil {
			t.Error(err)
		}
		_, err = w.Session(t.Context(), session)
		w.refused(err, task.Unauthorized)
		_, err = w.Session(t.Context(), "")
		w.refused(err, task.Unauthorized)
	})
}

// No provider signs in who runs the board, not even one that did before they ran it.
func TestOperatorsSignInByMail(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := data.Identity{Provider: "google", Subject: "1", Email: "ann@people.example", Lang: "en"}
		ann, _, err := w.SignInIdentity(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		b, err := data.Open(w.db, data.Options{Pepper: pepper, Provider: w.provider, Outbox: w.outbox, Operators: []string{"ann@people.example"}})
		if err != nil {
			t.Fatal(err)
		}
		_, secret, err := b.SignInIdentity(t.Context(), id)
		w.refused(err, task.Forbidden)
		if p := try(b.Person(t.Context(), ann.ID))(t); p.Operator || secret != "" {
			t.Errorf("the provider made an operator of %+v", p)
		}
		w.refused(b.LinkIdentity(t.Context(), ann.ID, data.Identity{Provider: "line", Subject: "2"}), task.Forbidden)
	})
}

func TestWhoProvesAnAddressOwnsItsAgent(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	id := try(w.StartSignIn(t.Context(), "ada@agents.example", "en"))(t)
	p, session, err := w.ConfirmSignIn(t.Context(), id, w.outbox.code(t))
	if err != nil {
		t.Fatal(err)
	}
	if own := try(w.AgentsOf(t.Context(), p.ID))(t); len(own) != 1 || own[0].ID != w.agent.ID || own[0].EmailVerified.IsZero() {
		t.Errorf("she owns %+v", own)
	}
	if err := w.Suspend(t.Context(), p.ID, true); err != nil {
		t.Fatal(err)
	}
	_, err = w.Session(t.Context(), session)
	w.refused(err, task.Unauthorized)
	id = try(w.StartSignIn(t.Context(), "ada@agents.example", "en"))(t)
	_, _, err = w.ConfirmSignIn(t.Context(), id, w.outbox.code(t))
	w.refused(err, task.APIAccessDisabled)
}

func TestProfiles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.person("ann")
		p := try(w.Person(t.Context(), ann.ID))(t)
		p.Handle, p.Headline, p.Bio, p.Lang, p.Prefecture, p.City = "ann ", "Walks\nfast", "I live\nin Shibuya", "ja", "東京都", "渋谷区"
		p.Areas, p.Skills, p.Languages = []string{"東京都/渋谷区", "東京都", "東京都"}, []string{"photo"}, []string{"en", "ja"}
		p.Instant = data.Instant{On: true, Floors: data.Caps{money.JPY: 1000}, QuietFrom: 22 * 60, QuietTo: 7 * 60, Cap: 2}
		p.Notify, p.PayoutReady = `{"mail":true}`, true
		got := try(w.SavePerson(t.Context(), p))(t)
		p.Handle, p.Headline, p.Areas = "ann", "Walks fast", []string{"東京都", "東京都/渋谷区"}
		if diff := cmp.Diff(p, got, cmpopts.IgnoreFields(data.Person{}, "UpdatedAt")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for name, change := range map[string]func(*data.Person){
			"no handle":      func(p *data.Person) { p.Handle = "\u200b" },
			"a long handle":  func(p *data.Person) { p.Handle = strings.Repeat("h", 41) },
			"a language":     func(p *data.Person) { p.Lang = "fr" },
			"no cap":         func(p *data.Person) { p.Instant.Cap = 0 },
			"a floor":        func(p *data.Person) { p.Instant.Floors = data.Caps{money.USD: -1} },
			"quiet hours":    func(p *data.Person) { p.Instant.QuietTo = 1440 },
			"too many tags":  func(p *data.Person) { p.Skills = make([]string, 51) },
			"a country":      func(p *data.Person) { p.Country = "Japan" },
			"a long setting": func(p *data.Person) { p.Notify = strings.Repeat(" ", 4001) },
		} {
			bad := got
			change(&bad)
			if _, err := w.SavePerson(t.Context(), bad); task.ReasonOf(err) != task.InvalidRequest {
				t.Errorf("%s: %v", name, err)
			}
		}
		sneaky := got
		sneaky.Operator, sneaky.Email, sneaky.Suspended = true, "root@people.example", true
		if got := try(w.SavePerson(t.Context(), sneaky))(t); got.Operator || got.Suspended || got.Email != "ann@people.example" {
			t.Errorf("a profile made itself %+v", got)
		}
	})
}

func TestADeletedPersonIsGone(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	ann := w.worker("ann", func(p *data.Person) { p.Bio, p.Areas = "I live in Shibuya", []string{"東京都"} })
	job := w.accepted(ann)
	w.refused(w.DeletePerson(t.Context(), ann.ID), task.InvalidTaskStatus)
	try(w.Decline(t.Context(), ann, job.ID, ""))(t)
	waiting := w.apply(ann, w.post(nil).ID)
	if err := w.DeletePerson(t.Context(), ann.ID); err != nil {
		t.Fatal(err)
	}
	_, err := w.Person(t.Context(), ann.ID)
	w.refused(err, task.NotFound)
	if n := w.count("SELECT COUNT(*) FROM humans WHERE email = 'ann@people.example' OR bio <> '' OR handle = 'ann'"); n != 0 {
		t.Error("the profile is still there")
	}
	if a := try(w.Application(t.Context(), waiting.ID))(t); a.Status != data.ApplicationWithdrawn {
		t.Errorf("an application waits: %s", a.Status)
	}
	if again := w.person("ann"); again.ID == ann.ID {
		t.Error("the same address gets the old profile")
	}
}
