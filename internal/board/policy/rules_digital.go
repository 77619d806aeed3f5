package policy

// digitalGroups are the terms of codes, accounts, identities and barriers.
var digitalGroups = map[string]string{
	"give": give,
	"code": `otp|otps|one time pass*|one time code*|onetime pass*|verification code*|verification number*|activation code*|confirmation code*|login code*|` +
		`sign in code*|sms code*|sms pin|text message code*|code by sms|code by text|code you receive|code you get|code that arrives|code it shows|` +
		`6 digit code*|six digit code*|4 digit code*|6 digits|six digits|2fa|two factor code*|two step code*|mfa code*|authenticator code*|authenticator app|` +
		`authentication code*|auth code*|passcode*|認証コード|認証番号|確認コード|確認番号|ワンタイムパス|ワンタイムコード|二段階認証|2段階認証|二要素認証|` +
		`smsコード|sms認証|6桁の番号|6桁の数字|6桁のコード|4桁の番号|四桁|六桁|届いた番号|届いたコード|届くコード|texts you a code|text you a code|activation text*|token generator|numbers arrive|number will pop up|ショートメール|本人確認用の番号|表示されるコード|番号が届|数字が届|コードが届|認証用の番号` +
		`|login prompt|sign in prompt|push notification of|digits that|認証させて|認証プッシュ` +
		`|code from the text|code from your|code that was texted|e mail code*|email code*|mail code*|login link|magic link|pin from|digits from`,
	"your-number": `your phone number|your number|your mobile number|電話番号|携帯番号`,
	"lend-number": `register your*|use your*|lend*|rent*|receive sms|receive codes|receive texts|お借り|借りて|貸して|貸し出|sms受信|認証用`,
	"sms": `sms|text message*|a text|届く|届いた|届いたら|ショートメッセージ|ショートメール` +
		`|from the text|texted|phone|by text|inbox|your mail|message arrives|メールに|スマホに|携帯に|番号に`,
	"bare-code": `code|codes|コード|番号|数字`,
	"account": `account|accounts|the trial|free trial*|gmail*|instagram|facebook|アカウント|垢|ログインid|profiles|seller profile*|verified profile*|mailbox*|引き継ぎコード` +
		`|profile|twitter|tiktok*|reddit|ebay|amazon account*|uber account*|linkedin*|whatsapp account*|wechat|chatgpt account*|steam account*|login|アカ`,
	"make": `create*|open a*|open three|open two|open several|open many|register*|sign up*|sign* up|make a*|作成|作って|開設|登録|新規|make us|fresh|量産`,
	"hand-over": `for us|for me|for our client*|hand over|hand it over|send the password|send us the|send me the|send us a|give us|give me|credentials|login detail*|` +
		`the login|the password|the credentials|納品|渡し|送って|教え|提供|代行|パスワード|deliver them|sign in data|to ours` +
		`|transfer it|transfer them|to us|譲渡|移管` +
		`|to me|our name|we keep|we take over|引き渡`,
	"trade": `buy*|sell*|rent*|lend*|purchase*|買取|買い取|買います|売って|売り|譲って|貸して|レンタル|販売|borrow*|使わせて|量産|引き継ぎたい` +
		`|selling or renting|transfer of|売買` +
		`|お借り|借り|access to your|loan*|share your|trade|swap|引き取|買取り`,
	"secret": `password*|login credential*|login detail*|login data|login information|user name and|pin code|pin number|secret question*|recovery phrase|seed phrase|` +
		`パスワード|ログインid|ログイン情報|暗証番号|リカバリーフレーズ` +
		`|netflix password|wifi password|パスコード`,
	"own-login": `log in with your*|login with your*|use your own account|with your own account|あなたのアカウント|ご自身のアカウント|あなたのid|ご自身のid`,
	"let-in":    `give us access|give access|give me access|let our*|let us use|share the screen|画面を共有|アクセスさせ|操作させ|ログインして`,

	"pretend": `pretend to be|impersonate*|pose as|pass yourself off*|act as if you were|say that you are|なりすま|本人のふり|のふりをして電話|のふりをして手続|` +
		`のふりをしてくだ|名義貸し|名義を貸|名義をお借り|替え玉|替玉|代理受験|口座売買|口座買取|飛ばし携帯|飛ばしケータイ|introduce yourself with the name|introduce yourself as|別人として|別の人の名前|他人の名前|名前だけ貸|名前を貸` +
		`|fake id|fake name|false name|偽名|偽造|偽の身分|forged|保証人になって|住所貸し|名前を使わせ|身分証を貸|免許証を貸` +
		`|say you are the|say that you are the|claim to be|名義だけ|名義だけで|代表になってくださる|名義人|you are the account holder` +
		`|as if you were me|under my name|under a different name|use the name of|本人として|本人のように|名前を騙`,
	"in-place-of": `on my behalf|on our behalf|on his behalf|on her behalf|in my place|in his place|in my name|instead of me|as me|私の代わりに|本人の代わりに|私本人|代わりに受験|代理で|appear on camera|別人` +
		`|on behalf of my|on behalf of a|友人の代わり|別の人の代わり|家族の代わり` +
		`|as if you were me|as if you were|for my friend|for our client|for a friend|身代わり|別の方の`,
	"in-person": `exam|exams|test|interview*|kyc|selfie*|identity check|id check|video call with*|面接|受験|試験|本人確認|顔認証|講習|テスト|面談|hiring talk|job call` +
		`|video verification|bank verification|identity verification` +
		`|hearing|appointment|court|lesson|class|onboarding call|video check|オンライン説明会|授業|講義`,
	"own-papers": `your own id|your id|your identity|your passport|your papers|your own name|in your name|あなたの身分証|あなた名義|あなたの名義|ご自身の名義|ご自身の身分証|自分の名義|under your name|under your own name` +
		`|your id card|your driver|your licence|id in your name|your tax number|あなたの免許|あなたのマイナンバー|お手持ちの身分証`,
	"commit": `verify*|open a*|sign a*|contract*|register*|契約|本人確認|開設|申込|申し込|登録|購入|rent the|rent a|lease*` +
		`|register|registration|rent*|lend*|lease|apply for|loan|sim card|貸して|貸し|審査`,
	"bank": `bank account*|bank card*|口座|キャッシュカード|通帳`,
	"lend-bank": `let us use|let me use|for us to use|hand over|send the card|send us the card|sell|rent|lend|buy|` +
		`売って|買います|買取|譲って|貸して|送って|渡して|郵送|お譲り`,
	"identity":   `kyc|identity check*|id check*|identity verification|本人確認|顔認証`,
	"for-others": `for somebody else|for someone else|for another*|for our client*|for a client*|通して|突破|代わりに|代行|他人`,

	"captcha": `captcha*|recaptcha*|hcaptcha*|turnstile|picture puzzle*|image puzzle*|not a robot|robot check*|robot test*|human verification|distorted letters|` +
		`キャプチャ認証|リキャプチャ|キャプチャを解|画像認証|ロボットではありません|ロボットではない|ロボットでない|パズル認証|文字認証|squares with|prove you are human|you are a human|ゆがんだ文字|歪んだ文字|信号機や|横断歩道の画像` +
		`|are you a robot|robot page|キャプチャ入力|キャプチャを入力|i am human|verify you are human|slider puzzle*|スライドパズル|ロボット確認|ロボットチェック` +
		`|ロボットではないこと|キャプチャ画像|人間であること|proof of being human`,
	"solve": `solv*|complete*|bypass*|click*|tick*|pass the|pass a|pass this|get past|break*|crack*|type*|enter the|fill in|beat|circumvent*|work around|get around|` +
		`解いて|解く|解除|突破|代行|入力|チェックを入|クリック|通して|通過|こなし|読み取|打ち込|pick all|that step for|打って|選ぶ|押し続け` +
		`|円です|円で`,
	"barrier": `paywall*|bot detection|bot protection|anti bot|bot check*|access control*|access restriction*|rate limit*|age verification|age check|geo block*|` +
		`region lock*|firewall*|cloudflare|login wall*|security check*|ip ban|ip block|queue page|waiting room|ペイウォール|有料記事|ボット対策|ボット検知|bot対策|` +
		`アクセス制限|アクセス制御|年齢確認|年齢認証|閲覧制限|会員限定|地域制限|利用制限|ログイン制限|購入制限|個数制限|認証|セキュリティ|本人確認|生年月日のチェック|年齢のチェック|年齢制限` +
		`|paywalled|cloudflare block|block page|地域ブロック|usage limit*|download limit*` +
		`|content filter*|parental control*|フィルタリング|購入上限|個数上限`,
	"get-around": `bypass*|get around|get past|get us past|circumvent*|evade*|evading|defeat*|sneak past|work around|trick the|突破|回避|すり抜け|迂回|かいくぐ|くぐり抜け|無効化|ごまか|抜ける|抜けて` +
		`|way around|find a way|past the|抜け道|裏技|裏口` +
		`|disable*|turn off|switch off|無効に|外して`,
	"banned":       `ip is banned|ip was banned|are banned|were banned|got banned|is banned|blocked our ip|our ip is blocked|アクセス禁止|アク禁|垢ban|出禁`,
	"let-on":       `log in|login|your connection|session|cookie*|ログイン|代わりに|回線`,
	"machine":      `crawler*|scraper*|scraping|our bot|our bots|our program|our script|スクレイピング|クローラー|自動プログラム|ボット`,
	"your-line":    `your connection|your laptop|your home connection|home address|your router|exit point|your proxy|ご自宅の回線|自宅の回線|回線を|プロキシ|ipアドレスを`,
	"limit":        `one pair a person|one per person|one a person|one per customer|limit of one|お一人様|1人1点|一人一点|1人1個|転売`,
	"several":      `different devices|different accounts|different names|several names|several accounts|複数の|別の端末|別名義|家族名義`,
	"your-access":  `your student login|your login|your institutional login|your university login|your subscription|your membership|あなたの会員|大学のアカウント|学校のアカウント|社内アカウント`,
	"fetch":        `download*|copy*|save the|scrape*|ダウンロード|保存|取得|コピー`,
	"exam":         `exam|exams|driving test|language test|entrance test|toeic|toefl|ielts|受験|試験|検定|テストを受`,
	"for-me":       `for me|in my place|on behalf of|on my behalf|代わりに|代理|別人|身代わり`,
	"bots-blocked": `blocks bots|block bots|blocks our|bots are blocked|bot is blocked|bot gets blocked|ボットがブロック|botがブロック|自動化がブロック|弾かれ|bot cannot|agent cannot log|bot was stopped`,
	"lend-id":      `lend us your id|lend your id|rent your id|use of your id|borrow your id|your identity for|lend us your name|lend your name|身分証を借|免許証を借|名義を借|本人確認書類を借`,
	"auto-ban":     `forbids automated|forbids bots|does not allow bots|no bots allowed|blocks automated|detects bots|アクセスが拒否|アクセス拒否|自動購入を禁止|bot禁止|ボット禁止`,
	"image-pick":   `select all images|select the images|pick the images|all images with|images with buses|images with cars|traffic lights|crosswalks|信号機の画像|バスの画像`,
	"id-proof":     `kyc|identity verification|本人確認のビデオ|本人確認のための|ビデオ本人確認|ekyc`,
	"session":      `session cookie*|login session*|session token*|セッションcookie|セッションクッキー|ログインクッキー`,
}

var digitalRules = []rule{
	{OTPRelay, 90, "code give", 60},
	{OTPRelay, 55, "code", 0},
	{OTPRelay, 55, "sms bare-code", 30},
	{OTPRelay, 70, "your-number lend-number", 40},
	{OTPRelay, 85, "sms bare-code give", 50},
	{AccountAccess, 85, "account make hand-over", 90},
	{AccountAccess, 80, "account trade", 40},
	{AccountAccess, 85, "secret give", 50},
	{AccountAccess, 90, "secret trade", 40},
	{AccountAccess, 40, "own-login", 0},
	{AccountAccess, 80, "own-login let-in", 80},
	{IdentityProxy, 90, "pretend", 0},
	{IdentityProxy, 85, "in-place-of in-person", 60},
	{IdentityProxy, 85, "in-person in-place-of", 60},
	{IdentityProxy, 85, "exam for-me", 50},
	{IdentityProxy, 75, "own-papers commit", 60},
	{IdentityProxy, 90, "bank lend-bank", 60},
	{IdentityProxy, 55, "id-proof", 0},
	{IdentityProxy, 80, "lend-id", 0},
	{IdentityProxy, 85, "identity for-others", 60},
	{CaptchaSolving, 90, "captcha solve", 60},
	{CaptchaSolving, 60, "captcha", 0},
	{AccessBypass, 60, "bots-blocked", 0},
	{AccessBypass, 60, "auto-ban", 0},
	{CaptchaSolving, 65, "image-pick", 0},
	{AccessBypass, 90, "barrier get-around", 50},
	{AccessBypass, 80, "banned let-on", 80},
	{AccessBypass, 80, "session give", 40},
	{AccessBypass, 75, "your-access fetch", 60},
	{AccessBypass, 80, "machine your-line", 90},
	{AccessBypass, 80, "limit several", 90},
}
