// Package store opens the database: one SQLite file, or Postgres for several
// machines. SQL is written once in the subset that both read ($1 placeholders,
// BIGINT times, TEXT ids) and runs in transactions that behave alike on both.
// Start with Open, then Migrate.
//
// It never shows the password of a database URL, never retries a transaction
// whose outcome it does not know, and knows no domain: tables come from the
// migrations, statements from the packages that own them.
package store
