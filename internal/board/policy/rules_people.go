package policy

// peopleGroups are the terms of watching people, of children, of entering
// places, and of what a worker is asked for himself.
var peopleGroups = map[string]string{
	"spying": `stalk*|spy on|spying on|tail him|tail her|tail my|secretly film*|secretly record*|secretly photograph*|secretly take|must not notice|` +
		`without him noticing|without her noticing|without them noticing|尾行|盗撮|隠し撮|張り込み|張込|浮気調査|素行調査|身辺調査|ストーキング|盗聴|keep an eye on him|keep an eye on her|keep an eye on my|should not see you|must not see you|address of this woman|address of this man|address of this person|この人の家|この人の住所|家を特定|自宅を特定|住所を特定|そっと見て|債務者の家|夜逃げ` +
		`|浮気|不倫|人探し|探偵|身元を調べ|素性|どこに住んで|track down|find this person|locate this person|where he lives|where she lives|whereabouts|dox*` +
		`|discreet photo*|discreetly|who she meets|who he meets|who they meet|without being noticed|candid photo*|paparazzi|この車が|ナンバーの車|毎朝見て報告|行動を報告|居場所`,
	"tracker":  `gps*|tracker*|small tag|this tag|airtag*|発信機|エアタグ`,
	"on-a-car": `pocket of|into his coat|into her coat|under his car|under her car|under the car|in his bag|in her bag|on his car|on her car|hide*|取り付け|仕掛け|忍ばせ`,
	"unseen":   `secretly|covertly|without being seen|unnoticed|undetected|気づかれない|気付かれない|ばれないよう|こっそり|内緒で|密かに|ひそかに`,
	"watch":    `film*|photograph*|record*|follow*|watch*|take pictures|take photos|observe*|track*|monitor*|撮影|撮って|記録|追っ|監視|見張|観察|録音`,
	"person": `ex wife|ex husband|ex girlfriend|ex boyfriend|my wife|my husband|my girlfriend|my boyfriend|neighbour|neighbour's|neighbor|neighbor's|my tenant|my employee|` +
		`the woman|the man|a woman|a man|元妻|元夫|元カノ|元カレ|彼氏|彼女|妻の|夫の|隣人|女性|男性|知人|同僚` +
		`|my ex|ex's|ex|夫が|妻が|この人物|この人|元交際相手|交際相手|彼の|彼女の` +
		`|mr|mrs|ms` +
		`|waiter|waitress|clerk with|the girl|this girl|colleague|my boss|her|his|上司|店員`,
	"follow": `follow*|where she|where he|watch*|observe*|track*|monitor*|who visits|when she|when he|comes and goes|行き先|帰宅|出入り|監視|見張|追跡|後をつけ|同行者|待ち伏せ|待機し` +
		`|後を追|apartment|her car|his car|現住所|住所を調べ|家の写真|勤務先を調べ|実家` +
		`|leaves the building|with whom|leaves home|leaves work|comes home` +
		`|gym|stand near|wait near|wait outside|meets|hangs out|通勤|勤務先|現れ`,
	"at-home": `who lives|who is living|lives at|live at this|home address of|in front of her house|in front of his house|住んでいるか|住んでるか|居住者|住人|誰が住|家族構成|在宅|居留守|` +
		`住んでいる人|表札|洗濯物|自宅を` +
		`|girl lives|woman lives|man lives|person lives|電気がついて|明かりがついて|誰が出入り|人の出入り|隣の部屋`,
	"find-out": `find out|check*|photograph*|note*|confirm*|watch*|write down|確認|調べ|撮影|写真|報告|記録|特定` +
		`|見てき|見張`,
	"plate": `license plate*|licence plate*|number plate*|registration plate*|ナンバープレート|車のナンバー|車両ナンバー|ナンバーを`,
	"note":  `note*|write down|photograph*|record*|whose|owner|log|check which|控え|記録|撮影|調べ|持ち主|所有者|特定`,

	"child": `children|child|kids|kid|pupil|pupils|schoolgirl*|schoolboy*|girls of|boys of|teenage*|minors|underage|子ども|子供|こども|児童|小学生|中学生|高校生|園児|未成年|幼児|schoolkid*|school kid*|下校中|塾帰り|学童` +
		`|kindergarten|preschool|schoolyard|school yard|playing children|幼稚園|保育園児|子の`,
	"approach": `photograph*|film*|take photos|take pictures|photos of|pictures of|picture|talk to|phone number*|model*|approach*|` +
		`撮影|撮って|写真|動画|連絡先|声をかけ|話しかけ|モデル|水着|chat with|アンケート|学校名|名前を聞` +
		`|video of|record the|interview|インタビュー|声を掛け`,

	"child-care": `babysit*|ベビーシッター|子守|子どもの送迎|子供の送迎|子どものお迎え|pick up my child|pick up my son|pick up my daughter|walk my child*`,
	"enter": `climb*|sneak*|break in|break into|breaking in*|trespass*|jump over|go inside the house|get inside|enter the fenced|let yourself in|pick the lock|` +
		`忍び込|侵入|乗り越え|よじ登|無断で入|すり抜けて|勝手に入|鍵を開けて|ピッキング|go past reception|past reception|受付を通り|受付をすり抜け` +
		`|越えて|線路に入|線路の中|屋根に登|jump the fence|hop the fence|over the fence|不法侵入` +
		`|slip into|slip in|slip past|get in without|enter without|without a badge|without a ticket|without paying|badge|無断で|もぐり込|紛れ込`,
	"place": `fence*|wall|gate|site|staff area|restricted area|private property|house|building|embassy|premises|roof|rooms|` +
		`敷地|立入禁止|立ち入り禁止|関係者以外|住居|家の中|マンション|建物|工場|屋上|オートロック|塀|フェンス|廃墟|エリア` +
		`|線路|rail*|backstage` +
		`|conference|office|hotel|event|venue|会場|イベント|空き家|オフィス|ホテル`,
	"go-in":       `go in|go inside|enter|get in|walk in`,
	"unpermitted": `owners are out|owner is out|owners are away|at night|without permission|after hours|unlocked|is locked|fence is low|nobody is home`,
	"no-entry": `立入禁止|立ち入り禁止|関係者以外|私有地|無断|裏口|閉鎖された|閉鎖中|廃墟|廃屋|空き家|back door|abandoned|closed hotel|vacant house` +
		`|staff only|employees only|進入禁止|立入り禁止`,
	"step-in": `に入り|に入って|へ入って|に入る|中に入|潜入|進入|から入って|walk through|go through the rooms|explore inside`,

	"elsewhere": `whatsapp|telegram|signal app|wechat|discord|viber|t.me*|line id|my line|skype|lineを追加|line追加|lineで|lineのid|ライン交換|lineを交換|テレグラム|カカオトーク|シグナルで|ディスコード|インスタのdm|my handle is|インスタのメッセージ|インスタで|xのdm|ツイッターのdm` +
		`|個人line|公式lineに登録|lineに登録|lineを登録|lineへ|lineまで|line交換|メルアド|個人メール`,
	"talk": `contact*|message*|write to me|text me|add me|reach me|get the details|join*|first|連絡|やりとり|やり取り|追加|交換|お送り|話しましょう|友だち|詳細|further talk|移り|移動して|続き` +
		`|join our|rest of the task|details|register|登録`,
	"pay-outside": `pay you directly|pay directly|direct payment*|skip the fee|avoid the fee*|outside the platform|outside this platform|outside this site|outside of this site|outside of the platform|` +
		`off platform|off the platform|off site payment|直接取引|直接お支払|直接支払|直接振り込|サイト外|サイトは通|サイトを通さ|手数料がもったいな|手数料を避け|プラットフォーム外|個別に払|個別にお支払|個別に振り込|キャンセルして個別`,
	"cancel":   `cancel here|cancel the order here|cancel it here|キャンセルして`,
	"pay-rest": `full amount|by wire|transfer the|払い|払う|振り込`,
	"coins": `bitcoin*|crypto*|usdt|ビットコイン|仮想通貨|暗号資産` +
		`|venmo|zelle|cash app|paypal friends*|paypayで送`,
	"reward": `pay you|i will pay|i pay|paid in|we pay|reward|報酬|支払`,
	"identifies": `passport*|driver's licence|driver's license|drivers licence|drivers license|driving licence|driving license|id card|identity card|social security number|national id|my number card|` +
		`bank account number|credit card number*|card number|home address|selfie*|date of birth|bank card|身分証|運転免許証|免許証|パスポート|マイナンバー|保険証|口座番号|暗証番号|` +
		`クレジットカード番号|カード番号|クレカ番号|自撮り|顔写真|あなたの住所|ご自宅の住所|生年月日|maiden name|where you live|本籍|勤務先` +
		`|在留カード|学生証|社員証|residence card|student id|your id|セルフィー|顔の写真|your face|現住所|緊急連絡先|両面の写真`,
	"submit": `send*|upload*|tell me|tell us|give us|give me|photo of|we need your|provide*|submit*|show us|送って|送付|提出|教えて|撮影|入力|アップロード|添付|お送り|fill in|書いて` +
		`|holding your|with your|showing your|we need a|upload|記入`,
}

var peopleRules = []rule{
	{Covert, 85, "spying", 0},
	{Covert, 90, "tracker on-a-car", 40},
	{Covert, 85, "unseen watch", 50},
	{Covert, 80, "person follow", 40},
	{Covert, 80, "at-home find-out", 60},
	{Covert, 75, "plate note", 50},
	{Minors, 85, "child approach", 45},
	{Minors, 60, "child-care", 0},
	{Trespass, 85, "place enter", 50},
	{Trespass, 80, "unpermitted go-in", 70},
	{Trespass, 80, "no-entry step-in", 40},
	{OffPlatform, 75, "elsewhere talk", 50},
	{OffPlatform, 75, "pay-outside", 0},
	{OffPlatform, 70, "coins reward", 40},
	{OffPlatform, 75, "cancel pay-rest", 90},
	{WorkerPII, 75, "identifies submit", 50},
}
