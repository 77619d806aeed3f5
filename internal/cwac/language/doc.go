// Package language measures how hard a text is to read: Flesch-Kincaid grade level,
// SMOG and VADER sentiment, equal to what CWAC computes to three decimals.
//
// It never sees a page, only its text.
package language
