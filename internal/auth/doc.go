// Package auth says who calls and what they may do: Principal is the type to
// start from. How a caller proves it is the business of the packages below.
//
// It never reads a token, never decides for a tool which scope it needs, and
// never grants a scope because a name looks alike.
package auth
