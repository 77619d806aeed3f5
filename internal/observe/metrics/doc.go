// Package metrics counts what the server does, for Prometheus. Start with New;
// Handler is /metrics.
//
// It has a registry of its own and starts nothing. Every label value comes from
// a set that was fixed at the start, so that no client can make it grow, and none
// of them says who called or what was typed.
package metrics
