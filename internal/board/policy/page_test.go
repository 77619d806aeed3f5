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

An English errand in which no rule finds anything is also compared with texts that were judged before: naive Bayes over its runs of two to
five letters, learned from the first set of texts below. When it reads more like the harmful ones than one harmless text in a hundred does,
a person of the board decides (` + "`resembles_harmful`" + `). It refuses nothing by itself, and messages are not read so.

` + "`bot_blocker_ops`" + ` means lawful steps that only a person can do: a visit to a counter, a telephone call, a paper form. These pass.
To get around a barrier that a site has put up does not, and five classes score higher under that label.

## Figures

This page is written by the test that measures (` + "`go test ./internal/board/policy`" + ` fails when it is out of date). A text counts as found
when it is held or blocked. *Precision* is the part of what was found that is harmful; *recall* the part of what is harmful that was
found; *class* the part of what a rule found that got the class that was meant.

`

const limits = `
All texts are our own. The first set is what the rules and the comparison learned from, so its figures say only that nothing was lost
since. The second set was written after the last change of the rules, and no rule and no weight was made for it. It is meant to be hard:
everyday wording of new scenes, each in both languages ("Ten minutes of your time: stay near the telephone, a computer calls, note what it
spells"). **Worded like that, three of four harmful texts go through: half of the English ones, and all the Japanese.**

What was measured on texts before anything was made for them, which then joined the first set:

| texts, worded by who had not read the rules | found |
|---|---|
| harmful, in plain words | 43 of 43 |
| harmful, spaced out, in other widths, letters and kana | 10 of 10 |
| harmful, everyday words that avoid the names of things | 10 of 26 |
| harmless, many of them close to something harmful | 0 of 60 held |
| harmful, everyday words (a set before) | 9 of 100 |
| harmless (of that set) | 2 of 100 held |

So hiding letters does not help, and plain words are found; whoever describes the thing instead of naming it gets past rules of words. Two
ways around that were tried on the second set. Thirty-five further rules, of what happens in such errands, found 94 of the 100 texts that
they were made for and none of the 52: they are not here. The comparison found 14 of 26 in English and no harmless one. In Japanese it
found 4 of 26 and held two ordinary errands of eight from other tests of the board, so it judges English alone. Of all harmless texts that
were measured before they were used, 3 of 220 were held.

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
	for _, f := range []struct{ name, file string }{{"tuned on", "corpus.tsv"}, {"never tuned on", "testdata/heldout.tsv"}} {
		sets[f.file] = readCorpus(t, f.file)
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
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", class, class.Reason("en"), foundOf(sets["corpus.tsv"], class), foundOf(sets["testdata/heldout.tsv"], class))
	}
	b.WriteString(limits)
	return b.String()
}

func percent(f float64) string { return fmt.Sprintf("%.1f %%", f*100) }

func foundOf(samples []sample, class Class) string {
	s := measure(samples, func(c sample) bool { return c.want == string(class) })
	return fmt.Sprintf("%d of %d", s.found, s.bad)
}
