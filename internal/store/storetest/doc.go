// Package storetest gives tests real databases: SQLite files, and a Postgres
// cluster of the test binary's own that ends with it. Start with Databases.
//
// It never uses a server that runs already, never opens a port, and is imported
// by test files only.
package storetest
