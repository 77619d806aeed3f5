// Package simulated is a provider of payments that moves no money and remembers
// everything that it was asked for in the database, so that a board that is tried
// out, stopped and started again, or restored, still fits together. Start with New.
//
// It never fails for a reason that a real one would have, other than a refund of
// more than was funded and a key that is used twice.
package simulated
