// Package web is the board's pages for people: workers on a phone first, and
// requesters and operators. Pages are made on the server, in Japanese and
// English, and work without JavaScript. Start with New.
//
// It never holds a rule of the board: what a person may do is decided where the
// data is, and these pages only show it. It never trusts a form, never sends
// anybody to another site, and no page loads anything from elsewhere.
package web
