package place_test

import (
	"fmt"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/place"
)

func TestPrefecturesAreInTheOrderOfTheirCodes(t *testing.T) {
	if len(place.Prefectures) != 47 {
		t.Fatalf("%d prefectures", len(place.Prefectures))
	}
	seen := map[string]bool{}
	for i, p := range place.Prefectures {
		if p.Code != fmt.Sprintf("%02d", i+1) || p.Ja == "" || p.En == "" || seen[p.Ja] || seen[p.En] {
			t.Errorf("prefecture %d is %+v", i+1, p)
		}
		seen[p.Ja], seen[p.En] = true, true
	}
}

func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"13": "13", "東京都": "13", "東京": "13", "ＴＯＫＹＯ": "13", "tokyo": "13", "1": "01", "１": "01", "北海道": "01", "北海": "",
		"京都": "26", "京": "", "大阪府": "27", "Osaka ": "27", "48": "", "": "", "0": "", "Shibuya": "",
	} {
		if got, _ := place.Find(text); got.Code != want {
			t.Errorf("Find(%q) = %q, want %q", text, got.Code, want)
		}
	}
}

func TestPostcode(t *testing.T) {
	for text, want := range map[string]string{
		"1500002": "150-0002", "１５０－０００２": "150-0002", "〒150-0002": "150-0002", " 150 0002 ": "150-0002", "１５０ー０００２": "150-0002",
		"150−0002": "150-0002", "150000": "", "15000022": "", "150-000a": "", "": "", "<1500002>": "",
	} {
		if got, ok := place.Postcode(text); got != want || ok != (want != "") {
			t.Errorf("Postcode(%q) = %q %t, want %q", text, got, ok, want)
		}
	}
}

func TestCity(t *testing.T) {
	for text, want := range map[string]string{
		"渋谷区": "渋谷区", "東京都渋谷区": "渋谷区", "東京都 渋谷区": "渋谷区", " 横浜市　西区 ": "横浜市西区", "ﾐﾅﾄ区": "ミナト区",
		"Shibuya  City": "Shibuya City", "京都市": "京都市", "京都府": "京都府", "": "",
	} {
		if got := place.City(text); got != want {
			t.Errorf("City(%q) = %q, want %q", text, got, want)
		}
	}
}

// One postcode of every capital of a prefecture, as their offices print them.
func TestPrefectureOfAPostcode(t *testing.T) {
	offices := []string{
		"060-8588", "030-8570", "020-8570", "980-8570", "010-8570", "990-8570", "960-8670", "310-8555", "320-8501", "371-8570",
		"330-9301", "260-8667", "163-8001", "231-8588", "950-8570", "930-8501", "920-8580", "910-8580", "400-8501", "380-8570",
		"500-8570", "420-8601", "460-8501", "514-8570", "520-8577", "602-8570", "540-8570", "650-8567", "630-8501", "640-8585",
		"680-8570", "690-8501", "700-8570", "730-8511", "753-8501", "770-8570", "760-8570", "790-8570", "780-8570", "812-8577",
		"840-8570", "850-8570", "862-8570", "870-8501", "880-8501", "890-8577", "900-8570",
	}
	for i, code := range offices {
		want := place.Prefectures[i]
		if got, ok := place.OfPostcode(code); !ok || got != want {
			t.Errorf("OfPostcode(%s) = %v, want %v", code, got, want)
		}
	}
	if got, ok := place.OfPostcode("12"); ok {
		t.Errorf("half a postcode is in %v", got)
	}
}
