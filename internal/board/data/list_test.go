package data_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func ids(all []task.Task) (out []string) {
	for _, t := range all {
		out = append(out, t.ID)
	}
	return out
}

func TestPagesMissNothingWhileTasksArrive(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var want []string
		for n := range 25 {
			if n%5 == 0 {
				w.clock.forward(time.Millisecond) // five share a moment
			}
			want = append(want, w.post(func(d *task.Draft) { usd := 5.0; d.BudgetUSD = &usd }).ID)
		}
		var got []string
		f := data.TaskFilter{AgentID: w.agent.ID, Page: data.Page{Limit: 4}}
		for {
			some, next, err := w.Tasks(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, ids(some)...)
			if next == "" {
				break
			}
			f.Cursor = next
			w.clock.forward(time.Millisecond)
			w.post(func(d *task.Draft) { usd := 5.0; d.BudgetUSD = &usd })
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for _, cursor := range []string{"x", "!!", "bm90YW51bWJlci94", "MTIz"} {
			_, _, err := w.Tasks(t.Context(), data.TaskFilter{Page: data.Page{Cursor: cursor}})
			w.refused(err, task.InvalidRequest)
		}
	})
}

func TestFilters(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		post := func(text string, change func(*task.Draft)) string {
			return w.post(func(d *task.Draft) {
				d.Text = text
				if change != nil {
					change(d)
				}
			}).ID
		}
		tokyo := post("渋谷の駅前にある店を確認", inTokyo)
		osaka := post("ＯＳＡＫＡ castle 100%_sure", func(d *task.Draft) {
			d.Place.Prefecture, d.Deliverable, d.Label = "大阪府", "photo", "jp_local_research"
		})
		w.clock.forward(time.Hour)
		yen := post(`back\slash`, func(d *task.Draft) { n := int64(3000); d.BudgetUSD, d.AmountMinor, d.Currency = nil, &n, "jpy" })
		try(w.Cancel(t.Context(), w.agent, data.Cancellation{TaskID: osaka}))(t)
		for name, tt := range map[string]struct {
			f    data.TaskFilter
			want []string
		}{
			"all":                  {data.TaskFilter{}, []string{yen, osaka, tokyo}},
			"public":               {data.TaskFilter{Public: true}, []string{yen, tokyo}},
			"of another agent":     {data.TaskFilter{AgentID: "x"}, nil},
			"failed":               {data.TaskFilter{Statuses: []task.Status{task.Failed, task.Completed}}, []string{osaka}},
			"prefecture and city":  {data.TaskFilter{Prefecture: "東京都", City: "渋谷区"}, []string{tokyo}},
			"label":                {data.TaskFilter{Label: task.LocalResearch}, []string{osaka}},
			"deliverable":          {data.TaskFilter{Deliverable: task.Text}, []string{yen, tokyo}},
			"yen":                  {data.TaskFilter{MinBudget: money.Of(3000, money.JPY)}, []string{yen}},
			"more yen":             {data.TaskFilter{MinBudget: money.Of(3001, money.JPY)}, nil},
			"two characters":       {data.TaskFilter{Query: "駅前"}, []string{tokyo}},
			"two words":            {data.TaskFilter{Query: "castle　osaka"}, []string{osaka}},
			"a word too many":      {data.TaskFilter{Query: "castle kyoto"}, nil},
			"folded":               {data.TaskFilter{Query: "ＣＡＳＴＬＥ"}, []string{osaka}},
			"a percent sign":       {data.TaskFilter{Query: "%"}, []string{osaka}},
			"an underscore":        {data.TaskFilter{Query: "_"}, []string{osaka}},
			"a backslash":          {data.TaskFilter{Query: `\`}, []string{yen}},
			"a quote":              {data.TaskFilter{Query: `'; DROP TABLE tasks; --`}, nil},
			"what changed lately":  {data.TaskFilter{UpdatedSince: w.clock.now()}, []string{osaka, yen}},
			"waits for operators":  {data.TaskFilter{Held: true}, nil},
			"under dispute":        {data.TaskFilter{Disputed: true}, nil},
			"the place in a query": {data.TaskFilter{Query: "大阪府"}, []string{osaka}},
		} {
			got, next, err := w.Tasks(t.Context(), tt.f)
			slices.Sort(tt.want)
			found := ids(got)
			slices.Sort(found)
			if diff := cmp.Diff(tt.want, found); diff != "" || err != nil || next != "" {
				t.Errorf("%s: %v, next %q (-want +got):\n%s", name, err, next, diff)
			}
		}
	})
}

func TestReadsNeverWrite(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	ann := w.worker("ann", instant(nil))
	job := w.delivered(ann)
	sum := func() string {
		return fmt.Sprint(w.count("SELECT SUM(version) + SUM(updated_ms) FROM tasks"), w.count("SELECT COUNT(*) FROM events"), w.count("SELECT SUM(updated_ms) + SUM(offered_ms) FROM humans"))
	}
	before := sum()
	w.clock.forward(1000 * time.Hour) // everything is over, and a read does not notice
	try(w.Task(t.Context(), job.ID))(t)
	try(w.Submissions(t.Context(), job.ID))(t)
	try(w.History(t.Context(), job.ID))(t)
	try(w.AgentStats(t.Context(), w.agent.ID))(t)
	try(w.Due(t.Context()))(t)
	if _, _, err := w.Tasks(t.Context(), data.TaskFilter{Public: true}); err != nil {
		t.Error(err)
	}
	if _, _, err := w.SearchPeople(t.Context(), w.agent.ID, data.PeopleFilter{}); err != nil {
		t.Error(err)
	}
	if after := sum(); after != before {
		t.Errorf("reads changed %s to %s", before, after)
	}
}

func TestDueFindsWhatItsTimerLost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		w.worker("ben", instant(nil))
		open, accepted, delivered, rejected := w.post(nil), w.accepted(ann), w.delivered(ann), w.rejected(ann)
		offered := w.post(nil)
		try(w.OfferTask(t.Context(), offered.ID, time.Minute))(t)
		paid := w.delivered(ann)
		try(w.Approve(t.Context(), w.agent, data.Approval{TaskID: paid.ID}))(t)
		if due := try(w.Due(t.Context()))(t); len(due) != 0 {
			t.Errorf("at once: %+v", due)
		}
		w.clock.forward(100 * 24 * time.Hour)
		due := try(w.Due(t.Context()))(t)
		kinds := map[task.Job]int{}
		for _, j := range due {
			kinds[j.Kind]++
		}
		want := map[task.Job]int{task.JobDeadline: 3, task.JobReview: 1, task.JobAppeal: 1, task.JobOffer: 1, task.JobPayout: 1}
		if diff := cmp.Diff(want, kinds); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for range 2 { // each twice, as a job may run
			for _, j := range due {
				w.run(j)
			}
		}
		w.settle()
		for id, want := range map[string]task.Status{open.ID: task.Failed, accepted.ID: task.Failed, delivered.ID: task.Completed, rejected.ID: task.Failed, offered.ID: task.Failed} {
			if got := try(w.Task(t.Context(), id))(t); got.Status != want {
				t.Errorf("%s is %v, want %s", id, got.State(), want)
			}
		}
		if left := try(w.Due(t.Context()))(t); len(left) != 0 {
			t.Errorf("still due: %+v", left)
		}
		w.sound()
	})
}

// run does what a worker does with a job; a refusal means that it is done.
func (w *world) run(j data.Job) {
	w.t.Helper()
	var err error
	switch j.Kind {
	case task.JobDeadline:
		_, err = w.ExpireTask(w.t.Context(), j.ID)
	case task.JobReview:
		_, err = w.AutoApprove(w.t.Context(), j.ID)
	case task.JobAppeal:
		_, err = w.EndAppeal(w.t.Context(), j.ID)
	case task.JobOffer:
		err = w.ExpireOffer(w.t.Context(), j.ID)
	default:
		err = w.Settle(w.t.Context(), j.ID)
	}
	if err != nil && task.ReasonOf(err) == task.Unknown {
		w.t.Errorf("%s %s: %v", j.Kind, j.ID, err)
	}
}

func TestReportsAreKeptUntilSomebodyLooks(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	ann := w.worker("ann", nil)
	job := w.post(nil)
	v := try(w.FileReport(t.Context(), data.Report{By: ann, TaskID: job.ID, Class: "asks_for_id", Text: "They want my licence"}))(t)
	for name, bad := range map[string]data.Report{
		"about nothing": {By: ann, Class: "x"}, "no class": {By: ann, TaskID: job.ID},
	} {
		if _, err := w.FileReport(t.Context(), bad); task.ReasonOf(err) != task.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := w.FileReport(t.Context(), data.Report{By: ann, TaskID: "nothing", Class: "x"})
	w.refused(err, task.NotFound)
	open, _, err := w.Reports(t.Context(), true, data.Page{})
	if err != nil || len(open) != 1 || open[0].ID != v.ID || open[0].Text != "They want my licence" {
		t.Errorf("open: %+v, %v", open, err)
	}
	if err := w.CloseReport(t.Context(), operator, v.ID, "taken down"); err != nil {
		t.Error(err)
	}
	w.refused(w.CloseReport(t.Context(), operator, v.ID, "again"), task.NotFound)
	closed, _, err := w.Reports(t.Context(), false, data.Page{})
	if err != nil || len(closed) != 1 || closed[0].Note != "taken down" {
		t.Errorf("closed: %+v, %v", closed, err)
	}
}
