// Package webhook tells agents of events: endpoints that they register, signed
// deliveries that are tried for about three days, and a log of every attempt.
// Start with New.
//
// It never connects to an address that is not on the public internet, never follows
// a redirect, and never reads or shows what an endpoint answers beyond its status.
// It tells that something happened and not what: the agent fetches that with its
// key. Deliveries may come twice and in any order.
package webhook
