package scout

import (
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
)

// final reports whether pressing the button may be the real-world act. Its words
// decide, and what else the page says about it: "Next" is final where the page
// says that it submits. A button without such words that sends a form by GET only
// asks for the next page. Steps that the page counts ("step 2 of 5") make even
// "Submit" a step, but not a button that names the whole act.
func final(b page.Press, inv page.Inventory, place page.Place) bool {
	if page.WholeAct.MatchString(b.Text) || page.WholeAct.MatchString(b.Also) || b.Notice != "" {
		return true
	}
	counted := moreSteps(append(slices.Clone(inv.Headings), place.Title))
	switch roleOf(b) {
	case roleContinue, roleStart:
		return !counted && (page.ForeignActs.MatchString(b.Also) || page.AndActs.MatchString(b.Text) || page.AndActs.MatchString(b.Also) || lastHeading.MatchString(place.Heading))
	}
	return !counted && !(b.Asks && roleOf(b) == roleOther)
}

// lastHeading are headings above everything that is about to be sent.
var lastHeading = lazyregexp.New(`(?i)\b(review|check|confirm)\b.*\b(and|&|before)( you)?( then)? (submit|submitting|send|sending|sign|signing)\b`)

// lands reports whether a button of a page without questions may be pressed to
// find the form behind it: a link, or one whose words are no act.
func lands(b page.Press) bool {
	return b.Tag == "a" || roleOf(b) != roleConsent && !commits.MatchString(b.Text) && !commits.MatchString(b.Also) && !page.ForeignActs.MatchString(b.Text) && b.Notice == ""
}

// commits are words of buttons that act, as far as they stand on a page without
// questions. "Calculate", "apply" and "check" lead to a form from there.
var commits = lazyregexp.New(`(?i)\b(submit|send|pay|order|purchase|buy|donate|lodge|sign|vote|book|confirm|subscribe|accept|agree|approve|delete|transfer|withdraw)\b|送信|申請|申し?込|提出|登録|購入|注文|支払|決済|同意`)

// doneWords are those of an answer by which the act is done.
var doneWords = lazyregexp.New(`(?i)\bthank(s| you)\b|\b(was|were|been|is|successfully|have) (successfully )?(submitted|received|sent|lodged|filed|registered|recorded)\b|\b(submission|application|claim|request|registration|order|payment|booking|transaction) (is |was )?(complete|completed|submitted|received|sent|successful|placed|confirmed)\b|\b(confirmation|reference|receipt|tracking) (number|code|id)\b|^confirmation\b|\ball done\b|ありがとう|受け?付け?(ました|番号|完了)|受け付け|完了|送信(され|し)ました|\b(vielen dank|danke|erfolgreich|eingegangen|übermittelt|merci|a (bien )?été (envoyé|reçu|enregistré|transmis)e?|gracias|ha sido (enviad|recibid|registrad)[oa]|grazie|obrigad[oa]|bedankt|ontvangen|verzonden|tack för|har (skickats|tagits emot|mottagits)|tak for|er (modtaget|sendt|mottatt)|takk for|kiitos|dziękujemy)\b|vastaanotettu|został[aoy]? (przyjęt|wysłan|złożon)`)

// acted reports whether an answer page says that the act is done.
func acted(place page.Place, headings []string) bool {
	return slices.ContainsFunc(append(slices.Clone(headings), place.Heading, place.Title), doneWords.MatchString)
}

// submitted learns from the page after the last step what its button did. With
// leave to submit, a button that may act is final because nothing comes after it.
// Without leave it was pressed because nothing said that it submits: no other pass
// presses it when it did.
func (w *walker) submitted() {
	n := w.pass.path[len(w.pass.path)-1]
	did := acted(w.place, w.inv.Headings)
	switch {
	case n.final || !did && !(w.plan.AllowSubmit && n.mayAct):
		return
	case !w.plan.AllowSubmit:
		w.remark("the button %q of %q said nothing about it, but led to %q: it may have submitted invented answers, once; it was not pressed again", strings.TrimSpace(n.button.Text), titleOf(n), titleOfPlace(w.place))
	}
	n.final = true
}

// sends learns from the page that came when the step was answered, before any
// button was pressed, whether the answer was the act: the page says that it is
// done, or the step had no button and nothing leads on. Without leave to submit it
// is the last thing that the exploration does.
func (w *walker) sends(n *node) bool {
	asks := slices.ContainsFunc(w.inv.Controls, asked)
	_, leads := onward(w.inv.Buttons, asks)
	if w.plan.AllowSubmit || !acted(w.place, w.inv.Headings) && (n.button.Selector != "" || asks || leads) {
		return false
	}
	w.sentItself = true
	w.remark("%q sends itself when it is answered: that led to %q and may have submitted invented answers, once; nothing was answered again, and the draft was not replayed. Go on with --allow-submit, only where that does no harm", titleOf(n), titleOfPlace(w.place))
	return true
}
