// Package notify writes to people: what a mail says in Japanese and English, when
// it may be sent and to whom it goes, and the ways to send it. Mails are kept in
// the transaction that makes them necessary and sent by a job. Start with New.
//
// It never puts a value into a header that could begin another one, never disturbs
// during quiet hours with anything that can wait, never logs an address or what a
// mail says, and forgets both when a mail has ended.
package notify
