// Package data keeps the board: its tables, and every command on them as one
// transaction that changes the row under its condition, writes the event, the
// postings and the jobs that follow, and remembers the answer for a retry. Start
// with Open.
//
// It never decides who may see what (the faces do), never runs a job or talks to
// the network inside a transaction, never writes in a read, and never keeps a
// key, a code or a session in the clear.
package data
