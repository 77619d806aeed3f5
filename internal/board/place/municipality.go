package place

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Municipality is a city, special ward, town or village, or a ward of a designated
// city.
type Municipality struct {
	// Code is the six digits of 全国地方公共団体コード, check digit included; the first
	// two are those of the prefecture.
	Code string
	// Name is its name without the prefecture and the district (郡): 渋谷区, 横浜市西区.
	Name string
	// Kana is how the name is read, in hiragana.
	Kana string
	// En is the name in Latin letters, as signs have it: Shibuya-ku, and Nishi-ku,
	// Yokohama-shi for a ward of a designated city.
	En string
}

// municipalityList says at its head where it is from.
//
//go:embed municipalities.tsv
var municipalityList string

// municipalities are all of them by the code of their prefecture, in the order of
// their codes.
var municipalities = sync.OnceValue(func() map[string][]Municipality {
	all := map[string][]Municipality{}
	var city Municipality // whose wards follow it
	for row := range strings.Lines(municipalityList) {
		fields := strings.Split(strings.TrimSpace(row), "\t")
		if len(fields) != 3 {
			continue // the head; a test counts the rows
		}
		m := Municipality{Code: fields[0], Name: fields[1], Kana: fields[2]}
		if ward, ok := strings.CutPrefix(m.Name, city.Name); ok && city.Name != "" {
			m.En = english(ward, strings.TrimPrefix(m.Kana, city.Kana)) + ", " + city.En
		} else {
			m.En = english(m.Name, m.Kana)
			city = m
		}
		all[m.Code[:2]] = append(all[m.Code[:2]], m)
	}
	return all
})

// Municipalities are those of the prefecture in the order of their codes.
func (p Prefecture) Municipalities() []Municipality { return municipalities()[p.Code] }

// Municipality finds one of the prefecture by its name in any of the forms that
// people write: with or without the prefecture or the district in front, in kana, or
// in Latin letters (Shibuya, Shibuya-ku, Shibuya City). A name that several have, such as
// 西区 where two cities have one, finds none.
func (p Prefecture) Municipality(text string) (Municipality, bool) {
	name := City(text)
	if name == "" {
		return Municipality{}, false
	}
	all := p.Municipalities()
	latin := stemOf(romanOf(text))
	for _, same := range []func(Municipality) bool{
		func(m Municipality) bool { return m.Name == name },
		func(m Municipality) bool { return district(name, m.Name) || m.Kana == hiragana(name) },
		func(m Municipality) bool { return withoutKind(m.Name) == name },
		func(m Municipality) bool { return latin != "" && slices.Contains(latinOf(m), latin) },
		func(m Municipality) bool { return strings.HasSuffix(m.Name, "市"+name) },
	} {
		if i := slices.IndexFunc(all, same); i >= 0 {
			if slices.ContainsFunc(all[i+1:], same) {
				return Municipality{}, false
			}
			return all[i], true
		}
	}
	return Municipality{}, false
}

// Similar are municipalities of the prefecture that a name may have meant, at most
// most: those that it is a part of, in any script, or that are a part of it.
func (p Prefecture) Similar(text string, most int) []Municipality {
	name, latin := City(text), stemOf(romanOf(text))
	var found []Municipality
	for _, m := range p.Municipalities() {
		stem := withoutKind(m.Name)
		if name != "" && (strings.Contains(m.Name, name) || strings.Contains(name, stem) || strings.HasPrefix(m.Kana, hiragana(name))) ||
			latin != "" && slices.ContainsFunc(latinOf(m), func(l string) bool { return strings.HasPrefix(l, latin) }) {
			found = append(found, m)
		}
		if len(found) == most {
			break
		}
	}
	return found
}

// district reports whether a text is a name after a district: 三重郡川越町.
func district(text, name string) bool {
	before, ok := strings.CutSuffix(text, name)
	return ok && strings.HasSuffix(before, "郡")
}

// latinOf are the ways to write a name in Latin letters, as stemOf leaves them: a ward
// before its city and behind it.
func latinOf(m Municipality) []string {
	ward, city, ok := strings.Cut(m.En, ", ")
	if !ok {
		return []string{stemOf(romanOf(m.En))}
	}
	return []string{
		stemOf(romanOf(ward + " " + city)), stemOf(romanOf(city + " " + ward)),
		stemOf(romanOf(ward)) + stemOf(romanOf(city)), stemOf(romanOf(city)) + stemOf(romanOf(ward)),
	}
}

// withoutKind is a name without 市, 区, 町 or 村.
func withoutKind(name string) string {
	r := []rune(name)
	if len(r) < 2 || !strings.ContainsRune("市区町村", r[len(r)-1]) {
		return name
	}
	return string(r[:len(r)-1])
}

// hiragana reads katakana as hiragana.
func hiragana(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'ァ' && r <= 'ヶ' {
			return r - 'ァ' + 'ぁ'
		}
		return r
	}, text)
}
