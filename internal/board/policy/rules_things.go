package policy

// thingGroups are the terms of reviews, parcels, money and regulated goods.
var thingGroups = map[string]string{
	"shill": `サクラとして|サクラ募集|サクラを|サクラの|サクラ役|ステマ|やらせ|自作自演|高評価レビュー|fake review*|fake rating*|fake follower*|paid review*|astroturf*|sock puppet*|購入者になりきっ|利用者になりきっ|客になりきっ|女性のふりをして|男性のふりをして|何度も再生|繰り返し再生|好意的なコメント|nice comments|say that you bought|that you bought our|vote for our` +
		`|レビュー代行|口コミ代行|投票代行|組織票|文章は用意|文章はこちらで|文面はこちら|we give you the text|text is provided` +
		`|happy customer*|satisfied customer*|as a customer who`,
	"review": `review*|rating*|star review*|口コミ|クチコミ|レビュー|評価`,
	"slanted": `five star*|5 star*|positive|glowing|favourable|favorable|1 star*|one star*|negative review*|bad review*|competitor*|星5|星五|星1つ|星一|★5|☆5|高評価|低評価|良い評価|競合` +
		`|良い口コミ|良いレビュー|良い感想|good review*|great review*|ほめる|褒め|絶賛`,
	"publish": `write*|post|posts|leave*|give*|publish*|add|書いて|投稿|書き込|つけて|付けて|お願い|入れて`,
	"unused": `need not have*|don't need to visit|need not visit|without visiting|without buying|without ordering|来店は不要|来店不要|購入は不要|購入不要|使っていなくても|利用していなくても|` +
		`食べていなくても|行ったことがなくても` +
		`|as if you had|as though you had|pretend you stayed|without having|体験していなくても|泊まっていなくても|利用したように|買ったように`,
	"ours":       `our app|our shop|our store|our restaurant|our cafe|our clinic|our hotel|our product*|our game|our page|当店|弊社|アプリのレビュー|商品レビュー|自社`,
	"popularity": `followers|likes|upvote*|upvotes|subscriber*|retweet*|フォロワー|いいね|高評価ボタン|チャンネル登録|再生回数|リツイート|フォローと|thousand views|views|plays|再生数`,
	"pump":       `buy*|get us|increase*|boost*|several accounts|many accounts|different accounts|five profiles|profiles|増やし|水増し|買|お願い|押して|してください|needs`,
	"follow-us": `follow and like|like and follow|follow our account|follow our page|follow our profile|follow our channel|like our page|like every post|upvote our*` +
		`|subscribe to our channel|subscribe and like|like three videos|like our*|like all our*|follow me on`,
	"referral": `referral code*|referral link*|invite code*|紹介コード|招待コード`,
	"join-up":  `new account*|install*|sign up|register*|ten times|several times|登録|インストール|新規|使って`,

	"yami": `受け子|出し子|闇バイト|裏バイト|荷受代行|荷受け代行|受取代行|運び屋|かけ子|掛け子|叩き案件|ホワイト案件|即日即金|money mule*|reship*|re ship*|drug mule*|parcel mule*` +
		`|強盗|空き巣|代理受取|送金代行|出金代行|現金化|叩きの仕事|burglar*`,
	"parcel": `parcel*|package|packages|荷物|小包|宅配物|郵便物` +
		`|スマホを受け取|商品を受け取` +
		`|a package be|deliveries|shipment*|box|boxes|段ボール|商品を`,
	"your-home": `arrive at your|at your home|to your home|at your address|at home|another name|other name|自宅で受け|自宅に届|ご自宅で|ご自宅に|家に届|別名義|中身を見ず|中身は見|受け取` +
		`|届いた|届く|labels provided|at your place` +
		`|you will get a|you will receive|remove the label|海外から届く` +
		`|to your flat|your flat|your apartment|your door|your house|in your name|届き|到着`,
	"pass-on": `forward*|reship*|post it|send them on|ship them|re label*|new label|relabel*|another address|転送|別の住所|再送|指定の住所|そのまま送` +
		`|ship*|送るだけ|発送するだけ` +
		`|put ours on|drop it at|再発送|送り直` +
		`|bring it to|take it to|hand it to|locker|carry it to|send it on|ロッカー|渡して`,
	"errand":    `sign for*|書類を預か|荷物を預か|書類を受け取|封筒を預か|紙袋を|out of locker`,
	"no-words":  `in the name of|no questions|our courier|our driver|別の人に渡|渡すだけ|高額バイト|高額報酬|聞かないで`,
	"cash":      `cash|money|envelope|her card|his card|savings|jewellery|現金|お金|封筒|札束`,
	"deposit":   `bitcoin atm|crypto atm|deposit it|deposit the|deposit them|入金して|コインロッカー`,
	"elderly":   `elderly|old lady|old woman|old man|pensioner*|grandma*|grandmother|grandpa*|おばあさん|おばあちゃん|おじいさん|お年寄り|高齢|老人`,
	"collect":   `fetch*|collect*|pick up|receive*|take*|bring*|受け取|預か|回収|届け`,
	"cash-card": `atm|atms|キャッシュカード|cash card*|debit card*|bank card*`,
	"withdraw":  `withdraw*|take out money|引き出し|引き出|出金|下ろし|おろして`,
	"own-account": `your bank account|your account|your paypal|あなたの口座|ご自身の口座|自分の口座|指定の口座|指定口座|into your account|振り込まれたお金|入金されたお金|振り込まれた現金` +
		`|accept a transfer|receive a transfer|transfer of|take a payment|receive money|送金を受け|振込を受け`,
	"move-on": `withdraw*|pass them on|pass it on|forward*|transfer it|buy crypto|buy bitcoin|keep 5|keep ten|keep 10|keeping|percent|入金|振り込んで|送金|引き出|暗号資産|仮想通貨|bring the rest|keep your share|現金にして|残りを|手渡し` +
		`|send it on|in crypto|pass it|wire it|暗号通貨`,
	"voucher": `gift card*|itunes card*|prepaid card*|電子マネー|ギフトカード|プリペイドカード|ギフト券|アップルのカード|アップルカード|apple card*|google play card*|steam card*|プリカ`,
	"buy":     `buy*|purchase*|get|購入|買って|枚買い|買い、|を買い`,
	"numbers": `the back|scratch*|codes|code|numbers|番号|コード`,
	"bag":     `suitcase*|bag|bags|package*|荷物|バッグ|スーツケース`,
	"abroad":  `abroad|across the border|through customs|to another country|海外へ|海外に|国外|税関`,
	"carry":   `carry*|take*|bring*|持って|運んで|運ぶ`,

	"regulated": `cannabis|marijuana|weed|hashish|cocaine|heroin|meth|mdma|ecstasy|lsd|fentanyl|handgun*|firearm*|pistol*|rifle*|ammunition|explosive*|gun|guns|counterfeit*|` +
		`prescription drug*|prescription painkiller*|prescription medicine*|painkiller*|opioid*|sleeping pill*|ivory|大麻|マリファナ|コカイン|覚醒剤|覚せい剤|麻薬|危険ドラッグ|拳銃|銃弾|実弾|` +
		`爆発物|爆弾|向精神薬|処方薬|処方された|病院でもらった薬|睡眠薬|偽ブランド|偽札|違法薬物|edibles|magic mushroom*|本物の銃|adhdの薬|薬が余って|余った薬|余っている薬` +
		`|xanax|valium|adderall|ritalin|oxycodone|viagra|steroid*|stun gun*|without a prescription|処方箋なし|リタリン|睡眠導入剤|精神安定剤|スタンガン|火薬|毒物|無修正` +
		`|codeine|cough syrup with|antidepressant*|antibiotics|pseudoephedrine|抗うつ薬|抗うつ剤|精神薬|抗生物質|咳止め|血圧の薬|処方箋が必要`,
	"deal":           `buy*|purchase*|get|get me|get us|sell*|post it|bring*|pick up|deliver*|carry*|transport*|smuggle*|買って|購入|売って|譲って|買い取|運んで|運ぶ|受け渡し|送って|届けて|手に入|分けて`,
	"medicine":       `dose|dosage|insulin|diagnos*|投与量|服用量|診断`,
	"advise":         `should take|should i take|as a doctor|which dose|how much should|飲むべき|診断して|処方して`,
	"drink-or-smoke": `cigarette*|tobacco|alcohol|whisky|whiskey|beer|vape*|たばこ|お酒|ビール`,
	"under-age":      `teenager*|minor|minors|underage|16 year*|17 year*|未成年|高校生|中学生`,
}

var thingRules = []rule{
	{FakeEngagement, 80, "shill", 0},
	{FakeEngagement, 85, "review slanted publish", 50},
	{FakeEngagement, 75, "ours slanted", 60},
	{FakeEngagement, 80, "unused review", 60},
	{FakeEngagement, 75, "popularity pump", 50},
	{FakeEngagement, 75, "follow-us", 0},
	{FakeEngagement, 70, "referral join-up", 60},
	{ParcelCash, 95, "yami", 0},
	{ParcelCash, 85, "parcel your-home pass-on", 90},
	{ParcelCash, 85, "errand no-words", 90},
	{ParcelCash, 95, "elderly cash collect", 80},
	{ParcelCash, 85, "cash deposit", 60},
	{ParcelCash, 85, "cash-card withdraw", 60},
	{ParcelCash, 85, "own-account move-on", 80},
	{ParcelCash, 85, "voucher numbers buy", 70},
	{ParcelCash, 75, "bag abroad carry", 60},
	{Regulated, 90, "regulated deal", 50},
	{Regulated, 65, "medicine advise", 60},
	{Regulated, 90, "drink-or-smoke under-age buy", 60},
}
