package policy

// The groups that say how a sentence means what it says.
const (
	negationBefore = "negation-before"
	negationAfter  = "negation-after"
	turn           = "turn"
	about          = "about"
	request        = "request"
	harmless       = "harmless"
)

var contexts = []string{negationBefore, negationAfter, turn, about, request, harmless}

// contextGroups are read by the matching itself; a rule does not name them.
var contextGroups = map[string]string{
	negationBefore: `not|don't|dont|never|no need to|without|avoid|refuse*|nobody|no one|forbidden|prohibited|refrain*|instead of`,
	negationAfter: `ないで|なくて|しません|ません|禁止|不要|お断り|厳禁|せず|らず|わず|かず|ずに|必要はあり|必要ない|ことはない|ことはありません|` +
		`遠慮|控えて|避けて|いけません|だめ|NG|対象外|なしで`,
	turn: `but|and|just|please|instead|then|hesitate|forget|fail|mind|only|unless|until|` +
		`もらえない|いただけない|ませんか|ないか|ないでしょう|ないと|忘れない|忘れず|遠慮なく|遠慮せず|迷わず|必ず`,
	about: `whether|judge|classify|classif*|detect|decide for each|article*|leaflet*|awareness|warn*|prevent*|according to|help page*|help text|` +
		`public site|public page*|explain*|describe*|brochure|translat*|proofread*|summar*|newspaper|news|compare|mark every|mark sentences|` +
		`かどうか|判定|分類|注意を呼|注意喚起|への注意|啓発|防止|記事|説明|校正|誤字|翻訳|英訳|要約|公開サイト|チラシ|ニュース|新聞` +
		`|how captchas work|how it works|仕組み|手順を聞|what is needed|which papers|必要な書類|見せればよい|探し、` +
		`|goes through for|流れを聞|手続きを聞|how customers`,
	request: `please|you must|make sure|send me|send us|send it|give me|give us|tell me|tell us|we pay|ください|下さい|お願い|必要です|お支払い`,
	harmless: `password reset*|password manager*|password polic*|reset page|forgot password|passport office|passport photo*|passport cent*|` +
		`gun control|gun law*|account deletion|licence plate holder*|license plate holder*|licence plate recess|licence plate frame|` +
		`children's|child's|kids'|no children|no child|no people|no kids|without children|without people|climbing wall*|climb the stairs|withdrawal fee*|withdrawal limit*|` +
		`line pay|line of|line official|follow the instruction*|follow up|own account settings|telegram counter|child seat*|toy gun*|water gun*|glue gun*|` +
		`パスワードリセット|パスワード再設定|パスワードの作り方|パスポートセンター|パスポート用の写真|パスポート用写真|証明写真|銃規制|` +
		`さくらの花|さくらの木|さくらの開花|さくら通り|さくら祭|さくらの写真|さくらの見頃|アカウント削除|口座振替|引き出し手数料|出金手数料|` +
		`line公式|linepay|ラインナップ|オンライン|子ども向け|子供向け|こども向け|児童館|児童書|児童手当|子どもが写|子供が写|人が写|公開されている電話番号|商品の説明|取扱説明` +
		`|追跡番号|伝票番号|郵便番号|部屋番号|整理番号|市外局番|qrコード|バーコード|qr code*|bar code*|postal code*|area code*|dress code|source code|zip code*|bought without a prescription|処方箋なしで買える|処方箋なしで手に入る風邪` +
		`|public phone number*|hotel star*|stars of the hotel|star sign of`,
}
