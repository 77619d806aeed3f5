// Package oauthtest is a small authorization server for tests: it publishes
// metadata and keys, signs tokens, answers introspection, rotates its keys and
// goes down when it is told to. Issuer is the type to start from.
//
// It runs on loopback inside the test, grants whatever the test asks for and
// protects nothing. No program may contain it.
package oauthtest
