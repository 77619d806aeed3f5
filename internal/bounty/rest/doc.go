// Package rest talks to a bounty board over its REST API: the board of this program,
// and boards that have the same contract, which differ in how much of it they have.
// Start with New.
//
// It never follows a redirect, since a key would travel along; never puts a key, a mail
// address or what a person wrote into an error; and never sends a write twice unless
// the board was told how to recognise the second one.
package rest
