// Package official runs the server scenarios of the official conformance suite of MCP
// (npm, @modelcontextprotocol/conformance) against an address, where there is a Node
// for it, and reads what they found.
//
//	Find(ctx, Place) (*Suite, error)      Node, and the suite in a folder
//	Install(ctx, Place) error             brings the suite there with npm
//	(*Suite).Run(ctx, Run) (*Outcome, error)
//
// It never installs anything unasked, never runs a script of a package, and hands the
// suite no more of the environment than it needs. The suite itself goes to the address
// with its own client: what this program may not reach must be refused before.
package official
