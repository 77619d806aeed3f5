// Package reach decides which addresses of the network may be connected to, and
// connects to them: names are resolved once, every address is checked, and those
// that were checked are dialled, so that an answer that changes later changes
// nothing. Start with NewClient, or with NotPublic for a dialler of one's own.
//
// It never follows a redirect, never uses a proxy of the environment, and never
// connects to an address that is not on the public internet unless it is told to.
package reach
