package api

import (
	"context"
	"net/http"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func (s *Server) selfRoutes() {
	worker := Human | Operator
	register(s, Route{ID: "me", Method: http.MethodGet, Path: "/api/me", Tag: "people", Who: worker, HumanScope: data.ScopeProfileRead, Summary: "The caller's own profile"}, s.me)
	register(s, Route{ID: "save-me", Method: http.MethodPost, Path: "/api/me", Tag: "people", Who: worker, Session: true, Summary: "Change the fields of the profile that the body has"}, s.saveMe)
	register(s, Route{ID: "sign-out", Method: http.MethodPost, Path: "/api/me/sign-out", Tag: "people", Who: worker, Session: true, Summary: "End every session of the caller"}, s.signOut)
	register(s, Route{ID: "delete-me", Method: http.MethodDelete, Path: "/api/me", Tag: "people", Who: worker, Session: true, Summary: "Leave the board: everything goes that says who the caller was"}, s.deleteMe)
	register(s, Route{ID: "my-accounts", Method: http.MethodGet, Path: "/api/me/accounts", Tag: "people", Who: worker, HumanScope: data.ScopeProfileRead, Summary: "Agent accounts whose address is the caller's"}, s.myAccounts)
	register(s, Route{ID: "my-offers", Method: http.MethodGet, Path: "/api/me/offers", Tag: "people", Who: worker, HumanScope: data.ScopeProfileRead, Summary: "Offers that wait for the caller's consent"}, s.offers)
	register(s, Route{ID: "my-applications", Method: http.MethodGet, Path: "/api/me/applications", Tag: "people", Who: worker, HumanScope: data.ScopeProfileRead, Summary: "The caller's applications, the newest first"}, s.myApplications)
	register(s, Route{ID: "my-payments", Method: http.MethodGet, Path: "/api/me/payments", Tag: "people", Who: worker, HumanScope: data.ScopePaymentsRead, Summary: "What the caller earned and was paid, the newest first"}, s.payments)
	register(s, Route{
		ID: "accept-offer", Method: http.MethodPost, Path: "/api/offers/{id}/accept", Tag: "people", Who: worker, HumanScope: data.ScopeSubmissionsWrite, Keyed: true,
		Summary: "Consent to an instant offer: the task is the caller's",
	}, s.acceptOffer)
	register(s, Route{
		ID: "decline-offer", Method: http.MethodPost, Path: "/api/offers/{id}/decline", Tag: "people", Who: worker, HumanScope: data.ScopeSubmissionsWrite, Keyed: true,
		Summary: "Say no to an instant offer",
	}, s.declineOffer)
	register(s, Route{
		ID: "report", Method: http.MethodPost, Path: "/api/reports", Tag: "people", Who: Agent | worker, Scope: data.ScopePost, HumanScope: data.ScopeMessagesWrite,
		Summary: "Tell the operator what is wrong with a task or a person", Status: http.StatusCreated,
	}, s.report)
}

// Person is a person's own profile.
type Person struct {
	ID          string           `json:"id"`
	Email       string           `json:"email"`
	Handle      string           `json:"handle" doc:"public name"`
	Lang        string           `json:"lang"`
	Country     string           `json:"country"`
	Prefecture  string           `json:"prefecture"`
	City        string           `json:"city"`
	Areas       []string         `json:"areas"`
	Skills      []string         `json:"skills"`
	Languages   []string         `json:"languages"`
	Headline    string           `json:"headline"`
	Bio         string           `json:"bio"`
	Instant     Instant          `json:"instant"`
	PayoutReady bool             `json:"payout_ready"`
	Operator    bool             `json:"operator,omitempty"`
	Completed   int64            `json:"completed,omitempty"`
	Rating      *float64         `json:"rating,omitempty"`
	Balance     map[string]int64 `json:"balance,omitempty" doc:"earned and not paid out yet, in minor units by currency"`
}

// Instant says which instant offers a person consents to receive.
type Instant struct {
	On        bool             `json:"on"`
	Floors    map[string]int64 `json:"floors,omitempty" doc:"least take-home in minor units by currency"`
	QuietFrom int              `json:"quiet_from" doc:"minutes after midnight in Japan" minimum:"0" maximum:"1439"`
	QuietTo   int              `json:"quiet_to" minimum:"0" maximum:"1439"`
	Cap       int              `json:"cap" doc:"tasks at once" minimum:"0" maximum:"20"`
	Hours     []Hours          `json:"hours,omitempty" doc:"when the person works, one entry for a day of the week; none for always"`
}

// Hours are when somebody works on one day of the week. Those that end before they
// begin go on into the next day.
type Hours struct {
	Weekday int `json:"weekday" doc:"0 is Sunday" minimum:"0" maximum:"6"`
	From    int `json:"from" doc:"minutes after midnight in Japan" minimum:"0" maximum:"1439"`
	To      int `json:"to" minimum:"0" maximum:"1440"`
}

func personView(p data.Person) Person {
	return Person{
		ID: p.ID, Email: p.Email, Handle: p.Handle, Lang: p.Lang, Country: p.Country, Prefecture: p.Prefecture, City: p.City,
		Areas: list(p.Areas), Skills: list(p.Skills), Languages: list(p.Languages), Headline: p.Headline, Bio: p.Bio,
		Instant:     Instant{p.Instant.On, capsView(p.Instant.Floors), p.Instant.QuietFrom, p.Instant.QuietTo, p.Instant.Cap, hoursView(p.Instant.Hours)},
		PayoutReady: p.PayoutReady, Operator: p.Operator,
	}
}

func (s *Server) me(ctx context.Context, _ *struct{}) (*answer[Person], error) {
	id := caller(ctx).HumanID
	p, err := s.o.Board.Person(ctx, id)
	if err != nil {
		return nil, err
	}
	n, err := s.o.Board.PersonStats(ctx, id)
	if err != nil {
		return nil, err
	}
	balance, err := s.o.Board.Balance(ctx, money.Worker(id))
	if err != nil {
		return nil, err
	}
	v := personView(p)
	v.Completed, v.Rating, v.Balance = n.Completed, rating(n.Rating, n.Ratings), capsView(balance)
	return reply(v), nil
}

// Profile is what a person may change of the profile; missing fields stay.
type Profile struct {
	Handle     *string   `json:"handle,omitempty"`
	Lang       *string   `json:"lang,omitempty" enum:"ja,en"`
	Country    *string   `json:"country,omitempty"`
	Prefecture *string   `json:"prefecture,omitempty"`
	City       *string   `json:"city,omitempty"`
	Areas      *[]string `json:"areas,omitempty"`
	Skills     *[]string `json:"skills,omitempty"`
	Languages  *[]string `json:"languages,omitempty"`
	Headline   *string   `json:"headline,omitempty"`
	Bio        *string   `json:"bio,omitempty"`
	Instant    *Instant  `json:"instant,omitempty"`
}

func (s *Server) saveMe(ctx context.Context, in *with[Profile]) (*answer[Person], error) {
	p, err := s.o.Board.Person(ctx, caller(ctx).HumanID)
	if err != nil {
		return nil, err
	}
	b := in.Body
	set(&p.Handle, b.Handle)
	set(&p.Lang, b.Lang)
	set(&p.Country, b.Country)
	set(&p.Prefecture, b.Prefecture)
	set(&p.City, b.City)
	set(&p.Headline, b.Headline)
	set(&p.Bio, b.Bio)
	set(&p.Areas, b.Areas)
	set(&p.Skills, b.Skills)
	set(&p.Languages, b.Languages)
	if i := b.Instant; i != nil {
		floors, err := caps(i.Floors)
		if err != nil {
			return nil, err
		}
		p.Instant = data.Instant{Hours: i.hours(), On: i.On, Floors: floors, QuietFrom: i.QuietFrom, QuietTo: i.QuietTo, Cap: i.Cap}
	}
	saved, err := s.o.Board.SavePerson(ctx, p)
	if err != nil {
		return nil, err
	}
	return reply(personView(saved)), nil
}

func hoursView(hours []data.Hours) []Hours {
	var out []Hours
	for _, h := range hours {
		out = append(out, Hours{int(h.Day), h.From, h.To})
	}
	return out
}

func (i Instant) hours() []data.Hours {
	var out []data.Hours
	for _, h := range i.Hours {
		out = append(out, data.Hours{Day: time.Weekday(h.Weekday), From: h.From, To: h.To})
	}
	return out
}

func set[T any](field *T, said *T) {
	if said != nil {
		*field = *said
	}
}

func (s *Server) signOut(ctx context.Context, _ *with[Bare]) (*answer[Said], error) {
	if err := s.o.Board.EndSessions(ctx, caller(ctx).HumanID); err != nil {
		return nil, err
	}
	return reply(Said{Status: "signed_out"}), nil
}

func (s *Server) deleteMe(ctx context.Context, _ *struct{}) (*answer[Said], error) {
	if err := s.o.Board.DeletePerson(ctx, caller(ctx).HumanID); err != nil {
		return nil, err
	}
	return reply(Said{Status: "deleted"}), nil
}

func (s *Server) myAccounts(ctx context.Context, _ *struct{}) (*answer[AccountList], error) {
	all, err := s.o.Board.AgentsOf(ctx, caller(ctx).HumanID)
	if err != nil {
		return nil, err
	}
	out := AccountList{Accounts: []Account{}}
	for _, a := range all {
		out.Accounts = append(out.Accounts, accountView(a))
	}
	return reply(out), nil
}

// Offer asks the caller for consent.
type Offer struct {
	ID        string    `json:"id"`
	Status    string    `json:"status"`
	ExpiresAt time.Time `json:"expires_at"`
	Task      Task      `json:"task"`
}

// OfferList are the offers that wait.
type OfferList struct {
	Offers []Offer `json:"offers"`
}

type langQuery struct {
	Lang string `query:"lang" enum:"en,ja"`
}

func (s *Server) offers(ctx context.Context, in *langQuery) (*answer[OfferList], error) {
	all, err := s.o.Board.OffersTo(ctx, caller(ctx).HumanID)
	if err != nil {
		return nil, err
	}
	out := OfferList{Offers: []Offer{}}
	for _, o := range all {
		t, err := s.o.Board.Task(ctx, o.TaskID)
		if err != nil {
			return nil, err
		}
		v, err := s.whole(ctx, t, in.Lang)
		if err != nil {
			return nil, err
		}
		out.Offers = append(out.Offers, Offer{o.ID, string(o.Status), o.ExpiresAt, v})
	}
	return reply(out), nil
}

// MyApplications is one page of the caller's applications.
type MyApplications struct {
	Applications []MyApplication `json:"applications"`
	NextCursor   string          `json:"next_cursor,omitempty"`
}

func (s *Server) myApplications(ctx context.Context, in *Page) (*answer[MyApplications], error) {
	all, next, err := s.o.Board.ApplicationsOf(ctx, caller(ctx).HumanID, data.Page{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	out := MyApplications{Applications: []MyApplication{}, NextCursor: next}
	for _, a := range all {
		out.Applications = append(out.Applications, myApplication(a))
	}
	return reply(out), nil
}

// Payment is one posting to or from what the caller is owed.
type Payment struct {
	Kind        string    `json:"kind" doc:"release: earned; pay_out: paid out"`
	TaskID      string    `json:"task_id,omitempty"`
	AmountMinor int64     `json:"amount_minor"`
	Currency    string    `json:"currency"`
	At          time.Time `json:"at"`
}

// Payments is one page of them.
type Payments struct {
	Payments   []Payment `json:"payments"`
	NextCursor string    `json:"next_cursor,omitempty"`
}

func (s *Server) payments(ctx context.Context, in *Page) (*answer[Payments], error) {
	all, next, err := s.o.Board.Entries(ctx, money.Worker(caller(ctx).HumanID), data.Page{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	out := Payments{Payments: []Payment{}, NextCursor: next}
	for _, e := range all {
		out.Payments = append(out.Payments, Payment{e.Kind, e.TaskID, e.Amount.Minor, string(e.Amount.Currency), e.At})
	}
	return reply(out), nil
}

type offerPath struct {
	ID   string `path:"id" doc:"the offer"`
	Body Bare
}

func (s *Server) acceptOffer(ctx context.Context, in *offerPath) (*answer[Done], error) {
	return s.decide(ctx, string(task.Accepted), func(ctx context.Context) (task.Task, error) {
		return s.o.Board.AcceptOffer(ctx, caller(ctx).asHuman(), in.ID)
	})
}

func (s *Server) declineOffer(ctx context.Context, in *offerPath) (*answer[Done], error) {
	return s.decide(ctx, "declined", func(ctx context.Context) (task.Task, error) {
		return s.o.Board.DeclineOffer(ctx, caller(ctx).asHuman(), in.ID)
	})
}

// NewReport is what somebody says is wrong.
type NewReport struct {
	Credentials
	TaskID   string `json:"task_id,omitempty"`
	HumanRef string `json:"human_ref,omitempty" doc:"for agents: a person"`
	Class    string `json:"class" doc:"what it is about" minLength:"1" maxLength:"60"`
	Text     string `json:"text" minLength:"1" maxLength:"4000"`
}

func (s *Server) report(ctx context.Context, in *with[NewReport]) (*answer[Said], error) {
	who, b := caller(ctx), in.Body
	r := data.Report{By: side(who), TaskID: b.TaskID, Class: b.Class, Text: b.Text}
	if b.TaskID != "" {
		if _, err := s.readTask(ctx, b.TaskID, ""); err != nil {
			return nil, err
		}
	}
	if b.HumanRef != "" {
		human, err := s.o.Board.Deref(ctx, who.AgentID, b.HumanRef)
		if err != nil {
			return nil, task.Refuse(task.NotFound)
		}
		r.HumanID = human
	}
	filed, err := s.o.Board.FileReport(ctx, r)
	if err != nil {
		return nil, err
	}
	return reply(Said{"reported", filed.ID}), nil
}
