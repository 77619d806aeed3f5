package scout

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
)

// twoSteps is a form of two steps whose second one is sent by some button; acts
// counts how often that was done.
func twoSteps(second string, acts *atomic.Int32) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/act":
			acts.Add(1)
			html(w, "<h1>Thank you</h1><p>It was received.</p>")
		case "/second":
			html(w, "<meta charset=utf-8><h1>Your contact</h1><form method=post action=/act><label>Town <input name=town></label>"+second+"</form>")
		default:
			html(w, "<h1>Your name</h1><form method=post action=/second><label for=n>Name</label><input id=n name=n required>"+
				"<label for=c>Colour</label><select id=c name=c><option value=''>Select</option><option>Red</option><option>Blue</option></select><button>Continue</button></form>")
		}
	})
}

// TestDisguisedSubmit: a button that leads on by its first word, and submits by
// the others, by its name or by what the page says, is never pressed without leave.
func TestDisguisedSubmit(t *testing.T) {
	s := newBench(t, Settings{})
	for _, button := range []string{
		"<button>Continue and submit</button>",
		"<button>Next: submit application</button>",
		"<button>Continue &amp; send</button>",
		"<button>Proceed to pay</button>",
		"<button>Submit and continue</button>",
		"<button>Continue with payment</button>",
		"<button aria-label='Submit application'>Next</button>",
		"<button title='Send the form'>Next</button>",
		"<p>By selecting Next you submit your application to the agency.</p><button>Next</button>",
		"<p>Press Continue to send your claim.</p><button>Continue</button>",
		"<p>By pressing Continue your application will be submitted.</p><button>Continue</button>",
		"<p>Mit Klick auf „Weiter“ wird Ihr Antrag abgesendet.</p><button>Weiter</button>",
		"<p>Durch Anklicken von Weiter reichen Sie den Antrag verbindlich ein.</p><button>Weiter</button>",
		"<p>En cliquant sur « Continuer », vous envoyez votre demande.</p><button>Continuer</button>",
		"<p>Al pulsar Continuar se enviará su solicitud.</p><button>Continuar</button>",
		"<p>När du klickar på Nästa skickas din ansökan.</p><button>Nästa</button>",
		"<p>「次へ」を押すと申請が送信されます。</p><button>次へ</button>",
		"<button>Add and submit</button>",
		"<button>Accept</button>",
		"<button>I consent</button>",
		"<button>Add my name</button>",
	} {
		var acts atomic.Int32
		s.serve(t, twoSteps(button, &acts))
		x := explorerOf(s, Request{})
		if _, err := x.take(t.Context(), route{}); err != nil {
			t.Errorf("%s: %v", button, err)
			continue
		}
		if n := acts.Load(); n != 0 {
			t.Errorf("%s: it was pressed %d times", button, n)
		}
		if len(x.graph.nodes) != 2 || !x.graph.nodes[1].final || x.fellShort() != "" {
			t.Errorf("%s: %d steps, %q", button, len(x.graph.nodes), x.fellShort())
		}
	}
}

// TestWithLeaveToSubmit: what sent the form is marked as the act, whatever its button
// is called, and the step before it is not.
func TestWithLeaveToSubmit(t *testing.T) {
	s := newBench(t, Settings{})
	for _, button := range []string{"<button>Register new account</button>", "<button>Go</button>", "<button>Log my visit</button>", "<button>Next</button>"} {
		var acts atomic.Int32
		s.serve(t, twoSteps(button, &acts))
		x := explorerOf(s, Request{AllowSubmit: true})
		if _, err := x.take(t.Context(), route{}); err != nil {
			t.Errorf("%s: %v", button, err)
			continue
		}
		var got []bool
		for _, n := range x.graph.nodes {
			got = append(got, n.final)
		}
		if acts.Load() == 0 || !slices.Equal(got, []bool{false, true}) {
			t.Errorf("%s: submitted %d times, final steps %v", button, acts.Load(), got)
		}
	}
}

// TestStepsGoOn: words about other buttons, or about consent, keep nobody from the
// next step.
func TestStepsGoOn(t *testing.T) {
	s := newBench(t, Settings{})
	for _, button := range []string{
		"<p>When you press Submit on the last page you send your application.</p><button>Continue</button>",
		"<p>By continuing you agree to our terms.</p><button>Continue</button>",
		"<p>When you press Continue nothing is sent: your application is submitted on the last page.</p><button>Continue</button>",
		"<p>Wenn Sie auf Weiter klicken, wird noch nichts abgesendet.</p><button>Weiter</button>",
		"<p>Mit Klick auf „Absenden“ wird der Antrag auf der letzten Seite eingereicht.</p><button>Weiter</button>",
		"<p>En cliquant sur « Envoyer » à la fin, vous envoyez votre demande.</p><button>Suivant</button>",
		"<p>最後の画面で「送信」を押すと申請が送信されます。</p><button>次へ</button>",
		"<button>Continue to payment details</button>",
		"<button>Next: about your house</button>",
		"<button title='Next page'>Next</button>",
	} {
		var acts atomic.Int32
		s.serve(t, twoSteps(button, &acts))
		x := explorerOf(s, Request{MaxPasses: 1})
		if _, err := x.take(t.Context(), route{}); err != nil {
			t.Errorf("%s: %v", button, err)
		}
		if acts.Load() != 1 {
			t.Errorf("%s: pressed %d times", button, acts.Load())
		}
	}
}

// TestPlainNextSubmitsOnce: where nothing at all tells that a button submits, the
// answer does, and no other pass presses it.
func TestPlainNextSubmitsOnce(t *testing.T) {
	s := newBench(t, Settings{})
	var acts atomic.Int32
	s.serve(t, twoSteps("<button>Next</button>", &acts))
	x := explorerOf(s, Request{})
	if err := x.explore(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := acts.Load(); n != 1 || len(x.passes) < 2 {
		t.Errorf("pressed %d times in %d passes", n, len(x.passes))
	}
	d, err := x.assemble()
	if err != nil {
		t.Fatal(err)
	}
	if !d.Wizard.Pages[1].Submits || !strings.Contains(fmt.Sprint(d.Remarks), "it was not pressed again") {
		t.Errorf("submits %v, remarks %q", d.Wizard.Pages[1].Submits, d.Remarks)
	}
}

// TestEntryThatActs: a page that asks nothing and acts at once is no way into a form.
func TestEntryThatActs(t *testing.T) {
	s := newBench(t, Settings{})
	for _, button := range []string{"Submit application", "Donate 10 now", "Accept", "Confirm order"} {
		var acts atomic.Int32
		s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/act" {
				acts.Add(1)
			}
			html(w, "<h1>All is ready</h1><form method=post action=/act><button class='btn btn-primary'>"+button+"</button></form>")
		}))
		if _, err := explorerOf(s, Request{}).take(t.Context(), route{}); err != nil {
			t.Error(err)
		}
		if acts.Load() != 0 {
			t.Errorf("%s was pressed", button)
		}
	}
}

// TestNeverAnswered: what was never gone through is not proven, however well the
// part before it replays.
func TestNeverAnswered(t *testing.T) {
	s := newBench(t, Settings{})
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never" {
			_, _ = io.Copy(io.Discard, r.Body) // else the server does not see that nobody waits any more
			<-r.Context().Done()
			return
		}
		html(w, "<h1>Name</h1><form method=post action=/never><label for=n>Name</label><input id=n name=n required><button>Continue</button></form>")
	}))
	ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
	defer cancel()
	x := explorerOf(s, Request{})
	if err := x.exploreInTime(ctx); err != nil {
		t.Fatal(err)
	}
	if x.fellShort() == "" {
		t.Errorf("%d passes, and nothing is said to be missing", len(x.passes))
	}
}

// TestNameOfAnotherForm: a title makes no id that a wizard of another form has, and
// no text that a terminal obeys.
func TestNameOfAnotherForm(t *testing.T) {
	x := newExplorer(Request{URL: "http://practice.localhost/", Foreign: func(id string) bool { return id == "my-tax" || id == "my-tax-2" }}, nil, slog.New(slog.DiscardHandler))
	x.graph.nodes = []*node{{place: page.Place{Title: "My\x1b tax"}}}
	d, err := x.assemble()
	if err != nil {
		t.Fatal(err)
	}
	if d.Wizard.WizardID != "my-tax-3" || d.Wizard.Name != "My tax" || len(d.Remarks) == 0 {
		t.Errorf("%q %q %q", d.Wizard.WizardID, d.Wizard.Name, d.Remarks)
	}
}

// TestButtonsInOtherLanguages: what leads on, what acts, and what does neither.
func TestButtonsInOtherLanguages(t *testing.T) {
	for text, want := range map[string]role{
		"確認画面へ": roleContinue, "入力内容を確認する": roleContinue, "次へ進む": roleContinue, "Weiter": roleContinue, "Étape suivante": roleContinue, "Siguiente": roleContinue,
		"送信する": roleSubmit, "次へ進んで送信する": roleSubmit, "申し込む": roleSubmit, "Weiter und absenden": roleSubmit, "Kostenpflichtig bestellen": roleSubmit, "Envoyer ma demande": roleSubmit, "Continuar y pagar": roleSubmit,
		"Nästa": roleContinue, "Fortsæt": roleContinue, "Neste": roleContinue, "Seuraava": roleContinue, "Dalej": roleContinue, "Następny krok": roleContinue,
		"Skicka in ansökan": roleSubmit, "Spara och skicka": roleSubmit, "Indsend": roleSubmit, "Betal": roleSubmit, "Lähetä": roleSubmit, "Wyślij": roleSubmit, "Złóż wniosek": roleSubmit, "Dalej i zapłać": roleSubmit,
		"Tillbaka": roleBack, "Tilbage": roleBack, "Takaisin": roleBack, "Wstecz": roleBack, "Wróć": roleBack, "Ta bort": roleRemove, "Usuń": roleRemove, "Spara utkast": roleNever,
		"戻る": roleBack, "修正する": roleBack, "Zurück": roleBack, "クリア": roleRemove,
		"利用規約を確認する": roleNever, "住所検索": roleNever, "一時保存": roleNever,
	} {
		b := page.Press{Text: text, Tag: "button"}
		if got := roleOf(b); got != want {
			t.Errorf("%s has the role %d, want %d", text, got, want)
		}
		if act := final(b, page.Inventory{}, page.Place{}); act != (want != roleContinue) {
			t.Errorf("%s may act: %v", text, act)
		}
	}
}
