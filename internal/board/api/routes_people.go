package api

import (
	"context"
	"math"
	"net/http"
	"strings"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func (s *Server) peopleRoutes() {
	register(s, Route{
		ID: "search-humans", Method: http.MethodGet, Path: "/api/agent/humans/search", Tag: "people", Who: Agent, Scope: data.ScopeRead,
		Summary: "People who can be asked: no names, no addresses, no exact places",
	}, s.searchHumans)
	register(s, Route{
		ID: "sign-in", Method: http.MethodPost, Path: "/api/humans/sign-in", Tag: "people", Who: Everybody,
		Summary: "Send a code to a person's address; the answer is the same whether it is known",
	}, s.signIn)
	register(s, Route{
		ID: "confirm-sign-in", Method: http.MethodPost, Path: "/api/humans/sign-in/confirm", Tag: "people", Who: Everybody,
		Summary: "Exchange the code for a session",
	}, s.confirmSignIn)
}

type searchQuery struct {
	Page
	Prefecture string  `query:"prefecture"`
	City       string  `query:"city"`
	Skills     string  `query:"skills" doc:"all of these, separated by commas"`
	Languages  string  `query:"languages" doc:"any of these, separated by commas"`
	MaxMinor   int64   `query:"max_minor" minimum:"0" doc:"budget that has to be enough for them, in minor units"`
	Currency   string  `query:"currency" enum:"USD,JPY" default:"JPY"`
	MinRating  float64 `query:"min_rating" minimum:"0" maximum:"5"`
}

// People is one page of people.
type People struct {
	Humans     []Candidate `json:"humans"`
	NextCursor string      `json:"next_cursor,omitempty"`
}

func (s *Server) searchHumans(ctx context.Context, in *searchQuery) (*answer[People], error) {
	if math.IsNaN(in.MinRating) { // which no bound keeps out
		return nil, invalid(FieldError{"min_rating", string(task.InvalidNumber)})
	}
	f := data.PeopleFilter{
		Prefecture: in.Prefecture, City: in.City, Skills: listed(in.Skills), Languages: listed(in.Languages), MinRating: in.MinRating,
		Page: data.Page{Limit: in.Limit, Cursor: in.Cursor},
	}
	if in.MaxMinor > 0 {
		f.Max = money.Of(in.MaxMinor, money.Currency(in.Currency))
	}
	all, next, err := s.o.Board.SearchPeople(ctx, caller(ctx).AgentID, f)
	if err != nil {
		return nil, err
	}
	out := People{Humans: []Candidate{}, NextCursor: next}
	for _, c := range all {
		out.Humans = append(out.Humans, candidate(c))
	}
	return reply(out), nil
}

// listed splits a list that is written with commas; a word may have spaces in it.
func listed(text string) []string {
	var out []string
	for w := range strings.SplitSeq(text, ",") {
		if w = task.CleanLine(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// SignIn asks for a code.
type SignIn struct {
	Email string `json:"email" format:"email"`
	Lang  string `json:"lang,omitempty" enum:"ja,en" default:"ja"`
}

func (s *Server) signIn(ctx context.Context, in *with[SignIn]) (*answer[Sent], error) {
	_, email, err := checkConnect(Connect{Name: "-", Email: in.Body.Email})
	if err != nil {
		return nil, invalid(FieldError{"email", string(task.InvalidFormat)})
	}
	if err := s.take(ctx, "board|connect|"+addressFrom(ctx), s.o.Limits.Connect); err != nil {
		return nil, err
	}
	if err := s.takeMail(ctx, email); err != nil {
		return nil, err
	}
	lang := in.Body.Lang
	if lang != "en" {
		lang = "ja"
	}
	id, err := s.o.Board.StartSignIn(ctx, email, lang)
	if err != nil {
		return nil, err
	}
	return reply(Sent{"verification_sent", id}), nil
}

// Session is a person's session.
type Session struct {
	Status  string `json:"status" enum:"signed_in"`
	Session string `json:"session" doc:"send it as Authorization: Bearer; it is shown once"`
	Me      Person `json:"me"`
}

func (s *Server) confirmSignIn(ctx context.Context, in *with[Code]) (*answer[Session], error) {
	if err := s.take(ctx, "board|guess|"+addressFrom(ctx), s.o.Limits.Guess); err != nil {
		return nil, err
	}
	p, secret, err := s.o.Board.ConfirmSignIn(ctx, in.Body.VerificationID, strings.TrimSpace(in.Body.Code))
	if err != nil {
		return nil, err
	}
	return reply(Session{"signed_in", secret, personView(p)}), nil
}
