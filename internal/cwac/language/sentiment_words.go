package language

import "strings"

// The words by which VADER judges the surroundings of a rated word. They are those
// of its reference implementation (MIT), as NLTK has them.

// degrees are adverbs that strengthen or weaken.
var degrees = table(map[float64]string{
	boost: `absolutely amazingly awfully completely considerably decidedly deeply effing enormously entirely
		especially exceptionally extremely fabulously flipping flippin fricking frickin frigging friggin fully
		fucking greatly hella highly hugely incredibly intensely majorly more most particularly purely quite
		really remarkably so substantially thoroughly totally tremendously uber unbelievably unusually utterly very`,
	-boost: `almost barely hardly just_enough kind_of kinda kindof kind-of less little marginally occasionally
		partly scarcely slightly somewhat sort_of sorta sortof sort-of`,
})

// negations turn a rating round.
var negations = set(`aint arent cannot cant couldnt darent didnt doesnt ain't aren't can't couldn't daren't didn't
	doesn't dont hadnt hasnt havent isnt mightnt mustnt neither don't hadn't hasn't haven't isn't mightn't
	mustn't neednt needn't never none nope nor not nothing nowhere oughtnt shant shouldnt uhuh wasnt werent
	oughtn't shan't shouldn't uh-uh wasn't weren't without wont wouldnt won't wouldn't rarely seldom despite`)

// idioms have a rating of their own.
var idioms = map[string]float64{
	"the shit": 3, "the bomb": 3, "bad ass": 1.5, "yeah right": -2,
	"cut the mustard": 2, "kiss of death": -1.5, "hand to mouth": -2,
}

func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

func table(words map[float64]string) map[string]float64 {
	t := map[string]float64{}
	for value, list := range words {
		for _, w := range strings.Fields(list) {
			t[strings.ReplaceAll(w, "_", " ")] = value
		}
	}
	return t
}
