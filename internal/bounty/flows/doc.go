// Package flows holds the tests of whole errands: an agent that speaks MCP to the real
// program, over stdio and over HTTP, the real board behind it on SQLite and on Postgres,
// and a person who answers on the board's pages in a real browser, or over its routes.
//
// There is nothing in it but tests, and they never reach beyond this machine.
package flows
