// Command calls sends the same tools/call and tools/list to three servers side by
// side: Legwork with tokens and limits, a bare server of the Go SDK, and one of
// the TypeScript SDK. The other two offer Legwork's own tools and answer what it
// answered, ready-made and unchecked. It compares processor time of the server
// processes and latency; it is never part of the product. Linux only, since it
// reads /proc.
package main
