// Package api is the REST face of a board: the paths of the seed specification and
// the aliases of the product that it describes, code first, with an OpenAPI 3.1
// document that is generated from the same types.
//
// A request goes through one pipe before its handler: the size and the type of its
// body, who calls, how often he may, and whether the same command was already done
// under its Idempotency-Key. Handlers translate between bodies and commands of
// internal/board/data and decide nothing themselves.
//
// It never opens a database, never answers with a row as it is stored (views.go names
// every key that leaves, for each kind of reader), never takes a key from a query
// string, and never logs a body or a credential.
package api
