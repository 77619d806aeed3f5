// Package policy reads the text of an errand before anybody else does. It knows
// the classes of errands that put a worker or a third person in harm's way, in
// Japanese and in English, and answers with one of four words: allow, warn, hold
// (a person of the board decides) or block.
//
// What it looks for is data: groups of terms, and rules that want terms of
// several groups close together; and texts that people judged, which English errands
// that no rule objects to are compared with. Text is folded first, so that full width, kana
// of the other kind, letters of other alphabets, invisible characters and spaced
// out words read as what they look like. The time it takes grows with the length
// of the text and with nothing else.
//
// It never changes a text, keeps none, logs nothing, asks nobody, and does not
// claim to understand: docs/board/policy.md says how often it is right.
package policy
