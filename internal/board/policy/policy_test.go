package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestActions(t *testing.T) {
	for _, c := range []struct {
		name string
		text Text
		want Action
	}{
		{"empty", Text{}, Allow},
		{"harmless", Text{Task: "駅前の店を撮影してください。"}, Allow},
		{"a mention for judging", Text{Task: "Judge whether this text makes a reader send the OTP."}, Warn},
		{"a doubtful one", Text{Task: "Send a photo of your passport."}, Hold},
		{"a bad one", Text{Task: "認証コードを教えてください。"}, Block},
		{"in the acceptance criteria", Text{Task: "Wait.", AcceptanceCriteria: "You send us the verification code."}, Block},
		{"in the location", Text{Task: "Wait.", Location: "forward the sms code"}, Block},
		{"named as not allowed", Text{Task: "Rate replies.", NotAllowed: "Asking for an OTP to be sent. 認証コードを送ること。"}, Allow},
		{"asked for where it does not belong", Text{Task: "Rate replies.", NotAllowed: "Please send me the OTP instead."}, Block},
		{"a counter visit", Text{Label: "bot_blocker_ops", Task: "窓口で紙の申請書をもらい、電話で受付時間を聞いてください。"}, Allow},
		{"the label makes it graver", Text{Label: "bot_blocker_ops", Task: "Use your own ID to sign a contract."}, Block},
		{"than elsewhere", Text{Label: "lead_prep", Task: "Use your own ID to sign a contract."}, Hold},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := Screen(c.text)
			if v.Action != c.want {
				t.Errorf("it says %v, not %v: %+v", v.Action, c.want, v.Findings)
			}
			for _, lang := range []string{"ja", "en"} {
				if (v.Reason(lang) != "") != (v.Class != "") {
					t.Errorf("class %q has the %s reason %q", v.Class, lang, v.Reason(lang))
				}
			}
		})
	}
}

// TestSpans: a finding says where in the text as it was given.
func TestSpans(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Hello. Please send me the OTP now.", "send me the OTP"},
		{"お手数ですが、届いた６桁の番号を教えてください。", "６桁の番号を教え"},
		{"Kindly solve the с.а.р.t.с.h.а for us.", "solve the с.а.р.t.с.h.а"},
		{"ﾜﾝﾀｲﾑﾊﾟｽﾜｰﾄﾞを転送して", "ﾜﾝﾀｲﾑﾊﾟｽﾜｰﾄﾞを転送"},
	} {
		v := Screen(Text{Task: c.text})
		if len(v.Findings) == 0 {
			t.Errorf("%q passes", c.text)
			continue
		}
		f := v.Findings[0]
		if f.Excerpt != c.want || f.Excerpt != c.text[f.Start:f.End] {
			t.Errorf("%q: excerpt %q at %d to %d, want %q", c.text, f.Excerpt, f.Start, f.End, c.want)
		}
	}
}

// TestDisguises: one request, in every disguise that we know.
func TestDisguises(t *testing.T) {
	for name, text := range map[string]string{
		"capitals":           "SEND ME THE OTP",
		"full width":         "ｓｅｎｄ　ｍｅ　ｔｈｅ　ＯＴＰ",
		"zero width":         "send me the o\u200bt\u200dp",
		"soft hyphens":       "send me the o\u00adt\u00adp",
		"Cyrillic":           "send me the отр",
		"accents":            "sénd mê the ótp",
		"stacked marks":      "send me the o\u0335\u0301t\u0336p\u0337",
		"spaced out":         "send me the o t p",
		"dotted":             "send me the o.t.p",
		"digits for letters": "send me the 0tp",
		"tags":               "send me the o\U000E0074tp",
		"half width kana":    "ﾆﾝｼｮｳ ではなく認証ｺｰﾄﾞを教えて",
		"hiragana":           "認証こーどを教えて",
		"blanks":             "認 証 コ ー ド を 教 え て",
		"dots":               "認・証・コ・ー・ド・を教えて",
		"a hyphen for ー":     "認証コ-ドを教えて",
		"kanji for kana":     "ワンタイムパス・認証コ一ドを教えて",
		"line break":         "認証コード\nを教えて",
		"rtl marks":          "\u202esend\u202c me the \u2066otp\u2069",
		"mathematical":       "𝐬𝐞𝐧𝐝 𝐦𝐞 𝐭𝐡𝐞 𝐨𝐭𝐩",
		"circled":            "send me the ⓞⓣⓟ",
	} {
		if v := Screen(Text{Task: text}); v.Action != Block || v.Class != OTPRelay {
			t.Errorf("%s: %q is %v %s", name, text, v.Action, v.Class)
		}
	}
}

func TestNegation(t *testing.T) {
	for text, want := range map[string]Action{
		"Never send me the OTP.":                    Allow,
		"You do not need to send the OTP.":          Allow,
		"認証コードは教えないでください。":                          Allow,
		"認証コードは送らなくて大丈夫です。":                         Allow,
		"受け子のような仕事は禁止です。":                           Allow,
		"Do not hesitate to send me the OTP.":       Block,
		"Don't forget to send me the OTP.":          Block,
		"Tell nobody, but send me the OTP.":         Block,
		"Never mind the rules. Send me the OTP.":    Block,
		"忘れずに認証コードを教えてください。":                        Block,
		"認証コードを教えてもらえないでしょうか。":                      Block,
		"認証コードを送っていただけませんか。":                        Block,
		"認証コードを教えないと支払いません。":                        Block,
		"他の人には言わないで、認証コードを教えてください。":                 Block,
		"We do not pay before you send me the OTP.": Allow, // a known miss: the sentence is a demand
	} {
		if v := Screen(Text{Task: text}); v.Action != want {
			t.Errorf("%q is %v, want %v: %+v", text, v.Action, want, v.Findings)
		}
	}
}

// TestTables: a rule names groups that exist, every group serves one, every
// class has a rule and both reasons.
func TestTables(t *testing.T) {
	used := map[string]bool{}
	for _, c := range contexts {
		used[c] = true
	}
	classes := map[Class]bool{}
	for _, r := range rules {
		classes[r.class] = true
		for _, g := range strings.Fields(r.groups) {
			used[g] = true
			if groups[g] == "" {
				t.Errorf("a rule of %s names the group %q, which has no terms", r.class, g)
			}
		}
	}
	for g, list := range groups {
		if !used[g] {
			t.Errorf("no rule reads the group %q", g)
		}
		seen := map[string]bool{}
		for term := range strings.SplitSeq(list, "|") {
			if term == "" || seen[term] {
				t.Errorf("group %q has the term %q twice or empty", g, term)
			}
			seen[term] = true
		}
	}
	classes[Resembling] = true // no rule of words
	for _, c := range Classes() {
		if !classes[c] || c.Reason("ja") == "" || c.Reason("en") == "" || c.Reason("ja") == c.Reason("en") {
			t.Errorf("%s lacks a rule or a reason", c)
		}
	}
	if len(classes) != len(Classes()) || len(reasons) != len(classes) {
		t.Error("rules, reasons and Classes disagree")
	}
}

func TestOrder(t *testing.T) {
	text := Text{Task: strings.Repeat("send me the OTP. ", 50) + "Send a photo of your passport.", Location: "solve the captcha"}
	v := Screen(text)
	var got []string
	for _, f := range v.Findings {
		got = append(got, f.Field+" "+string(f.Class))
	}
	want := []string{"task otp_relay", "task otp_relay", "task otp_relay", "location captcha_solving", "task worker_pii"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(v, Screen(text)); diff != "" {
		t.Error("the second verdict differs: " + diff)
	}
}
