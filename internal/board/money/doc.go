// Package money counts what tasks cost: amounts in minor units, the quote that
// both sides see before anything happens, splits that lose nothing, double-entry
// postings that sum to zero, and the Provider that moves real money.
//
// It never uses floating point, never converts between currencies, and holds no
// money itself: the ledger of internal/board/data says who is owed what.
package money
