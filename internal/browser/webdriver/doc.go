// Package webdriver is a client of the W3C WebDriver protocol: the classic one of
// commands over HTTP, https://www.w3.org/TR/webdriver2/.
//
// A [Client] is the address of a driver, on loopback or elsewhere; a [Session] is
// one browser behind it. Every command is bounded by its context and answered by a
// typed result or an [*Error], for which errors.Is finds the [Code].
//
// The package never starts a process, never repeats a command, never puts data into
// the text of a script and never logs. A session may be used from several
// goroutines, but the driver decides what commands at the same time mean.
package webdriver
