package place_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/place"
)

func prefecture(t *testing.T, name string) place.Prefecture {
	t.Helper()
	p, ok := place.Find(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	return p
}

// All 1,741 municipalities are there, those of four kinds, and every code has its
// check digit.
func TestMunicipalities(t *testing.T) {
	kinds, seen := map[rune]int{}, map[string]bool{}
	wards := 0
	for _, p := range place.Prefectures {
		names := map[string]bool{}
		for _, m := range p.Municipalities() {
			sum := 0
			for i, weight := range []int{6, 5, 4, 3, 2} {
				sum += int(m.Code[i]-'0') * weight
			}
			if len(m.Code) != 6 || m.Code[:2] != p.Code || (11-sum%11)%10 != int(m.Code[5]-'0') || seen[m.Code] || m.Kana == "" {
				t.Errorf("%s: %+v", p.Ja, m)
			}
			seen[m.Code] = true
			r := []rune(m.Name)
			if last := r[len(r)-1]; last == '区' && p.Ja != "東京都" {
				wards++
			} else {
				kinds[last]++
			}
			if names[m.Name] && p.Ja != "北海道" {
				t.Errorf("%s has %s twice", p.Ja, m.Name)
			}
			names[m.Name] = true
		}
	}
	if kinds['市'] != 792 || kinds['区'] != 23 || kinds['町'] != 743 || kinds['村'] != 183 || wards != 171 {
		t.Errorf("%v and %d wards of cities", kinds, wards)
	}
}

func TestMunicipality(t *testing.T) {
	for _, c := range []struct{ prefecture, text, want string }{
		{"東京都", "渋谷区", "渋谷区"}, {"東京都", "東京都　渋谷区", "渋谷区"}, {"東京都", "渋谷", "渋谷区"}, {"東京都", "しぶやく", "渋谷区"}, {"東京都", "シブヤク", "渋谷区"},
		{"東京都", "Shibuya", "渋谷区"}, {"東京都", "SHIBUYA-KU", "渋谷区"}, {"東京都", "Shibuya City", "渋谷区"}, {"東京都", "Ōta", "大田区"}, {"東京都", "Ota-ku", "大田区"},
		{"神奈川県", "Nishi-ku, Yokohama", "横浜市西区"}, {"神奈川県", "Yokohama Nishi-ku", "横浜市西区"}, {"神奈川県", "Yokohama-shi Nishi-ku", "横浜市西区"}, {"宮崎県", "Hyuga", "日向市"}, {"長崎県", "Matsuura", "松浦市"}, {"兵庫県", "Toyooka", "豊岡市"}, {"香川県", "Zentsuuji", "善通寺市"}, {"東京都", "Chofu", "調布市"}, {"東京都", "Kita", "北区"}, {"東京都", "Hachioji-shi", "八王子市"}, {"東京都", "大島町", "大島町"},
		{"神奈川県", "横浜市西区", "横浜市西区"}, {"神奈川県", "横浜市 西区", "横浜市西区"}, {"神奈川県", "Yokohama", "横浜市"}, {"神奈川県", "西区", "横浜市西区"},
		{"神奈川県", "中区", "横浜市中区"}, {"大阪府", "西区", ""}, {"大阪府", "Osaka", "大阪市"}, {"大阪府", "Oosaka", "大阪市"},
		{"三重県", "三重郡川越町", "川越町"}, {"三重県", "川越町", "川越町"}, {"埼玉県", "川越市", "川越市"}, {"静岡県", "浜松市浜名区", "浜松市浜名区"}, {"静岡県", "浜松市北区", ""},
		{"北海道", "札幌市", "札幌市"}, {"北海道", "Sapporo", "札幌市"}, {"北海道", "泊村", "泊村"}, {"東京都", "横浜市", ""}, {"東京都", "", ""}, {"東京都", "市", ""}, {"東京都", "<script>", ""},
		{"群馬県", "Gunma", ""}, {"群馬県", "Maebashi", "前橋市"}, {"兵庫県", "Tamba", "丹波市"}, {"千葉県", "Choshi", "銚子市"}, {"山口県", "Hofu", "防府市"},
	} {
		got, ok := prefecture(t, c.prefecture).Municipality(c.text)
		if got.Name != c.want || ok != (c.want != "") {
			t.Errorf("%s %q is %q %t, want %q", c.prefecture, c.text, got.Name, ok, c.want)
		}
	}
}

// Whatever the list has is found under its own name, in kana too unless another one
// is read the same.
func TestEveryMunicipalityIsFound(t *testing.T) {
	for _, p := range place.Prefectures {
		for _, m := range p.Municipalities() {
			if got, ok := p.Municipality(p.Ja + m.Name); (!ok || got != m) && p.Ja != "北海道" {
				t.Errorf("%s %s is %+v", p.Ja, m.Name, got)
			}
		}
	}
}

func TestSimilar(t *testing.T) {
	for text, want := range map[string]string{"渋谷": "渋谷区", "渋谷区神南": "渋谷区", "しぶや": "渋谷区", "shibu": "渋谷区", "横浜": ""} {
		got := prefecture(t, "東京都").Similar(text, 3)
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || got[0].Name != want) {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if got := prefecture(t, "北海道").Similar("町", 5); len(got) != 5 {
		t.Errorf("%d of at most 5", len(got))
	}
}

// TestNamesInLatinLetters: the names are those of the Gazetteer of Japan, long vowels
// short; two vowels that meet where two words meet both stay.
func TestNamesInLatinLetters(t *testing.T) {
	for name, want := range map[string]string{
		"東京都/渋谷区": "Shibuya-ku", "東京都/調布市": "Chofu-shi", "東京都/大島町": "Oshima-machi", "大阪府/大阪市": "Osaka-shi", "北海道/札幌市": "Sapporo-shi",
		"神奈川県/横浜市西区": "Nishi-ku, Yokohama-shi", "北海道/札幌市中央区": "Chuo-ku, Sapporo-shi", "三重県/四日市市": "Yokkaichi-shi", "広島県/廿日市市": "Hatsukaichi-shi",
		"長崎県/松浦市": "Matsuura-shi", "千葉県/勝浦市": "Katsuura-shi", "兵庫県/豊岡市": "Toyooka-shi", "北海道/滝上町": "Takinoue-cho", "山形県/南陽市": "Nan'yo-shi",
		"宮崎県/日向市": "Hyuga-shi", "和歌山県/新宮市": "Shingu-shi", "岩手県/遠野市": "Tono-shi", "福島県/郡山市": "Koriyama-shi", "福島県/桑折町": "Koori-machi",
		"山梨県/南アルプス市": "Minami-Alps-shi", "京都府/八幡市": "Yawata-shi", "沖縄県/読谷村": "Yomitan-son", "愛知県/一宮市": "Ichinomiya-shi", "茨城県/ひたちなか市": "Hitachinaka-shi",
	} {
		p, city, _ := strings.Cut(name, "/")
		m, ok := prefecture(t, p).Municipality(city)
		if !ok || m.En != want {
			t.Errorf("%s is %q, want %q", name, m.En, want)
		}
	}
	latin := regexp.MustCompile(`^[A-Z][a-zA-Z'-]+-(shi|ku|cho|machi|mura|son)(, [A-Z][a-z]+-shi)?$`)
	for _, p := range place.Prefectures {
		for _, m := range p.Municipalities() {
			if !latin.MatchString(m.En) {
				t.Errorf("%s is %q", m.Name, m.En)
			}
			if back, ok := p.Municipality(m.En); ok && back.Code != m.Code {
				t.Errorf("%q is found as %s, not %s", m.En, back.Name, m.Name)
			}
		}
	}
}
