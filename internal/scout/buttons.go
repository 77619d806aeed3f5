package scout

import (
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
)

// role is what a button is for, as far as its words tell.
type role int

const (
	roleOther    role = iota
	roleContinue      // leads to the next step
	roleSubmit        // the real-world act, or the request for the answer
	roleStart         // leaves a landing page
	roleAdd           // opens a row
	roleSave          // stores a row
	roleBack
	roleRemove
	roleLogin
	roleConsent // closes a banner
	roleNever   // help, print, share, language and the like
)

// roleWords are tried in order; the first that matches decides. English first,
// and the words of a few other languages that public forms use.
var roleWords = []struct {
	role role
	re   *lazyregexp.Regexp
}{
	{roleConsent, lazyregexp.New(`(?i)\b(cookies?|consent)\b|^(accept|reject|decline|allow|refuse|got it|dismiss|agree and close)( all| additional.*| optional.*)?$|^(alle )?(akzeptieren|ablehnen)$|^(tout )?(accepter|refuser)$|^(acceptera|godkänn|godkend|accepter|godta|hyväksy|akceptuj|zaakceptuj|odrzuć|avvisa|afvis|avvis|hylkää)( (bara |kun |tylko )?(alla|alle|kaikki|wszystkie|nödvändiga|nødvendige|välttämättömät|niezbędne))?( kakor| cookies| evästeet)?$`)},
	{roleLogin, lazyregexp.New(`(?i)\b(log|sign) ?[io]n\b|\bregister\b|create (an? )?account|^anmelden$|^connexion$|ログイン|\blogga in\b|\blog ind\b|\blogg inn\b|kirjaudu|zaloguj`)},
	{roleBack, lazyregexp.New(`(?i)^(go )?(back|previous|prev|return)\b|^(‹|<|«|←|back)|\bprevious (page|step|question)\b|^(zurück|précédent|retour|atrás|anterior|volver|voltar|indietro|vorige|terug|tillbaka|föregående|tilbage|tilbake|forrige|takaisin|edellinen|wstecz|powrót|poprzedni[a-z]*)\b|^wróć|戻る|修正する|前へ|^上一步|^이전`)},
	{roleRemove, lazyregexp.New(`(?i)^(remove|delete|clear|reset|cancel|discard|start over|undo|close|exit|quit|löschen|zurücksetzen|abbrechen|annuler|effacer|cancelar|borrar|annulla|annuleren|ta bort|radera|rensa|avbryt|slet|slett|fjern|annuller|poista|peruuta|anuluj)\b|^(tyhjennä|usuń|wyczyść)|削除|キャンセル|クリア|リセット|^[×✕x]$`)},
	{roleNever, lazyregexp.New(`(?i)\b(help|chat|feedback|print|share|download|language|menu|search the site|skip to|privacy|terms|contact us|learn more|read more|show (password|more|all)|hide|upload|browse|choose (a )?file|select file|open calendar|toggle|choose date|calendar|save (and|&) (exit|quit|finish later|come back)|save (draft|for later|progress))\b|(規約|ポリシー|個人情報の取り?扱い)(を|の)?(確認|読む|見る|表示)|^(skriv ut|udskriv|tulosta|drukuj|hjälp|hjælp|hjelp|ohjeet?|pomoc|läs mer|læs mere|les mer|lue lisää|czytaj więcej|spara (och avsluta|utkast)|gem kladde|lagre utkast|tallenna luonnos|zapisz szkic|hjälpte|var den här)|ヘルプ|よくある質問|印刷|一時保存|住所(を?検索|自動入力)`)},
	{roleSubmit, page.ForeignActs},
	{roleContinue, lazyregexp.New(`(?i)^(save (and|&) )?(continue|next|proceed|go on|keep going|forward)\b|\b(next|continue)\b( to| step| page| question)?\s*[›>»→]*$|^(weiter|nächster?|fortfahren|suivant|étape suivante|continuer|poursuivre|siguiente|continuar|avanti|continua|próximo|próxima|seguinte|avançar|volgende|verder|doorgaan|nästa|fortsätt|vidare|gå vidare|næste|fortsæt|videre|gå videre|neste|fortsett|seuraava|jatka|dalej|następn[a-z]+|kontynuuj|przejdź dalej)\b|次へ|次の|進む|確認画面|(を|内容の?)確認|^確認(する|へ)?$|下一步|继续|다음`)},
	{roleAdd, lazyregexp.New(`(?i)^\+? ?add\b|\badd (a|an|another|new|more)\b|^(append|insert)\b|^(new|another) \w+$|^\+$|hinzufügen|ajouter|añadir|agregar|aggiungi|adicionar|toevoegen|追加|^(lägg till|tilføj|legg til|lisää|dodaj)`)},
	{roleSubmit, lazyregexp.New(`(?i)\b(submit|send|apply|finish|complete|confirm|file|pay|order|book|donate|subscribe|vote|join|register|sign up|place|purchase|calculate|estimate|get (my |your )?(result|quote|estimate|answer)s?|(view|see|show|get) (my |your |the )?(results?|estimates?|answers?|quote)|check (eligibility|my|your|now)|find out|see if|request|done|create|report|claim|enrol|enroll|print my)\b|^(berechnen|prüfen|valider|calculer|calcular|calcola|bereken|beräkna|räkna ut|beregn|laske|oblicz)\b|計算|確認`)},
	{roleSave, lazyregexp.New(`(?i)^(save|ok|okay|done|update|apply|speichern|enregistrer|guardar|salvar|salva|opslaan|保存|spara|gem|lagre|tallenna|zapisz)\b`)},
	{roleStart, lazyregexp.New(`(?i)^(start|begin|get started|let's (go|start|begin)|take the|launch|commencer|starten|beginnen|comenzar|empezar|iniciar|começar|inizia|starta|påbörja|börja|kom igång|påbegynd|begynd|kom i gang|aloita|rozpocznij|zacznij)\b|\bstart (now|here|from scratch|estimate|application|a new|the|your)\b|始め|開始`)},
}

func roleOf(b page.Press) role {
	text := strings.TrimSpace(b.Text)
	for _, w := range roleWords {
		if w.re.MatchString(text) {
			return w.role
		}
	}
	return roleOther
}

// onward is the button that most likely leads on, and whether there is any.
// fields says whether the page asks anything: only then may an unknown submit
// button be it, and only without may a link be.
func onward(buttons []page.Press, fields bool) (page.Press, bool) {
	best, top := page.Press{}, 0
	for i, b := range buttons {
		if s := weigh(b, fields); s > 0 && s*1000+i > top {
			best, top = b, s*1000+i
		}
	}
	return best, top > 0
}

func weigh(b page.Press, fields bool) int {
	if b.Aside {
		return 0
	}
	s := map[role]int{roleContinue: 100, roleSubmit: 90, roleStart: 60, roleOther: 20, roleSave: 30}[roleOf(b)]
	switch roleOf(b) {
	case roleNever, roleAdd, roleConsent, roleLogin:
		if b.Type == "submit" && b.InForm && fields {
			s = 5 // whatever it says, it is what the form has
		}
	}
	if s == 0 {
		return 0
	}
	link := b.Tag == "a"
	switch {
	case link && roleOf(b) == roleOther, link && fields && b.Role != "button" && roleOf(b) != roleContinue:
		return 0
	case roleOf(b) == roleOther && !fields && !b.Primary:
		return 0
	case roleOf(b) == roleOther && b.Type != "submit" && !b.Primary:
		return 0
	}
	if b.Type == "submit" {
		s += 20
	}
	if b.Primary {
		s += 15
	}
	if b.InForm {
		s += 10
	}
	if link && fields {
		s -= 15
	}
	if b.Expanded != "" {
		s -= 50
	}
	return max(s, 0)
}

var stepOf = lazyregexp.New(`(?i)(?:\b(?:step|page|question|section|part|schritt|seite|étape|etape|paso|página|etapa|passo|fase|stap|steg|trin|vaihe|krok)|ステップ|手順)\s*(\d+)\s*(?:of|/|out of|von|sur|de|di|van|av|af|z)\s*(\d+)`)

// moreSteps reads the page's own count of steps.
func moreSteps(texts []string) bool {
	return slices.ContainsFunc(texts, func(t string) bool {
		m := stepOf.FindStringSubmatch(t)
		return m != nil && m[1] != m[2]
	})
}

// starts are the ways into a form from a landing page, the likeliest first.
// Those that need no account win.
func starts(buttons []page.Press) []page.Press {
	var out []page.Press
	for _, b := range buttons {
		if roleOf(b) == roleStart || roleOf(b) == roleContinue || b.Primary && roleOf(b) != roleLogin && roleOf(b) != roleConsent && roleOf(b) != roleNever && roleOf(b) != roleBack {
			out = append(out, b)
		}
	}
	rank := func(b page.Press) int {
		n := 0
		if roleOf(b) == roleStart {
			n -= 10
		}
		if roleOf(b) == roleContinue {
			n -= 5
		}
		if b.Primary {
			n -= 3
		}
		if scratch.MatchString(b.Text) {
			n -= 4
		}
		return n
	}
	slices.SortStableFunc(out, func(a, b page.Press) int { return rank(a) - rank(b) })
	return out
}

var scratch = lazyregexp.New(`(?i)from scratch|without (an account|logging in|signing in)|as (a )?guest|no account`)

// cookies is what a banner that is a form of its own is about.
var cookies = lazyregexp.New(`(?i)\bcookies?\b`)

// refuses are the words that close a banner without agreeing to anything.
var refuses = lazyregexp.New(`(?i)reject|decline|refuse|necessary|essential|no,? thanks|ablehnen|refuser`)

// addWords are the words of a button that opens a row, without what is added.
var addWords = lazyregexp.New(`(?i)^\+?\s*(add|append|insert|new|another)\b\s*(an?|another|one|new|more)?\b\s*|^\+\s*`)
