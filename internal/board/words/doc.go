// Package words is what the board says to people: one catalogue of texts in
// Japanese and English, and money, dates and waiting times as people of either
// language write them. Start with Lang.Say.
//
// It never translates what people wrote, never decides anything, and never
// reads a clock.
package words
