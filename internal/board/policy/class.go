package policy

import "slices"

// Class is a kind of errand that the board does not pass on unseen. The first
// six are those that C. Yang et al. found in a marketplace of agents
// (arXiv:2602.19514); the others are what Japanese police call signs of yami
// baito, and what any board of errands refuses.
type Class string

// The classes.
const (
	OTPRelay       Class = "otp_relay"
	AccountAccess  Class = "account_access"
	IdentityProxy  Class = "identity_proxy"
	CaptchaSolving Class = "captcha_solving"
	AccessBypass   Class = "access_bypass"
	Covert         Class = "covert_observation"
	FakeEngagement Class = "fake_engagement"
	ParcelCash     Class = "parcel_cash_forwarding"
	Regulated      Class = "regulated_goods"
	Minors         Class = "minors"
	Trespass       Class = "trespass"
	OffPlatform    Class = "off_platform"
	WorkerPII      Class = "worker_pii"
	// Resembling is what names nothing of the above and reads like it.
	Resembling Class = "resembles_harmful"
)

// Classes are all the classes, in the order of the documentation.
func Classes() []Class {
	return []Class{
		OTPRelay, AccountAccess, IdentityProxy, CaptchaSolving, AccessBypass, Covert, FakeEngagement,
		ParcelCash, Regulated, Minors, Trespass, OffPlatform, WorkerPII, Resembling,
	}
}

// digital reports whether the class is how bot_blocker_ops is abused.
func (c Class) digital() bool {
	return slices.Contains([]Class{OTPRelay, AccountAccess, IdentityProxy, CaptchaSolving, AccessBypass}, c)
}

// reasons say in plain words why, for people.
var reasons = map[Class]struct{ en, ja string }{
	OTPRelay:       {"It asks for a one-time code or for a phone number that receives one. Such a code opens somebody's account.", "認証コードの受け取りや転送を求めています。認証コードを渡すと、アカウントを乗っ取られるおそれがあります。"},
	AccountAccess:  {"It asks for an account, or for the words that open one.", "アカウントの作成・売買・貸し借り、またはパスワードの提供を求めています。"},
	IdentityProxy:  {"It asks to act as somebody else, or to lend a name, papers or a bank account.", "他人になりすますこと、または名義・身分証・銀行口座を貸すことを求めています。"},
	CaptchaSolving: {"It asks to answer a test that keeps programs out.", "自動アクセスを防ぐ画像認証などを、代わりに解くことを求めています。"},
	AccessBypass:   {"It asks to get around a barrier that a site has put up.", "サイトの利用制限や年齢確認などを回避することを求めています。"},
	Covert:         {"It asks to watch a person, a home or a car without their knowledge.", "特定の人・自宅・車を、本人に知らせずに調べることを求めています。"},
	FakeEngagement: {"It asks for reviews, followers or likes that are not honest.", "実際の利用によらない口コミ・評価・フォローなどを求めています。"},
	ParcelCash:     {"It asks to pass on parcels, cash or codes of value. Crime uses such errands.", "荷物・現金・電子マネーなどの受け取りや転送を求めています。犯罪に使われるおそれがあります。"},
	Regulated:      {"It is about goods or advice that only licensed people may deal with.", "法律で規制された物品の取引や、資格が必要な助言を求めています。"},
	Minors:         {"It involves children or young people.", "子どもや未成年者を対象にしています。"},
	Trespass:       {"It asks to enter a place without permission.", "許可なく立ち入ることを求めています。"},
	OffPlatform:    {"It asks to talk or to pay elsewhere, where the board cannot protect anybody.", "この掲示板の外での連絡や支払いを求めています。外でのやりとりは保護できません。"},
	Resembling:     {"It reads like errands that the board does not allow. A person looks at it first.", "お断りしている依頼に書き方が似ています。運営が内容を確認します。"},
	WorkerPII:      {"It asks for papers, numbers or pictures that identify the worker.", "身分証・口座番号・顔写真など、作業者の個人情報を求めています。"},
}

// Reason says why in the language, ja or en; empty when there is no objection.
func (v Verdict) Reason(lang string) string {
	return v.Class.Reason(lang)
}

// Reason says what is wrong with an errand of the class, in ja or en.
func (c Class) Reason(lang string) string {
	if lang == "ja" {
		return reasons[c].ja
	}
	return reasons[c].en
}
