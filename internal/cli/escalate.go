package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/bounty"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// people are those of the bounty board, for runs that need one.
type people struct{ bounty *bounty.Server }

// postScope is what a caller needs to spend money on people.
const postScope = "bounty:post"

// Ask implements runner.Escalator. The idempotency key is the run's: asked twice, the
// board has one task.
func (p people) Ask(ctx context.Context, s runner.Step, o runner.Offer) (runner.Asked, error) {
	if missing := auth.Missing(tool.Caller(ctx), postScope); len(missing) > 0 {
		return runner.Asked{}, fault.New(fault.Denied, "insufficient_scope", "This caller may not post tasks for people.", "Ask for a token with the scope "+postScope+".")
	}
	in := escalationTask(s)
	in.OriginCountry, in.DeadlineMinutes = o.OriginCountry, o.DeadlineMinutes
	in.Currency, in.AmountMinor = o.Currency, o.AmountMinor
	if o.Currency == "USD" { // boards that know dollars only have no other field
		in.Currency, in.AmountMinor = "", 0
		in.BudgetUSD = json.Number(fmt.Sprintf("%d.%02d", o.AmountMinor/100, o.AmountMinor%100))
	}
	out, err := p.bounty.Post(ctx, in)
	if err != nil {
		return runner.Asked{}, err
	}
	return runner.Asked{TaskID: out.ID, Status: held(out.Status, out.SubState)}, nil
}

// held says of an open task that a person of the board looks at it before it is
// published: nobody can apply until then.
func held(status, sub string) string {
	if status == "open" && sub == "held" {
		return sub
	}
	return status
}

// Look implements runner.Escalator.
func (p people) Look(ctx context.Context, taskID string) (runner.Asked, error) {
	out, err := p.bounty.Look(ctx, bounty.GetIn{TaskID: taskID})
	if err != nil {
		return runner.Asked{}, err
	}
	a := runner.Asked{TaskID: out.Task.ID, Status: held(out.Task.Status, out.Task.SubState)}
	if s, ok := out.Task.Submission.(bounty.Submission); ok {
		a.Answer, _ = s.Text.(string)
	}
	return a, nil
}

// stepWords say what a page asks for, in English and in Japanese.
var stepWords = map[string][2]string{
	"captcha": {"a check that the visitor is a person", "訪問者が人間かどうかの確認"},
	"login":   {"a personal login", "本人のログイン"},
	"otp":     {"a confirmation that only the person concerned can give", "本人だけができる確認"},
}

// escalationTask is the task for a step that only a person may do. It asks how the errand
// is done lawfully by a person, and for nothing that would get a program past a check.
func escalationTask(s runner.Step) bounty.TaskIn {
	words, known := stepWords[s.Needs]
	if !known {
		words = [2]string{"a step that only a person may do", "人だけができる手続き"}
	}
	where, wo := "before its first page", "最初のページの前"
	if s.Page > 0 {
		where, wo = fmt.Sprintf("on page %d", s.Page), fmt.Sprintf("%dページ目", s.Page)
		if s.PageTitle != "" {
			where, wo = where+" ("+s.PageTitle+")", wo+"("+s.PageTitle+")"
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "A public form needs a person: %s, %s\n", s.Form, s.URL)
	fmt.Fprintf(&b, "An automated visit stopped %s, because the site asks for %s. Nothing was sent.\n", where, words[0])
	b.WriteString("Please find out how a person gets this errand done: open the address yourself, and look for the official other ways.\n" +
		"1. What does the site ask of visitors there?\n2. Which other official ways are there: telephone, counter, paper form? With numbers, addresses and opening hours.\n" +
		"3. Which documents does an applicant have to bring?\n4. Whom did you ask, when?\n\n")
	fmt.Fprintf(&b, "公開フォーム「%s」(%s)の手続きには人の手が必要です。自動処理は%sで止まりました。サイトが%sを求めるためです。何も送信していません。\n", s.Form, s.URL, wo, words[1])
	b.WriteString("この手続きを人が行う正式な方法を調べてください。(1)そのページで求められること (2)電話・窓口・書面など他の正式な方法と連絡先・受付時間 (3)必要書類 (4)確認した相手と日時")
	return bounty.TaskIn{
		Task: b.String(), TaskLabel: "bot_blocker_ops", Deliverable: "text", ClientRef: s.RunID, KeyIn: bounty.KeyIn{Key: "legwork-" + s.RunID},
		AcceptanceCriteria: "An answer to each of the four points, with its official source; \"could not be found out\" counts as an answer.\n" +
			"4項目それぞれの回答と公式な出典。「分からなかった」も回答として認めます。",
		NotAllowed: "Do not fill in or send the form, do not enter anybody's data, do not act for anybody else, and do not get around any check of the site.\n" +
			"フォームの記入・送信、個人情報の入力、他人になりすますこと、サイトの確認を回避することは禁止です。",
	}
}
