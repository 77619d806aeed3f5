// Package queue keeps work for later in the database: a job is inserted in the
// transaction that makes it necessary, so that there is never one without the
// other, and is worked once by one of the processes that Run. The engine is River
// (https://riverqueue.com), on SQLite and on Postgres. Start with Open.
//
// It never inserts outside of a transaction, never promises that a job runs only
// once (a process that is killed while it works leaves the job to another one, so
// handlers must be harmless when they are late or doubled), and never logs what a
// job carries.
package queue
