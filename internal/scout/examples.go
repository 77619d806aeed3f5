package scout

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// words name what a field asks for, when its format does not.
var wordExamples = []struct {
	re     *lazyregexp.Regexp
	values []string
}{
	{lazyregexp.New(`\b(?:tel|phone|fax|keitai|mobile) ?1\b`), []string{"03", "090"}},
	{lazyregexp.New(`\b(?:tel|phone|fax|keitai|mobile) ?2\b`), []string{"1234", "123"}},
	{lazyregexp.New(`\b(?:tel|phone|fax|keitai|mobile) ?3\b`), []string{"5678"}},
	{lazyregexp.New(`\b(?:zip|zipcode|post|postal|yubin) ?(?:code ?)?1\b`), []string{"100"}},
	{lazyregexp.New(`\b(?:zip|zipcode|post|postal|yubin) ?(?:code ?)?2\b`), []string{"0001"}},
	{lazyregexp.New(`^セイ|姓.*(?:カナ|カタカナ)`), []string{"ヤマダ"}},
	{lazyregexp.New(`^メイ|名.*(?:カナ|カタカナ)`), []string{"タロウ", "ヤマダ タロウ"}},
	{lazyregexp.New(`^せい\b|^せい |姓.*(?:ふりがな|かな)`), []string{"やまだ"}},
	{lazyregexp.New(`^めい\b|^めい `), []string{"たろう"}},
	{lazyregexp.New(`フリガナ|カタカナ`), []string{"ヤマダ タロウ", "ヤマダ", "ﾔﾏﾀﾞ ﾀﾛｳ"}},
	{lazyregexp.New(`ふりがな|ひらがな`), []string{"やまだ たろう", "やまだ"}},
	{lazyregexp.New(`郵便番号`), []string{"100-0001", "1000001", "100"}},
	{lazyregexp.New(`電話|携帯`), []string{"03-1234-5678", "0312345678", "090-1234-5678", "03"}},
	{lazyregexp.New(`メール|(?i)\bmail ?\d?\b`), []string{"person@example.com"}},
	{lazyregexp.New(`[通件人個枚回部本]数`), []string{"1", "2"}},
	{lazyregexp.New(`^姓`), []string{"山田"}},
	{lazyregexp.New(`^名(?:$| )`), []string{"太郎"}},
	{lazyregexp.New(`市区町村|市町村|区市`), []string{"千代田区"}},
	{lazyregexp.New(`番地|丁目`), []string{"千代田1-1"}},
	{lazyregexp.New(`住所|所在地`), []string{"東京都千代田区千代田1-1"}},
	{lazyregexp.New(`年齢`), []string{"35"}},
	{lazyregexp.New(`氏名|名前`), []string{"山田 太郎"}},
	{lazyregexp.New(`(?i)\bfirst name|given name|forename|fname|\bvorname|prénom|\bnombre\b|\bvoornaam|förnamn|fornavn|etunimi|\bimię`), []string{"Alex"}},
	{lazyregexp.New(`(?i)\blast name|family name|surname|lname|\bnachname|\bfamilienname|\bnom de famille|\bapellidos?|\bcognome|\bsobrenome|\bachternaam|efternamn|efternavn|etternavn|sukunimi|nazwisko`), []string{"Sample"}},
	{lazyregexp.New(`(?i)\bplz\b|postleitzahl|\bcap\b|postnummer|postnr|postinumero|kod pocztowy`), []string{"10115", "6011", "00-950"}},
	{lazyregexp.New(`(?i)code postal|c[óo]digo postal|\bcp\b`), []string{"75001", "28013"}},
	{lazyregexp.New(`(?i)\bcep\b`), []string{"01310-100"}},
	{lazyregexp.New(`(?i)hausnummer|huisnummer`), []string{"12"}},
	{lazyregexp.New(`(?i)stra(ß|ss)e\b|\brue\b|\bcalle\b|\bstraat\b|\badresse\b|\bdirecci[óo]n\b|\bindirizzo\b|\bendere[çc]o\b`), []string{"Hauptstraße 12", "12 rue Principale"}},
	{lazyregexp.New(`(?i)\b(wohn)?ort\b|\bstadt\b|\bville\b|\bciudad\b|\blocalidad\b|\bcitt[àa]\b|\bcidade\b|\bwoonplaats\b`), []string{"Berlin"}},
	{lazyregexp.New(`(?i)\biban\b`), []string{"DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "FR1420041010050500013M02606"}},
	{lazyregexp.New(`(?i)\bmiddle name|initial`), []string{"B"}},
	{lazyregexp.New(`(?i)\be-?mail`), []string{"person@example.com"}},
	{lazyregexp.New(`(?i)\bphone|telephone|mobile|telefon|t[ée]l[ée]phone|tel[ée]fono|rufnummer|handy|puhelin`), []string{"202-555-0143", "(202) 555-0143", "2025550143", "0215550143", "07700900123"}},
	{lazyregexp.New(`(?i)\bcountry\b`), []string{"United States", "France", "New Zealand"}},
	{lazyregexp.New(`(?i)\b(state|territory|province)\b`), []string{"Illinois", "IL", "Texas"}},
	{lazyregexp.New(`(?i)\b(zip|postal code|postcode|post code|plz)\b`), []string{"62701", "SW1A 1AA", "6011"}},
	{lazyregexp.New(`(?i)\b(city|town|suburb|place)\b`), []string{"Springfield"}},
	{lazyregexp.New(`(?i)\b(street|address)\b`), []string{"12 Main Street"}},
	{lazyregexp.New(`(?i)social security|\bssn\b`), []string{"123-45-6789", "123456789"}},
	{lazyregexp.New(`(?i)national insurance`), []string{"QQ123456C"}},
	{lazyregexp.New(`(?i)\b(url|website|web site)\b`), []string{"https://example.com/"}},
	{lazyregexp.New(`(?i)\bpassword\b`), []string{"Example-passw0rd"}},
	{lazyregexp.New(`(?i)\bmonth\b`), []string{"04", "4", "April"}},
	{lazyregexp.New(`(?i)\bday\b`), []string{"15"}},
	{lazyregexp.New(`(?i)\byear\b.*\b(birth|born)\b|\bbirth.*year`), []string{"1990"}},
	{lazyregexp.New(`(?i)\byear`), []string{"1990", "2024", "2"}},
	{lazyregexp.New(`(?i)\bage\b`), []string{"35"}},
	{lazyregexp.New(`(?i)\b(how many|number of|size|count|quantity|people|persons|children|dependents|household)\b`), []string{"2", "1"}},
	{lazyregexp.New(`(?i)\b(rate|percent|growth|interest)\b`), []string{"5"}},
	{lazyregexp.New(`(?i)\b(income|salary|wage|earnings|amount|balance|savings|assets|cost|price|rent|payment|support|budget)\b`), []string{"45000", "1000", "100"}},
	{lazyregexp.New(`(?i)\bname\b|\bnom\b|\bnome\b|\bnaam\b|\bnamn\b|\bnavn\b|\bnimi\b|imię i nazwisko`), []string{"Alex Sample"}},
	{lazyregexp.New(`(?i)\b(number|code|id|reference)\b`), []string{"123456", "12345678", "AB123456", "1234"}},
}

var formatExamples = map[string][]string{
	"email": {"person@example.com"}, "phone": {"202-555-0143", "2025550143"}, "ssn": {"123-45-6789"}, "zip": {"62701"},
	"url": {"https://example.com/"}, "currency": {"45000", "1000", "100", "0"}, "percent": {"5", "1", "10"},
	"integer": {"2", "1", "10", "100"}, "decimal": {"2.5", "1", "10"}, "month": {"2026-04"}, "time": {"10:30"},
}

// candidates are values that a control may take, the likeliest first: strings,
// a bool, a list of options or a file.
func candidates(c page.Control, now time.Time) []any {
	switch {
	case c.Kind == page.KindFile:
		return []any{page.File{Name: fileName(c.Accept), Type: fileType(c.Accept), Data: []byte(sample(c.Accept))}}
	case c.Kind == page.KindCheckbox:
		return []any{true}
	case c.Type == "color": // the one spelling that such a control keeps
		return []any{"#336699", "#993333"}
	case c.Type == typeInterval:
		return intervals(now)
	case c.Kind == page.KindDate && c.Format == "time":
		return []any{"10:30", "14:00"}
	case c.Type == "week" || c.Type == typeMoment:
		return stamps(c, now)
	case len(choosable(c.Options)) > 0 && c.Kind != page.KindText:
		var out []any
		for _, o := range choosable(c.Options) {
			if c.Multiple {
				out = append(out, []string{optionValue(o)})
			} else {
				out = append(out, optionValue(o))
			}
		}
		return out
	case c.Kind == page.KindDate && dateFormat(c) == "date" || c.Format == "date":
		return dates(c, now)
	case c.Kind == page.KindRange, c.Kind == page.KindNumber, c.Kind == page.KindText && bounded(c):
		return numbers(c)
	}
	return texts(c)
}

// texts are the values for what is typed.
func texts(c page.Control) []any {
	var formats, list []string
	if c.Kind != page.KindTypeahead {
		formats = formatExamples[c.Format]
	}
	names := c.Label + " " + strings.NewReplacer("_", " ", "-", " ").Replace(c.Name) + " " + c.Autocomplete
	for _, w := range wordExamples {
		if w.re.MatchString(names) {
			list = append(list, w.values...)
			break
		}
	}
	list = append(shownBy(c), list...)           // the page's own word, if it gives one
	if strings.ContainsFunc(c.Label, unspaced) { // numbers are written as in the country of the script
		list = append(list, formats...)
	} else {
		list = slices.Concat(formats, list)
	}
	if c.Placeholder != "" && !strings.ContainsAny(c.Placeholder, "…<>") && wordCount(c.Placeholder) <= 3 && digits.MatchString(c.Placeholder) {
		list = append(list, c.Placeholder)
	}
	if c.InputMode == "numeric" || c.InputMode == "decimal" {
		list = append(list, "1", "12", "1234", "123456")
	}
	list = append(list, "Example", "Example text", "AB123", "12345", "1")
	var out []any
	for _, s := range list {
		if fitsText(c, s) {
			out = append(out, s)
		}
	}
	if c.Pattern != "" && len(out) == 0 {
		if s := wizard.Matching(c.Pattern); fitsText(c, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 && c.MinLength > 0 {
		out = append(out, strings.Repeat("a", c.MinLength))
	}
	return out
}

var digits = lazyregexp.New(`\d`)

func fitsText(c page.Control, s string) bool {
	n := len([]rune(s))
	if c.MaxLength > 0 && n > c.MaxLength || n < c.MinLength {
		return false
	}
	if c.Pattern == "" {
		return true
	}
	re, err := regexp.Compile(`^(?:` + c.Pattern + `)$`)
	return err != nil || re.MatchString(s)
}

// numbers lie within the control's limits.
func numbers(c page.Control) []any {
	lo, hasLo := number(c.Min)
	hi, hasHi := number(c.Max)
	var list []float64
	for _, v := range texts(page.Control{Kind: page.KindText, Label: c.Label, Hint: c.Hint, Name: c.Name, Format: c.Format}) {
		if n, ok := number(v.(string)); ok {
			list = append(list, n)
		}
	}
	list = append(list, 2, 1, 5, 10, 3, 15, 100, 1000)
	if hasLo {
		list = append(list, lo)
	}
	if hasHi {
		list = append(list, hi)
	}
	if hasLo && hasHi && hi-lo > 2 {
		for _, part := range []float64{1. / 2, 1. / 4, 3. / 4, 1. / 8, 3. / 8, 5. / 8, 7. / 8} {
			list = append(list, math.Floor(lo+part*(hi-lo)))
		}
	}
	var out []any
	seen := map[float64]bool{}
	for _, n := range list {
		if (hasLo && n < lo) || (hasHi && n > hi) || seen[n] {
			continue
		}
		seen[n] = true
		out = append(out, strconv.FormatFloat(n, 'f', -1, 64))
	}
	return out
}

// bounded tells whether a number is asked for between limits.
func bounded(c page.Control) bool {
	_, lo := number(c.Min)
	_, hi := number(c.Max)
	return lo && hi
}

func number(s string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return n, err == nil
}

var (
	born   = lazyregexp.New(`(?i)birth|born|dob\b|bday|geburt|naissance|nacimiento|nascita|nascimento|geboorte|生年月日|誕生`)
	future = lazyregexp.New(`(?i)appointment|visit|start|arriv|depart|travel|due|expir|future|deliver|move|book|schedule|from|check.?in|termin|anreise|arriv[ée]e|rendez-vous|cita\b|希望日|予定日|予約`)
)

// later are the words of the other end of a time, which comes after its beginning.
var later = lazyregexp.New(`(?i)^(to|until|till|end|through|bis|au|hasta|al|tot|t\.o\.m\.)$|\b(until|end (date|of|day)|last day|return|check.?out|departure|enddatum|ende|date de fin|fecha de fin|einddatum|slutdatum|rückgabe|retour)\b|終了|まで$`)

// dates are ISO dates that suit the control's limits and words.
func dates(c page.Control, now time.Time) []any {
	day := func(t time.Time) string { return t.Format(time.DateOnly) }
	soon, recent, birth := day(now.AddDate(0, 1, 0)), day(now.AddDate(-1, -1, 0)), "1990-04-15"
	list := []string{recent, birth, soon}
	next := []string{day(now.AddDate(0, 1, 1)), day(now.AddDate(0, 1, 2)), day(now.AddDate(0, 1, 3))} // some days of a week may not be offered
	words := c.Label + " " + c.Group + " " + c.Name + " " + c.Autocomplete
	switch {
	case born.MatchString(words):
		list = []string{birth, recent, "1960-04-15"}
	case later.MatchString(strings.TrimSpace(c.Label)):
		list = []string{day(now.AddDate(0, 1, 7)), day(now.AddDate(0, 1, 9)), day(now.AddDate(0, 0, 10)), recent}
	case future.MatchString(words):
		list = []string{soon, day(now.AddDate(0, 0, 3)), recent}
	}
	list = append(list, next...)
	for _, limit := range []string{c.Min, c.Max} {
		if _, err := time.Parse(time.DateOnly, limit); err == nil {
			list = append(list, limit)
		}
	}
	var out []any
	for _, d := range list {
		if (c.Min == "" || d >= c.Min) && (c.Max == "" || d <= c.Max) {
			out = append(out, d)
		}
	}
	return out
}

// stamps are weeks, or days with a time, as their native controls write them
// (HTML, section 2.3.5, dates and times).
func stamps(c page.Control, now time.Time) []any {
	soon := now.AddDate(0, 1, 0)
	list := []string{soon.Format("2006-01-02") + "T10:30", now.AddDate(-1, 0, 0).Format("2006-01-02") + "T10:30"}
	if c.Type == "week" {
		year, week := soon.ISOWeek()
		list = []string{fmt.Sprintf("%04d-W%02d", year, week), fmt.Sprintf("%04d-W15", year-1)}
	}
	var out []any
	for _, s := range append(list, c.Min, c.Max) {
		if s != "" && (c.Min == "" || s >= c.Min) && (c.Max == "" || s <= c.Max) {
			out = append(out, s)
		}
	}
	return out
}

// choosable are the options that answer something: none that is disabled, none
// without a name. Of several with one value but labels of their own, all but the
// first go by their labels.
func choosable(options []page.ControlOption) []page.ControlOption {
	var out []page.ControlOption
	labels := map[string]string{}
	for _, o := range options {
		if o.Disabled || o.Label == "" && o.Value == "" {
			continue
		}
		if label, again := labels[o.Value]; again && label != o.Label && o.Label != "" {
			o.Value = ""
		} else {
			labels[o.Value] = o.Label
		}
		out = append(out, o)
	}
	return out
}

// opaqueValue are option values that mean nothing to a person.
var opaqueValue = lazyregexp.New(`^(on|off|true|false|option|radio|select|item|value|choice)?[-_ ]*\d*$|^[0-9a-fA-F-]{16,}$|^\d+: |^\[object|[{}\[\]<>]`)

// optionValue is what the contract calls an option: the form's own value where it
// has a meaning, the label otherwise.
func optionValue(o page.ControlOption) string {
	if o.Value == "" || len(o.Value) > 60 || opaqueValue.MatchString(o.Value) && o.Label != "" {
		return o.Label
	}
	return o.Value
}

func fileName(accept string) string {
	for _, a := range strings.Split(accept, ",") {
		if a = strings.TrimSpace(a); strings.HasPrefix(a, ".") {
			return "example" + a
		}
	}
	if strings.Contains(accept, "image/") {
		return "example.png"
	}
	return "example.pdf"
}

func fileType(accept string) string {
	switch name := fileName(accept); {
	case strings.HasSuffix(name, ".png"):
		return "image/png"
	case strings.HasSuffix(name, ".pdf"):
		return "application/pdf"
	default:
		return ""
	}
}

// sample is the smallest content that looks like its type.
func sample(accept string) string {
	if strings.HasSuffix(fileName(accept), ".png") {
		return "\x89PNG\r\n\x1a\n"
	}
	return fmt.Sprintf("%%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%%%EOF\n")
}
