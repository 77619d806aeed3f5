package policy

import (
	"fmt"
	"strings"
	"testing"
)

const intro = `# What the content screen catches, and what it does not

Every errand and message is read by ` + "`internal/board/policy`" + ` before anybody else sees it. It looks for groups of terms that stand
close together, in Japanese and English, in a text that is folded first (NFKC, width, kana, look-alike letters, invisible characters,
spaced out words). A finding has a score: from 25 the worker sees a warning, from 50 a person of the board decides, from 80 the errand
is refused. A place where the thing is forbidden or only spoken about scores less or nothing.

` + "`bot_blocker_ops`" + ` means lawful steps that only a person can do: a visit to a counter, a telephone call, a paper form. These pass.
To get around a barrier that a site has put up does not, and five classes score higher under that label.

## Figures

This page is written by the test that measures (` + "`go test ./internal/board/policy`" + ` fails when it is out of date). A text counts as found
when it is held or blocked. *Precision* is the part of what was found that is harmful; *recall* the part of what is harmful that was
found; *class* the part of what was found that got the class that was meant.

`

const limits = `
All texts are our own. The rules were tuned on the first set, so its figures say only that nothing was lost since. The second set was
written after the last change of the rules, before anything was measured on it, and is never tuned on. It is meant to be hard: everyday
wording that names no code, account or parcel where there is another way to say it ("be ready to repeat what your authenticator
displays"). **Worded like that, nine of ten harmful texts go through.** Five sets before it were measured in the same way once, and then
joined the first: their recall was 2 % (written to avoid every word of the rules), 58 %, 43 %, 50 % and 49 % (English 29 %, Japanese 70 %).

The rules were last made broader by families of words: who asks for a code, an account, a parcel seldom calls it so. On 74 texts of
a plainer kind, measured before the rules were tuned on them, English rose from 3 of 42 to 19 of 42; the Japanese families came after
the measurement, which had found 5 of 32. What they bring beyond the texts that they were written for, the hard set says.

So much of what is harmful goes through when somebody words it to go through, and hardly anything harmless is held up. The screen is the
first of several means, not the last: workers can report an errand, a person of the board sees reports and held errands, and what an
errand may ask for stays as it was when it was accepted.

## What it cannot do

- It reads no pictures, no links and no files, and no other language than Japanese and English.
- It takes each field by itself: a request that is spread over several fields or messages goes through.
- It knows words, not meaning: a demand in a sentence with "not" ("we do not pay before you send the code") reads as a prohibition.
`

// writePage writes docs/board/policy.md.
func writePage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(intro)
	sets := map[string][]sample{}
	b.WriteString("| Texts | harmful | found | harmless | held by mistake | warned by mistake | precision | recall | class |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, f := range []struct{ name, file string }{{"tuned on", "corpus"}, {"never tuned on", "heldout"}} {
		sets[f.file] = readCorpus(t, "testdata/"+f.file+".tsv")
		for _, lang := range []string{"ja", "en"} {
			s := measure(sets[f.file], func(c sample) bool { return c.lang == lang })
			fmt.Fprintf(&b, "| %s, %s | %d | %d | %d | %d | %d | %s | %s | %s |\n", f.name, lang, s.bad, s.found, s.good, s.falseAlarms, s.warned,
				percent(s.precision()), percent(s.recall()), percent(s.classify()))
		}
		s := measure(sets[f.file], every)
		fmt.Fprintf(&b, "| **%s** | %d | %d | %d | %d | %d | **%s** | **%s** | %s |\n", f.name, s.bad, s.found, s.good, s.falseAlarms, s.warned,
			percent(s.precision()), percent(s.recall()), percent(s.classify()))
	}
	b.WriteString("\n## By class\n\n| Class | What it means | found of the texts tuned on | found of those never tuned on |\n|---|---|---|---|\n")
	for _, class := range Classes() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", class, class.Reason("en"), foundOf(sets["corpus"], class), foundOf(sets["heldout"], class))
	}
	b.WriteString(limits)
	return b.String()
}

func percent(f float64) string { return fmt.Sprintf("%.1f %%", f*100) }

func foundOf(samples []sample, class Class) string {
	s := measure(samples, func(c sample) bool { return c.want == string(class) })
	return fmt.Sprintf("%d of %d", s.found, s.bad)
}
