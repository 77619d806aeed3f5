// Command board measures the board of errands beside a minimal handler of Next.js with
// better-sqlite3 that does the same insert and the same reads and nothing else: no keys,
// no screen of contents, no events, no jobs, no limits.
package main
