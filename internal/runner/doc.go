// Package runner executes a wizard: it takes a form contract and a person's
// data, fills in the public form page by page, proves that every value was kept
// and every page was left, and brings back the official answer.
//
// It never guesses a value, never repeats a submit on its own, never evades a
// check that is meant for people, and never writes a value that a person gave
// to a log. Start from Server.
package runner
