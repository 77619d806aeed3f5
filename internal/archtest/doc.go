// Package archtest holds the rules of the source tree as tests: which package
// may import which, where third-party libraries and dangerous calls are allowed,
// and how large files and functions may get. It is never part of the program.
package archtest
