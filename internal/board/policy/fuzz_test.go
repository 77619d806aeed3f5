package policy

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzScreen: whatever the bytes, spans are inside the field and on the borders
// of characters, scores in range, the verdict that of the gravest finding.
func FuzzScreen(f *testing.F) {
	for _, s := range []string{
		"", "send me the OTP", "認証コードを教えて", "c.a.p.t.c.h.a を解いて", "\xff\xfe otp \xf0\x28", "o\u200bt\u200dp send me", "ﾊﾟｽﾜｰﾄﾞ 送って", "a.b.c.d", "が゙゙゙otp",
		strings.Repeat("\u0301", 100) + "send me the otp", "𝐬𝐞𝐧𝐝 𝐦𝐞 𝐭𝐡𝐞 𝐨𝐭𝐩", "ﷺ captcha solve", "p4$$w0rd send me", "受け子募集。禁止", "\u1100\u1161\u11a8 otp send me",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := Screen(Text{Label: "bot_blocker_ops", Task: s, NotAllowed: s})
		if len(v.Findings) == 0 && (v.Action != Allow || v.Class != "") {
			t.Errorf("%v %s without a finding", v.Action, v.Class)
		}
		for i, found := range v.Findings {
			if found.Start < 0 || found.Start >= found.End || found.End > len(s) || s[found.Start:found.End] != found.Excerpt {
				t.Fatalf("span %d to %d of %d bytes", found.Start, found.End, len(s))
			}
			if utf8.ValidString(s) && !utf8.ValidString(found.Excerpt) {
				t.Errorf("excerpt %q cuts a character", found.Excerpt)
			}
			if found.Score < warnFrom || found.Score > 100 || found.Action != actionOf(found.Score) || i > 0 && found.Score > v.Findings[i-1].Score {
				t.Errorf("finding %d: %+v", i, found)
			}
		}
	})
}

// TestEffortIsLinear counts what the matching does with 10 KB and with 100 KB of
// the worst texts that we know: ten times the text may cost ten times the steps.
func TestEffortIsLinear(t *testing.T) {
	for _, worst := range []string{
		"send me the otp ", "otp ", "never send me the otp, ", "a.b.c.d.", "認証コードを教えないで", "verification code verification ", "\u0301", "教え",
		"one time one time one time pas", "o ", "ーーー",
	} {
		steps := func(size int) int {
			plain, hidden := views(strings.Repeat(worst, size/len(worst)))
			n := terms().steps(plain)
			if hidden != nil {
				n += terms().steps(hidden)
			}
			return n
		}
		small, large := steps(10_000), steps(100_000)
		if large > 11*small+1000 {
			t.Errorf("%q: %d steps for 10 KB, %d for 100 KB", worst, small, large)
		}
		if v := Screen(Text{Task: strings.Repeat(worst, 100_000/len(worst))}); len(v.Findings) > 3*len(Classes()) {
			t.Errorf("%q: %d findings", worst, len(v.Findings))
		}
	}
}

// steps is how many edges of the trie the search looks up.
func (t trie) steps(v *view) int {
	n := 0
	for start := range v.text {
		if !utf8.RuneStart(v.text[start]) {
			continue
		}
		at := int32(0)
		for end := start; end < len(v.text); end++ {
			n++
			i, found := t[at].edge(v.text[end])
			if !found {
				break
			}
			at = t[at].next[i].to
		}
	}
	return n
}
