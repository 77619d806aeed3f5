// Package results is what a scan found and the files that it is kept in: the
// configuration and input files of CWAC (the Centralised Web Accessibility
// Checker), the CSV files of its results folder, byte for byte as CWAC writes
// them, and beside them the native engine's own record, which says more. It reads
// folders of both engines, of every version of CWAC, through one [Results].
//
// It never opens a page, never judges one, and never starts a process.
package results
