// Package language measures how hard a text is to read: Flesch-Kincaid grade level,
// SMOG and VADER sentiment, equal to what CWAC computes to three decimals.
//
// CWAC takes these figures from NLTK, the Natural Language Toolkit of Python, so
// this package divides text as NLTK does: sentences by Punkt (Kiss and Strunk,
// "Unsupervised Multilingual Sentence Boundary Detection", Computational
// Linguistics 32(4), 2006) with NLTK's English model, words by the rules of the Penn
// Treebank as NLTK has them, syllables by the first pronunciation of the CMU
// Pronouncing Dictionary, sentiment by VADER (Hutto and Gilbert, ICWSM 2014).
// Every punctuation mark is a word of one syllable, and so is a word that the
// dictionary does not know: CWAC counts like that, which makes its figures unlike
// those of other tools.
//
// data/README.md says where the embedded data come from and how they are made.
//
// It never sees a page, only its text. What it needs from a page is fetched by the
// function [ArticleFunction], which the caller runs there.
package language
