// Package board puts a board together: the database with its commands, the REST API,
// the pages for people, uploads, mails, webhooks and the jobs that time brings. Open
// returns all of it as one value, whose Handler answers requests and whose Run does the
// jobs until its context ends.
//
// It never listens on an address and never reads the environment: internal/cli does.
package board
