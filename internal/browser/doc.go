// Package browser drives Chromium: a pool of browser processes, isolated tabs
// in them, and a network guard that decides which addresses a tab may reach.
//
// Start with [NewPool] and [Pool.Open]. A [Tab] does only what a script inside
// a page cannot do: navigate, call functions in a world of its own in every
// frame, send trusted input, set files, take screenshots, answer dialogs and
// adopt popups. What a page means is the business of other packages.
//
// The package speaks the DevTools protocol over a pipe, so no debugging port
// is ever open. It never pretends to be another browser, never puts data into
// the text of a script, never writes what people type to a log, and leaves no
// process or profile behind.
package browser
