package page

import "github.com/legwork-mcp/legwork/internal/lazyregexp"

// Words by which a button says that pressing it is the real-world act: something is
// sent, signed, ordered or paid.
var (
	// WholeAct are words of the act itself, such as "Submit application".
	WholeAct = lazyregexp.New(`(?i)\b(submit|send|lodge|file|sign)( off)? (my|your|the|this|an?)? ?(\w+ ){0,2}(application|form|claim|request|report|return|order|petition|registration|declaration|complaint|response)\b|\b(place|complete) (my |your |the |an )?(order|booking|purchase|payment)\b|\bpay (now|£|\$|€|[0-9])|\b(make|confirm) (a |my |your |the )?payment\b|^donate\b`)
	// AndActs are words by which a button that leads on does more than that, such as
	// "Continue and submit".
	AndActs = lazyregexp.New(`(?i)(?:^|\b(?:and|to|then)\s|[&+,:;–—-]\s*)(?:(?:now|finally)\s+)?(submit|send|pay|order|purchase|buy|donate|lodge|sign|vote|book)\b|\b(submit|submission|checkout|purchase)\b|\bwith (the )?payment\b|(?:\b(?:and|to)\s|[&:]\s*)file (my|your|the|this|it)\b`)
	// ForeignActs are words of the act in other languages, wherever a button has them:
	// "次へ進んで送信する" is no step.
	ForeignActs = lazyregexp.New(`(?i)\b(absenden|abschicken|senden|einreichen|übermitteln|bestellen|kaufen|kostenpflichtig|zahlungspflichtig|bezahlen|envoyer|soumettre|transmettre|payer|commander|enviar|pagar|presentar|tramitar|invia|inviare|trasmetti|paga|submeter|verzenden|versturen|indienen|betalen|betala|betal|indsend|indgiv|bestil|bestill|tilaa|osta)\b|skicka|\bsänd|beställ|lähet(ä|tä)|\bmaksa\b|wyślij|prześlij|złóż|zapłać|zamów|送信|送る$|申請する|申し?込[むみ]|提出|登録する|投稿|応募|購入|注文|支払|決済|提交|发送|支付|제출|보내기|결제`)
)

// Acts reports whether the words of a button are those of the act. "Submit" is, though
// there are forms whose every step has it.
func Acts(words string) bool {
	return WholeAct.MatchString(words) || AndActs.MatchString(words) || ForeignActs.MatchString(words)
}
