// Package scout finds out how a public form works and writes it down as a
// wizard: its pages, fields and options, the conditions under which they come,
// and the contract for the data. An agent explores step by step through the
// tools; [Explorer] does it without a model.
//
// Scout drafts and proves; it never executes a wizard for a person, and it
// presses no button that looks like a final submit unless it is told to.
package scout
