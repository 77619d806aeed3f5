// Package engine runs a scan: it crawls the sites of a configuration, audits every
// page at every viewport and writes the results folder as it goes.
//
// It never answers a tool call, and never reads the environment.
package engine
