package policy

import (
	"maps"
	"slices"
)

// groups are the terms, folded when they are read: case, width and the kind of
// kana do not matter. An English term is whole words; with * its last word may
// go on. A Japanese term may stand anywhere.
var groups = func() map[string]string {
	all := maps.Clone(contextGroups)
	for _, part := range []map[string]string{digitalGroups, peopleGroups, thingGroups, englishGroups, japaneseGroups} {
		maps.Copy(all, part)
	}
	return all
}()

// rules are all the rules.
var rules = slices.Concat(digitalRules, peopleRules, thingRules, englishRules, japaneseRules)

// give is to hand something over that can be said or sent.
const give = `send me|send us|send it|send the|send your|send that|send to|sending us|forward it|forward the|forward to|forward your|forward every|` +
	`pass it on|pass on|pass them|pass the|relay*|tell me|tell us|give me|give us|share the|share it|share your|share with|read me|read it|read them|read out|` +
	`read back|read the|hand over|hand it|type it|enter it|report the|report it|let me know|let us know|text me|dm me|message me|post the code|provide*|` +
	`教え|転送|送って|送信|送付|お送り|送る|送りま|伝え|知らせ|共有|読み上げ|渡し|納品|提供|見せて|貼って|代行|入力して|答えて|返信|スクリーンショット|quote it|paste*|dictate*|screenshot*|貼り付け|コピーして|スクショ|reply here|reply|answer with|put it in|post it here|copy it|paste it|drop it|reply with|you give us|you tell me`
