package wizard

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// semantics checks what a readable schema cannot say.
func (v *validation) semantics(a Answers) {
	for _, page := range v.c.w.OrderedPages() {
		for i := range page.Fields {
			f := &page.Fields[i]
			if value, ok := a[f.FieldID]; ok {
				v.field(f, value)
			}
		}
		v.dateParts(nil, pageParts(page), a)
	}
	v.exclusions(a)
}

func (v *validation) field(f *Field, value any) {
	at := []string{f.FieldID}
	switch s := f.shape(); s {
	case shapeRows:
		rows, _ := value.([]any)
		for i, entry := range rows {
			v.row(append(at, strconv.Itoa(i)), f, entry)
		}
	case shapeObject:
		v.row(at, f, value)
	default:
		v.value(at, f.question(), value)
	}
}

func (v *validation) row(at []string, f *Field, entry any) {
	row, ok := entry.(map[string]any)
	if !ok {
		return
	}
	parts := map[string]string{}
	for i := range f.SubFields {
		sub := &f.SubFields[i]
		parts[sub.FieldID] = sub.DatePart()
		if value, ok := row[sub.FieldID]; ok {
			v.value(slices.Concat(at, []string{sub.FieldID}), sub.question(), value)
		}
	}
	v.dateParts(at, parts, row)
}

func (v *validation) value(at []string, q question, value any) {
	v.plainNumber(at, value)
	switch q.shape() {
	case shapeNumber, shapeInteger:
		v.spelledNumber(at, value)
	case shapeChoices:
		v.exclusiveOption(at, q, value)
	case shapeFile:
		entries, ok := value.([]any)
		if !ok {
			v.file(at, value)
		}
		for i, entry := range entries {
			v.file(slices.Concat(at, []string{strconv.Itoa(i)}), entry)
		}
	}
}

// plainNumber holds a number to the property's pattern, which JSON Schema
// applies to texts only: the form is typed in the digits of the number.
func (v *validation) plainNumber(at []string, value any) {
	n, ok := number(value)
	if _, isText := value.(string); !ok || isText {
		return
	}
	property := v.c.property(at)
	pattern, types := textOf(property["pattern"]), typesOf(property)
	if pattern == "" || len(types) < 2 || !slices.Contains(types, "string") {
		return // the type alone decides
	}
	expression, err := regexp.Compile(pattern)
	if err != nil || expression.MatchString(spelling(n)) {
		return
	}
	end := v.giveText(at)
	if _, plain := patternWords[pattern]; plain {
		end = v.like(at) // another number would do
	}
	v.invalid(at, v.patternSentence(at, pattern, end), value)
}

// spelledNumber holds a text that spells a number to the property's bounds,
// which JSON Schema applies to numbers only.
func (v *validation) spelledNumber(at []string, value any) {
	text, ok := value.(string)
	n, spelled := number(text)
	if !ok || !spelled {
		return
	}
	property := v.c.property(at)
	if low, ok := number(property["minimum"]); ok && n.Cmp(low) < 0 {
		v.invalid(at, "must be at least "+decimal(low), value)
	}
	if high, ok := number(property["maximum"]); ok && n.Cmp(high) > 0 {
		v.invalid(at, "must be at most "+decimal(high), value)
	}
}

// exclusiveOption refuses "none of these" together with another option.
func (v *validation) exclusiveOption(at []string, q question, value any) {
	chosen, _ := value.([]any)
	if len(chosen) < 2 {
		return
	}
	for _, option := range q.traits.Options {
		if option.Exclusive && slices.Contains(chosen, any(option.Value)) {
			v.invalid(at, fmt.Sprintf("%s excludes all other options; give it alone or leave it out", option.Value), value)
		}
	}
}

func (v *validation) file(at []string, value any) {
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	content, ok := object["content_base64"].(string)
	if !ok {
		return
	}
	if _, err := base64.StdEncoding.DecodeString(content); err != nil {
		v.invalid(slices.Concat(at, []string{"content_base64"}), "is not base64", nil)
	}
}

// exclusions refuses the "none of these" checkbox together with another one.
func (v *validation) exclusions(a Answers) {
	for _, group := range v.c.w.exclusions() {
		for _, id := range group.alone {
			if a[id] != true {
				continue
			}
			for _, other := range group.ids {
				if other != id && a[other] == true {
					v.invalid([]string{other}, fmt.Sprintf("excluded by %s; only one of them can be true", id), true)
				}
			}
		}
	}
}

// pageParts are the fields of a page that ask for a part of a date.
func pageParts(page *Page) map[string]string {
	parts := map[string]string{}
	for i := range page.Fields {
		f := &page.Fields[i]
		parts[f.FieldID] = datePart(f.FieldID)
	}
	return parts
}

// dateParts refuses 31 February where month, day and year are three fields.
func (v *validation) dateParts(at []string, parts map[string]string, values map[string]any) {
	for id, part := range parts {
		if part != "day" {
			continue
		}
		stem := strings.TrimSuffix(id, "day")
		day, ok := wholeNumber(values[id])
		month, okMonth := wholeNumber(values[stem+"month"])
		year, okYear := wholeNumber(values[stem+"year"])
		if !ok || !okMonth || !okYear || month < 1 || month > 12 || day < 1 || year < 1000 || year > 9999 {
			continue
		}
		last := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
		if day > last {
			sentence := fmt.Sprintf("is no day of %s %d, which has %d days", time.Month(month), year, last)
			v.invalid(slices.Concat(at, []string{id}), sentence, values[id])
		}
	}
}

func wholeNumber(value any) (int, bool) {
	n, ok := number(value)
	if !ok || !n.IsInt() || new(big.Rat).Abs(n).Cmp(big.NewRat(100000, 1)) > 0 {
		return 0, false
	}
	return int(n.Num().Int64()), true
}
