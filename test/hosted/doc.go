// Package hosted holds the tests of legwork http as it is hosted: the real
// program, real issuers of tokens (an Auth0-like provider and Ory Hydra) and
// foreign clients, on loopback. It has no program code and knows legwork from
// outside only. make test runs it after scripts/need-node.sh and
// scripts/need-hydra.sh have brought what it runs; it is a module of its own, so
// that go test ./... of the program needs none of that.
package hosted
