// Package archtest holds the rules of the source tree as tests: which package
// may import what of this module, of other people's and of the standard library,
// which names, clock readings and habits of tests are allowed where, and how
// large files and functions may get. A permission that nobody uses fails as well,
// and every rule is shown a file that breaks it. It is never part of the program.
package archtest
