// Package process keeps a scan running beside the server that started it. Each scan
// has a supervisor of its own, a second process of this program: it starts the
// engine, reads what it prints, ends it with everything that it has started, removes
// the temporary files and writes down how it ended. So a scan outlives the server,
// its state is true after a restart, and no browser is left when one of them dies.
//
// It never decides what is scanned, and never reads a result.
package process
