// Package audit keeps a record of who ran what and when: a file of JSON lines
// that is only ever appended to, in which each line carries the hash of the one
// before. Whoever changes, removes or inserts a line breaks the chain; Verify
// finds where. Lines that are cut off at the end show only against a head that
// was noted elsewhere. Start with Open.
//
// One writer has the file at a time. Each entry is written before Append returns.
// Entries of calls that change something, and the last entries at a rotation and
// at Close, are also forced to the disk; after a power failure, others of the last
// seconds may be missing.
//
// It never holds a value that a caller typed, a token or an answer.
package audit
