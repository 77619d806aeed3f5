package data

import (
	"context"
	"strings"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// fewest is how many people who can be found an area must have to be named: with fewer,
// it would point at somebody.
const fewest = 3

// SearchPeople finds people who consent to be found, for an agent, the newest
// profile first. Nothing in it says who they are, and a filter cannot narrow the
// place down further than the answer names it.
func (b *Board) SearchPeople(ctx context.Context, agentID string, f PeopleFilter) ([]Candidate, string, error) {
	s := selectFrom(prefixed("h.", personColumns), "humans h")
	s.where("h.instant_on AND NOT h.suspended AND h.deleted_ms = 0")
	if f.Prefecture != "" {
		s.where(`h.prefecture = ? AND (SELECT COUNT(*) FROM humans n WHERE n.prefecture = h.prefecture AND n.instant_on AND NOT n.suspended AND n.deleted_ms = 0) >= ?`, f.Prefecture, fewest)
	}
	if f.City != "" {
		s.where(`h.city = ? AND (SELECT COUNT(*) FROM humans n WHERE n.prefecture = h.prefecture AND n.city = h.city AND n.instant_on AND NOT n.suspended AND n.deleted_ms = 0) >= ?`, f.City, fewest)
	}
	var wrong task.Fields
	skills, languages := cleanTags(&wrong, "skills", f.Skills), cleanTags(&wrong, "languages", f.Languages)
	if err := wrong.Err(); err != nil {
		return nil, "", err
	}
	for _, tag := range skills {
		s.where("EXISTS (SELECT 1 FROM human_tags g WHERE g.human_id = h.id AND g.kind = 'skill' AND g.tag = ?)", tag)
	}
	if len(languages) > 0 {
		s.where("EXISTS (SELECT 1 FROM human_tags g WHERE g.human_id = h.id AND g.kind = 'language' AND "+anyTag(languages)+")", values(languages)...)
	}
	if f.Max.Minor > 0 {
		takehome := f.Max.Minor - money.Fee(f.Max.Minor, b.terms.FeeBPS)
		column := "h.floor_usd"
		if f.Max.Currency == money.JPY {
			column = "h.floor_jpy"
		}
		s.where("COALESCE("+column+", 0) <= ?", takehome)
	}
	if f.MinRating > 0 {
		now, err := read(ctx, b, func(_ context.Context, tx store.Tx) (int64, error) { return millis(tx.Now()), nil })
		if err != nil {
			return nil, "", err
		}
		s.where("(SELECT AVG(r.stars * 1.0) FROM reviews r JOIN tasks t ON t.id = r.task_id WHERE r.about_id = h.id AND "+strings.Replace(published, "$1", "?", 1)+") >= ?", now, f.MinRating)
	}
	s.table = "h."
	people, next, err := page(ctx, b, s, keyset[Person]{column: "created_ms", scan: scanPerson, page: f.Page, at: func(p Person) place { return place{millis(p.CreatedAt), p.ID} }})
	if err != nil {
		return nil, "", err
	}
	found, err := read(ctx, b, func(ctx context.Context, tx store.Tx) ([]Candidate, error) {
		out := make([]Candidate, len(people))
		for i := range people {
			if out[i], err = b.candidateFor(ctx, tx, agentID, people[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	})
	return found, next, err
}

// anyTag is the condition that a tag is one of some, which are its values.
func anyTag(tags []string) string { return "g.tag IN (?" + strings.Repeat(", ?", len(tags)-1) + ")" }

// values are texts as values of a statement.
func values(texts []string) []any {
	all := make([]any, len(texts))
	for i, t := range texts {
		all[i] = t
	}
	return all
}

// candidateFor is what an agent sees of a person.
func (b *Board) candidateFor(ctx context.Context, tx store.Tx, agentID string, p Person) (Candidate, error) {
	if err := readTags(ctx, tx, &p); err != nil {
		return Candidate{}, err
	}
	stats, err := personStats(ctx, tx, p.ID)
	if err != nil {
		return Candidate{}, err
	}
	area, err := coarse(ctx, tx, p)
	if err != nil {
		return Candidate{}, err
	}
	return Candidate{
		Ref: b.Ref(agentID, p.ID), Handle: p.Handle, Area: area, Skills: p.Skills, Languages: p.Languages,
		Rating: stats.Rating, Ratings: stats.Ratings, Completed: stats.Completed, Floors: p.Instant.Floors,
	}, nil
}

// coarse is the area of a person, as far as enough others are in it.
func coarse(ctx context.Context, tx store.Tx, p Person) (string, error) {
	var inPrefecture, inCity int64
	err := tx.QueryRow(ctx, `SELECT COUNT(*), COUNT(CASE WHEN city = $2 THEN 1 END) FROM humans WHERE prefecture = $1 AND instant_on AND NOT suspended AND deleted_ms = 0`, p.Prefecture, p.City).
		Scan(&inPrefecture, &inCity)
	switch {
	case err != nil:
		return "", err
	case inPrefecture < fewest:
		return "", nil
	case inCity < fewest || p.City == "":
		return p.Prefecture, nil
	}
	return p.Prefecture + "/" + p.City, nil
}

// Ref hides a person's id from an agent; it is the same every time, and another one
// for every agent.
func (b *Board) Ref(agentID, humanID string) string { return b.secrets.ref(agentID, humanID) }

// Deref is the id behind a reference that an agent holds.
func (b *Board) Deref(ctx context.Context, agentID, ref string) (string, error) {
	id, ok := b.secrets.deref(agentID, strings.TrimSpace(ref))
	if !ok {
		return "", task.Refuse(task.NotFound)
	}
	p, err := b.Person(ctx, id)
	return p.ID, err
}
