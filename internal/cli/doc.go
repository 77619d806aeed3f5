// Package cli is the composition root: it reads the command line, puts the
// packages together for one command and maps what comes of it to an exit code.
// It is the only package that sees everything, and nothing imports it but main.
package cli
