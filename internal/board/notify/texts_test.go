package notify

import (
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/words"
)

// Every mail is there in both languages with the same values, and nothing else is.
func TestCatalogue(t *testing.T) {
	for name := range urgencies {
		ja, inJa := catalogue()[words.Ja][name]
		en, inEn := catalogue()[words.En][name]
		if !inJa || !inEn {
			t.Errorf("%s: Japanese %v, English %v", name, inJa, inEn)
			continue
		}
		for part, pair := range map[string][2]string{"subject": {ja.Subject, en.Subject}, "body": {ja.Body, en.Body}} {
			a, b := slotsOf(pair[0]), slotsOf(pair[1])
			slices.Sort(a)
			slices.Sort(b)
			if diff := cmp.Diff(a, b); diff != "" || pair[0] == "" || pair[1] == "" {
				t.Errorf("%s of %s (-ja +en):\n%s", part, name, diff)
			}
		}
		if strings.ContainsAny(ja.Subject+en.Subject, "\r\n") {
			t.Errorf("%s: a subject with lines", name)
		}
	}
	for lang, texts := range catalogue() {
		for name := range texts {
			if _, known := urgencies[name]; !known && name != footer && name != "signature" {
				t.Errorf("%s: %s is no mail", lang, name)
			}
		}
	}
	for _, name := range Optional() {
		if urgencies[name] == atOnce {
			t.Errorf("%s cannot be switched off", name)
		}
	}
	for name, u := range urgencies {
		if u != atOnce && !slices.Contains(Optional(), name) {
			t.Errorf("%s could be switched off, and is not in the list", name)
		}
	}
}

// A title is chosen by a stranger.
func TestValuesStayValues(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"駅前の掲示\r\nBcc: all@example.org\r\n\r\nbody", "駅前の掲示 Bcc: all@example.org body"},
		{"a\u2028b\x00c\u202egnp.exe\u200b", "a bcgnp.exe"},
		{"log in at https://evil.example/ now", "log in at https:evil.example/ now"},
		{strings.Repeat("長", 200), strings.Repeat("長", 79) + "…"},
		{"{code} {url}", "{code} {url}"},
		{"\xff\xfe", ""},
	} {
		subject, _, err := render(words.En, RequesterApplication, map[string]string{"title": c.value, "url": "https://board.example.org/"})
		if want := `Somebody applied for "` + c.want + `"`; err != nil || subject != want {
			t.Errorf("%q: %q, want %q, %v", c.value, subject, want, err)
		}
	}
}

func TestHeadersCannotBeInjected(t *testing.T) {
	good := Letter{ID: "id-1", To: "hanako@example.org", Subject: "件名 ✓", Body: "本文\n.\nend\n", At: time.Unix(1_800_000_000, 0)}
	from := mail.Address{Name: "Legwork 掲示板", Address: "board@example.org"}
	text, err := good.message(from)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := mail.ReadMessage(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(parsed.Header); n != 9 || parsed.Header.Get("Message-Id") != "<id-1@example.org>" {
		t.Errorf("%d headers: %v", n, parsed.Header)
	}
	for _, line := range strings.Split(string(text), "\r\n") {
		if len(line) > 78 || strings.ContainsAny(line, "\r\n") {
			t.Errorf("the line %q", line)
		}
	}
	for _, change := range []func(*Letter){
		func(l *Letter) { l.To = "hanako@example.org\r\nBcc: all@example.org" },
		func(l *Letter) { l.To = "hanako@example.org, all@example.org" },
		func(l *Letter) { l.To = "Hanako <hanako@example.org>" },
		func(l *Letter) { l.To = "hanako@example.org>\r\nRCPT TO:<all@example.org" },
		func(l *Letter) { l.To = "\"a b\"@example.org" },
		func(l *Letter) { l.To = "" },
		func(l *Letter) { l.To = "hanako" },
		func(l *Letter) { l.Subject = "a\nBcc: all@example.org" },
		func(l *Letter) { l.Subject = "a\rb" },
		func(l *Letter) { l.Subject = "" },
		func(l *Letter) { l.ID = "a>\r\nX: y" },
	} {
		bad := good
		change(&bad)
		if text, err := bad.message(from); err == nil {
			t.Errorf("%+v becomes\n%s", bad, text)
		}
	}
}
