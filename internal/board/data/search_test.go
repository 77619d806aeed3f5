package data_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func TestASearchDoesNotSayWhoSomebodyIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		live := func(name, city string, n int) {
			for i := range n {
				w.worker(fmt.Sprint(name, i), instant(func(p *data.Person) {
					p.Prefecture, p.City, p.Skills, p.Bio = "東京都", city, []string{"photo"}, "I live at 1-2-3"
					if city == "渋谷区" {
						p.Languages = []string{"ja"}
					}
				}))
			}
		}
		live("shibuya", "渋谷区", 3)
		live("minato", "港区", 1)
		w.worker("lonely", instant(func(p *data.Person) { p.Prefecture, p.City = "鳥取県", "鳥取市" }))
		w.worker("hidden", func(p *data.Person) { p.Prefecture = "東京都" })
		all, _, err := w.SearchPeople(t.Context(), w.agent.ID, data.PeopleFilter{})
		if err != nil || len(all) != 5 {
			t.Fatalf("%d people: %v", len(all), err)
		}
		areas := map[string]int{}
		for _, c := range all {
			areas[c.Area]++
			if shown := fmt.Sprintf("%+v", c); strings.Contains(shown, "@") || strings.Contains(shown, "1-2-3") {
				t.Errorf("it shows %s", shown)
			}
			id := try(w.Deref(t.Context(), w.agent.ID, c.Ref))(t)
			if strings.Contains(c.Ref, strings.ReplaceAll(id, "-", "")) || w.Ref("another agent", id) == c.Ref {
				t.Errorf("the reference %s tells who it is", c.Ref)
			}
		}
		if areas["東京都/渋谷区"] != 3 || areas["東京都"] != 1 || areas[""] != 1 {
			t.Errorf("areas: %v", areas)
		}
		for name, tt := range map[string]struct {
			f    data.PeopleFilter
			want int
		}{
			"prefecture":           {data.PeopleFilter{Prefecture: "東京都"}, 4},
			"a city":               {data.PeopleFilter{Prefecture: "東京都", City: "渋谷区"}, 3},
			"a city of one":        {data.PeopleFilter{Prefecture: "東京都", City: "港区"}, 0},
			"a prefecture of one":  {data.PeopleFilter{Prefecture: "鳥取県"}, 0},
			"skill":                {data.PeopleFilter{Skills: []string{"photo"}}, 4},
			"skill and language":   {data.PeopleFilter{Skills: []string{"photo"}, Languages: []string{"en"}}, 0},
			"any of the languages": {data.PeopleFilter{Languages: []string{"en", "ja"}}, 3},
			"rating":               {data.PeopleFilter{MinRating: 1}, 0},
			"a budget":             {data.PeopleFilter{Max: money.Of(1000, money.JPY)}, 5},
			"a pattern is no name": {data.PeopleFilter{Prefecture: "%"}, 0},
		} {
			got, _, err := w.SearchPeople(t.Context(), w.agent.ID, tt.f)
			if err != nil || len(got) != tt.want {
				t.Errorf("%s: %d people, want %d: %v", name, len(got), tt.want, err)
			}
		}
		for _, f := range []data.PeopleFilter{{Skills: make([]string, 2000)}, {Languages: make([]string, 2000)}} {
			_, _, err := w.SearchPeople(t.Context(), w.agent.ID, f)
			w.refused(err, task.InvalidRequest) // more than a database takes
		}
	})
}

// TestWhoIsSuspendedHidesNobody: an area is named when enough people are found there, and
// one whom nobody finds is none of them.
func TestWhoIsSuspendedHidesNobody(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var last string
		for i := range 3 {
			last = w.worker(fmt.Sprint("oki", i), instant(func(p *data.Person) { p.Prefecture, p.City = "島根県", "海士町" })).ID
		}
		in := data.PeopleFilter{Prefecture: "島根県", City: "海士町"}
		if got := first(t, w, in); len(got) != 3 || got[0].Area != "島根県/海士町" {
			t.Fatalf("before: %+v", got)
		}
		if err := w.Suspend(t.Context(), last, true); err != nil {
			t.Fatal(err)
		}
		for _, f := range []data.PeopleFilter{in, {Prefecture: "島根県"}} {
			if got := first(t, w, f); len(got) != 0 {
				t.Errorf("%+v finds the two who are left: %+v", f, got)
			}
		}
		if got := first(t, w, data.PeopleFilter{}); len(got) != 2 || got[0].Area != "" || got[1].Area != "" {
			t.Errorf("without a filter: %+v", got)
		}
	})
}

// first is the first page of a search.
func first(t *testing.T, w *world, f data.PeopleFilter) []data.Candidate {
	t.Helper()
	got, _, err := w.SearchPeople(t.Context(), w.agent.ID, f)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestReferencesOfOthers(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	ann := w.worker("ann", nil)
	ref := w.Ref(w.agent.ID, ann.ID)
	if id := try(w.Deref(t.Context(), w.agent.ID, " "+ref+" "))(t); id != ann.ID {
		t.Errorf("the reference is of %s", id)
	}
	for _, bad := range []string{"", "hr_", ref[:len(ref)-1], ref + "0", strings.TrimPrefix(ref, "hr_"), ann.ID, "hr_" + strings.Repeat("z", 32)} {
		_, err := w.Deref(t.Context(), w.agent.ID, bad)
		w.refused(err, task.NotFound)
	}
	_, err := w.Deref(t.Context(), "another agent", ref)
	w.refused(err, task.NotFound)
}
