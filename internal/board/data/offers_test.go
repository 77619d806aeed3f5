package data_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func instant(change func(*data.Person)) func(*data.Person) {
	return func(p *data.Person) {
		p.Instant.On, p.Instant.Cap = true, 1
		if change != nil {
			change(p)
		}
	}
}

// Who is asked consented to be: to the pay, the place, the hour and the load.
func TestWhoIsAsked(t *testing.T) {
	tests := map[string]struct {
		person func(*data.Person)
		task   func(*task.Draft)
		asked  bool
	}{
		"anybody":                                {nil, nil, true},
		"not opted in":                           {func(p *data.Person) { p.Instant.On = false }, nil, false},
		"too little":                             {func(p *data.Person) { p.Instant.Floors = data.Caps{money.USD: 801} }, nil, false},
		"just enough":                            {func(p *data.Person) { p.Instant.Floors = data.Caps{money.USD: 800} }, nil, true},
		"a floor in yen":                         {func(p *data.Person) { p.Instant.Floors = data.Caps{money.JPY: 99999} }, nil, true},
		"another country":                        {func(p *data.Person) { p.Country = "US" }, nil, false},
		"another prefecture":                     {func(p *data.Person) { p.Areas = []string{"大阪府"} }, inTokyo, false},
		"no area":                                {nil, inTokyo, false},
		"the prefecture":                         {func(p *data.Person) { p.Areas = []string{"東京都"} }, inTokyo, true},
		"the city":                               {func(p *data.Person) { p.Areas = []string{"東京都/渋谷区"} }, inTokyo, true},
		"another city":                           {func(p *data.Person) { p.Areas = []string{"東京都/港区"} }, inTokyo, false},
		"asleep at noon":                         {func(p *data.Person) { p.Instant.QuietFrom, p.Instant.QuietTo = 11*60, 13*60 }, nil, false},
		"awake from noon":                        {func(p *data.Person) { p.Instant.QuietFrom, p.Instant.QuietTo = 11*60, 12*60 }, nil, true},
		"over midnight":                          {func(p *data.Person) { p.Instant.QuietFrom, p.Instant.QuietTo = 22*60, 12*60+1 }, nil, false},
		"over midnight, over":                    {func(p *data.Person) { p.Instant.QuietFrom, p.Instant.QuietTo = 22*60, 12*60 }, nil, true},
		"works today":                            {works(today, 9*60, 18*60), nil, true},
		"works until noon":                       {works(today, 9*60, 12*60), nil, false},
		"works from noon":                        {works(today, 12*60, 24*60), nil, true},
		"works tomorrow":                         {works(today+1, 9*60, 18*60), nil, false},
		"works tonight":                          {works(today, 22*60, 13*60), nil, false},
		"worked all night":                       {works(today-1, 22*60, 12*60+1), nil, true},
		"worked until noon":                      {works(today-1, 22*60, 12*60), nil, false},
		"works from this morning into the night": {works(today, 11*60, 2*60), nil, true},
	}
	each(t, func(t *testing.T, w *world) {
		n := 0
		for name, tt := range tests {
			n++
			by := w.worker(fmt.Sprint("ann", n), instant(tt.person))
			posted := w.post(tt.task)
			o, err := w.OfferTask(t.Context(), posted.ID, time.Minute)
			if tt.asked != (err == nil) || err != nil && task.ReasonOf(err) != task.NoSupply {
				t.Errorf("%s: %+v, %v", name, o, err)
			}
			if err == nil {
				try(w.DeclineOffer(t.Context(), by, o.ID))(t)
			}
			if got := try(w.Task(t.Context(), posted.ID))(t); got.State() != (task.State{Status: task.Open}) {
				t.Errorf("%s: the task is left %v", name, got.State())
			}
			p := try(w.Person(t.Context(), by.ID))(t)
			p.Areas, p.Country, p.Instant = nil, "JP", data.Instant{Cap: 1}
			try(w.SavePerson(t.Context(), p))(t)
		}
	})
}

// works makes somebody work on one day of the week only.
func works(day time.Weekday, from, to int) func(*data.Person) {
	return func(p *data.Person) {
		p.Instant.Hours = []data.Hours{{Day: (day + 7) % 7, From: from, To: to}}
	}
}

// Hours are kept as they were given, and those that cannot be are refused.
func TestHours(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		by := w.worker("ann", instant(func(p *data.Person) {
			p.Instant.Hours = []data.Hours{{Day: time.Saturday, From: 1, To: 2}, {Day: time.Sunday, From: 600, To: 1440}}
		}))
		p := try(w.Person(t.Context(), by.ID))(t)
		if len(p.Instant.Hours) != 2 || p.Instant.Hours[0] != (data.Hours{Day: time.Sunday, From: 600, To: 1440}) {
			t.Errorf("the hours are %+v", p.Instant.Hours)
		}
		for _, bad := range [][]data.Hours{{{Day: 7, From: 0, To: 1}}, {{Day: 1, From: 5, To: 5}}, {{Day: 1, From: -1, To: 5}}, {{Day: 1, From: 0, To: 1441}}, {{Day: 1, From: 0, To: 5}, {Day: 1, From: 6, To: 7}}} {
			p.Instant.Hours = bad
			if _, err := w.SavePerson(t.Context(), p); task.ReasonOf(err) == "" {
				t.Errorf("%+v are taken", bad)
			}
		}
	})
}

// today is the day of the week of the tests, in Japan.
const today = time.Saturday

func inTokyo(d *task.Draft) { d.Place.Prefecture, d.Place.City = "東京都", "渋谷区" }

func TestOffersGoRound(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		people := map[string]int{}
		for _, name := range []string{"ann", "ben", "cho"} {
			people[w.worker(name, instant(nil)).ID] = 0
		}
		for range 6 {
			o := try(w.OfferTask(t.Context(), w.post(nil).ID, time.Minute))(t)
			people[o.HumanID]++
			w.clock.forward(time.Minute)
			if err := w.ExpireOffer(t.Context(), o.ID); err != nil {
				t.Error(err)
			}
		}
		for id, n := range people {
			if n != 2 {
				t.Errorf("%s was asked %d times of 6, want 2", id, n)
			}
		}
		posted := w.post(nil)
		for range 3 { // nobody twice for one task
			o := try(w.OfferTask(t.Context(), posted.ID, time.Minute))(t)
			if again := try(w.OfferTask(t.Context(), posted.ID, time.Minute))(t); again.ID != o.ID {
				t.Errorf("a second offer while one is out: %+v", again)
			}
			try(w.DeclineOffer(t.Context(), task.Actor{Kind: task.Human, ID: o.HumanID}, o.ID))(t)
		}
		_, err := w.OfferTask(t.Context(), posted.ID, time.Minute)
		w.refused(err, task.NoSupply)
	})
}

func TestConsentAssigns(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, ben := w.worker("ann", instant(nil)), w.worker("ben", nil)
		posted := w.post(nil)
		w.apply(ben, posted.ID)
		o := try(w.OfferTask(t.Context(), posted.ID, time.Minute))(t)
		if to := try(w.OffersTo(t.Context(), ann.ID))(t); len(to) != 1 || to[0] != o {
			t.Errorf("offers to her: %+v", to)
		}
		_, err := w.AcceptOffer(t.Context(), ben, o.ID)
		w.refused(err, task.NotFound)
		w.refused(w.ExpireOffer(t.Context(), o.ID), task.InvalidTaskStatus)
		all := w.race(func(b *data.Board, n int) error {
			if n%4 == 0 {
				_, err := b.DeclineOffer(t.Context(), ben, o.ID)
				return err
			}
			_, err := b.AcceptOffer(t.Context(), ann, o.ID)
			return err
		})
		w.winners(all, 1, task.NotFound, task.OfferNotPending, task.AlreadyAssigned)
		got := try(w.Task(t.Context(), posted.ID))(t)
		if got.Status != task.Accepted || got.HumanID != ann.ID {
			t.Errorf("after consent: %+v", got)
		}
		w.settle()
		if w.held() != 1000 {
			t.Errorf("the provider holds %d", w.held())
		}
		_, err = w.OfferTask(t.Context(), w.post(nil).ID, time.Minute)
		w.refused(err, task.NoSupply) // she is busy
		w.sound()
	})
}

func TestConsentThatComesTooLate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", instant(nil))
		posted := w.post(nil)
		o := try(w.OfferTask(t.Context(), posted.ID, time.Nanosecond))(t)
		w.clock.forward(10 * time.Second)
		_, err := w.AcceptOffer(t.Context(), ann, o.ID)
		w.refused(err, task.OfferNotPending)
		if err := w.ExpireOffer(t.Context(), o.ID); err != nil {
			t.Error(err)
		}
		if err := w.ExpireOffer(t.Context(), o.ID); err != nil {
			t.Errorf("the second time: %v", err)
		}
		_, err = w.AcceptOffer(t.Context(), ann, o.ID)
		w.refused(err, task.OfferNotPending)
		w.settle()
		if w.held() != 0 {
			t.Errorf("the provider holds %d", w.held())
		}
		w.sound()
	})
}

func TestABusyPersonIsNotAssigned(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", func(p *data.Person) { p.Instant.Cap = 2 })
		var acceptances []data.Acceptance
		for range 10 {
			id := w.post(func(d *task.Draft) { usd := 5.0; d.BudgetUSD = &usd }).ID
			acceptances = append(acceptances, data.Acceptance{TaskID: id, ApplicationID: w.apply(ann, id).ID})
		}
		all := w.race(func(b *data.Board, n int) error {
			_, err := b.AcceptApplication(t.Context(), w.agent, acceptances[n%len(acceptances)])
			return err
		})
		w.winners(all, 2, task.WorkerBusy, task.AlreadyAssigned, task.ApplicationNotPending, task.VersionConflict)
		w.settle()
		if w.held() != 1000 {
			t.Errorf("the provider holds %d for two tasks of 500", w.held())
		}
		w.sound()
	})
}

// A process died between the provider and the commit.
func TestMoneyOfADeadAcceptanceGoesBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		posted := w.post(nil)
		a := w.apply(ann, posted.ID)
		// What the process left: the provider took the money, nothing followed.
		stop := w.stopAfterFunding(posted.ID, a.ID)
		if stop == nil || w.held() != 1000 {
			t.Fatalf("the acceptance went through: %v, %d held", stop, w.held())
		}
		if n := try(w.VoidStale(t.Context(), w.clock.now()))(t); n != 0 {
			t.Errorf("%d fundings that may be under way are given back", n)
		}
		if n := try(w.VoidStale(t.Context(), w.clock.now().Add(time.Second)))(t); n != 1 {
			t.Errorf("%d fundings are given back, want 1", n)
		}
		w.settle()
		w.settle()
		if w.held() != 0 {
			t.Errorf("the provider holds %d", w.held())
		}
		try(w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: a.ID}))(t)
		if w.held() != 1000 {
			t.Errorf("accepted, the provider holds %d", w.held())
		}
		w.sound()
	})
}

// slow is a provider whose first answer comes after the sweeper gave the money up.
type slow struct {
	*money.Fake
	first func()
}

// Fund takes the money, and lets the sweeper run once.
func (s *slow) Fund(ctx context.Context, t money.Transfer) (money.Receipt, error) {
	r, err := s.Fake.Fund(ctx, t)
	if s.first != nil {
		s.first()
		s.first = nil
	}
	return r, err
}

func TestAnAcceptanceWhoseMoneyWasGivenUpIsFundedAnew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		posted := w.post(nil)
		a := w.apply(w.worker("ann", nil), posted.ID)
		provider := &slow{w.provider, func() {
			if n := try(w.VoidStale(t.Context(), w.clock.now().Add(time.Hour)))(t); n != 1 {
				t.Errorf("%d fundings were given up", n)
			}
		}}
		b := try(data.Open(w.db, data.Options{Pepper: pepper, Provider: provider, Outbox: w.outbox}))(t)
		got := try(b.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: a.ID}))(t)
		w.settle() // the sweeper's job comes
		if got.Task.Status != task.Accepted || w.held() != 1000 {
			t.Errorf("%v, the provider holds %d", got.Task.State(), w.held())
		}
		w.sound()
	})
}
