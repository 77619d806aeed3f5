// Package lazyregexp holds regular expressions that are compiled when they are first
// used. The program has some two hundred of them at package level, and most
// commands use none: compiling all at every start would cost each command more than
// the rest of its start.
//
// It never takes an expression that a person, a page or a file has given: those are
// compiled with package regexp, whose error they need.
package lazyregexp
