// Command calls sends the same tools/call and tools/list to three servers side by
// side: Legwork with tokens and limits, a bare server of the Go SDK, and two of the
// TypeScript SDK, one that checks arguments and answers as Legwork does, and a bare
// one. The others offer Legwork's own tools and answer what it answered, ready-made.
// It compares processor time of the server
// processes and latency; it is never part of the product. Linux only, since it
// reads /proc.
package main
