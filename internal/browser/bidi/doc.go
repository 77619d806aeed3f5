// Package bidi is a client of WebDriver BiDi, the W3C protocol by which a
// program drives a browser over a WebSocket (https://www.w3.org/TR/webdriver-bidi/).
//
// [Dial] makes a [Conn]; [Call], [Start] and [Post] send the commands that are
// listed here with the types of their parameters and results; events come to the
// handler that Dial was given, in the order in which the browser sent them.
//
// The package knows the protocol only. It starts no browser, keeps no state of
// pages, repeats no command, and talks to nobody but the address that it is given,
// through no proxy.
package bidi
