// Package external knows a CWAC installation from outside: which of its three
// contracts it keeps, which interpreter runs it, how its own report script is
// called, and what its failures mean. Facts about CWAC are as observed in its
// versions of February, July and August 2026.
//
// It never changes an installation, and starts nothing but the interpreter.
package external
