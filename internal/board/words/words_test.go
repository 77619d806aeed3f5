package words_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/words"
)

func catalogue(t *testing.T, l words.Lang) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(string(l) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

var slot = regexp.MustCompile(`\{([a-z_]+)(\|[^}]*)?\}`)

// slots are the names of what a text leaves open.
func slots(text string) []string {
	var names []string
	for _, m := range slot.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Every key has a text in both languages, with the same values to fill in.
func TestBothLanguagesSayTheSame(t *testing.T) {
	ja, en := catalogue(t, words.Ja), catalogue(t, words.En)
	for key, text := range ja {
		other, ok := en[key]
		switch {
		case !ok:
			t.Errorf("%s has no English text", key)
		case strings.TrimSpace(text) == "" || strings.TrimSpace(other) == "":
			t.Errorf("%s is empty in a language", key)
		case cmp.Diff(slots(text), slots(other)) != "":
			t.Errorf("%s: (-ja +en) %s", key, cmp.Diff(slots(text), slots(other)))
		}
	}
	for key, text := range en {
		if _, ok := ja[key]; !ok {
			t.Errorf("%s has no Japanese text", key)
		}
		if rest := slot.ReplaceAllString(text, ""); strings.ContainsAny(rest, "{}") {
			t.Errorf("%s has a slot that cannot be read: %s", key, text)
		}
		japanese := strings.ContainsFunc(text, func(r rune) bool { return r >= 0x3040 && r < 0xa000 })
		if japanese && !strings.HasPrefix(key, "lang.") {
			t.Errorf("%s is Japanese in the English catalogue: %s", key, text)
		}
	}
}

func TestSay(t *testing.T) {
	for _, c := range []struct {
		key  string
		args []any
		want string
	}{
		{"status.open", nil, "Open"},
		{"time.days", []any{"n", 3}, "3 d"},
		{"time.left", []any{"span", "{n}"}, "{n} left"},
		{"time.days", nil, "{n} d"},
		{"no.such.key", nil, "no.such.key"},
	} {
		if got := words.En.Say(c.key, c.args...); got != c.want {
			t.Errorf("Say(%s, %v) = %q, want %q", c.key, c.args, got, c.want)
		}
	}
}

func TestMatch(t *testing.T) {
	for header, want := range map[string]words.Lang{
		"": words.Ja, "de": words.Ja, "en": words.En, "en-GB,en;q=0.9": words.En, "fr, en;q=0.2": words.En,
		"ja,en;q=0.9": words.Ja, "en;q=0.3, ja-JP;q=0.8": words.Ja, "en;q=x": words.Ja, "en; q=0": words.Ja, "*": words.Ja,
	} {
		if got := words.Match(header); got != want {
			t.Errorf("Match(%q) = %s, want %s", header, got, want)
		}
	}
}

// Half past midnight in Japan is still the day before in UTC.
func TestTimesAreThoseOfJapan(t *testing.T) {
	at := time.Date(2026, 11, 27, 15, 30, 0, 0, time.UTC)
	got := []string{
		words.Ja.Moment(at), words.En.Moment(at), words.Ja.Day(at), words.En.Day(at), words.Ja.Moment(time.Time{}),
		words.Ja.Until(at.Add(76*time.Hour+5*time.Minute), at), words.En.Until(at, at.Add(90*time.Minute)),
		words.Ja.Until(at.Add(20*time.Second), at), words.En.Span(24 * time.Hour),
	}
	want := []string{
		"2026年11月28日(土) 00:30", "Sat 28 Nov 2026, 00:30 JST", "2026年11月28日(土)", "Sat 28 Nov 2026", "期限なし",
		"あと3日4時間", "1 h 30 min ago", "あと1分未満", "1 d",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMoney(t *testing.T) {
	got := []string{
		words.Ja.Money(1500, "JPY"), words.En.Money(1234567, "jpy"), words.Ja.Money(1205, "USD"), words.En.Money(-100005, "USD"),
		words.En.Money(7, "USD"), words.Ja.Money(0, "JPY"), words.En.Money(12, "EUR"),
	}
	want := []string{"1,500円", "¥1,234,567", "12.05ドル", "-$1,000.05", "$0.07", "0円", "12 EUR"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
