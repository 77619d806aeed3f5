// Package cwac is the accessibility server: tools with which an agent starts a scan
// of a site, watches it, and reads what it found. A scan is a process of its own:
// the native engine of this program, or a CWAC installation driven as it is.
//
// It never loads a page itself, and never changes what a scan has written.
package cwac
