package policy

import (
	"slices"
	"strings"
	"testing"
)

// The bounds are what one in a hundred of the harmless texts passes, when each tenth of
// the texts is judged by what the other nine teach.
func TestBoundsOfLikeness(t *testing.T) {
	for lang, bound := range held {
		var all []row
		for _, r := range rows(judged) {
			if r.lang == lang {
				all = append(all, r)
			}
		}
		var harmless []float64
		for tenth := range 10 {
			var others []row
			for i, r := range all {
				if i%10 != tenth {
					others = append(others, r)
				}
			}
			l := learn(others)
			for i, r := range all {
				if i%10 == tenth && r.want == "ok" {
					harmless = append(harmless, l.of(r.text))
				}
			}
		}
		slices.Sort(harmless)
		at := harmless[len(harmless)*99/100]
		if at > bound || at < bound-0.2 {
			t.Errorf("%s: one in a hundred is at %.2f, the bound is %.2f", lang, at, bound)
		}
	}
}

// What reads like harmful errands waits for a person of the board, and is never refused;
// messages, short texts and Japanese are not judged so.
func TestResembling(t *testing.T) {
	const scene = "Grow a few social pages for a month with your face as the picture, afterwards they belong to us."
	for name, c := range map[string]struct {
		text Text
		want Action
	}{
		"an errand":                {Text{Label: "lead_prep", Task: scene}, Hold},
		"with the label of abuse":  {Text{Label: "bot_blocker_ops", Task: scene}, Hold},
		"a message":                {Text{Task: scene}, Allow},
		"what is not allowed":      {Text{Label: "lead_prep", Task: "Photograph the opening hours on the door of the library.", NotAllowed: scene}, Allow},
		"an ordinary errand":       {Text{Label: "lead_prep", Task: "Photograph the opening hours on the door of the library."}, Allow},
		"too short":                {Text{Label: "lead_prep", Task: scene[:30]}, Allow},
		"in Japanese":              {Text{Label: "lead_prep", Task: "SNSのページを一か月育てて、そのあと当社のものにさせてください。"}, Allow},
		"letters that nobody sees": {Text{Label: "lead_prep", Task: strings.ReplaceAll(scene, "e", "e\u200b")}, Hold},
	} {
		for range 3 { // equal texts get equal verdicts
			v := Screen(c.text)
			if v.Action != c.want || v.Action == Hold && (v.Class != Resembling || v.Findings[0].Excerpt != c.text.Task) {
				t.Errorf("%s: %s, %s, %v", name, v.Action, v.Class, v.Findings)
			}
		}
	}
	if v := Screen(Text{Label: "lead_prep", Task: strings.Repeat(scene, 5000)}); len(v.Findings) > 3*len(Classes()) {
		t.Errorf("%d findings of a text that repeats itself", len(v.Findings))
	}
}
