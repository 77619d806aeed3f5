// Package ratelimit says how often something may happen. A Limit is a rate and a
// burst; a Source counts keys against limits, in memory for one process (Memory)
// or in a database for many (SQL). Start with Parse and NewMemory.
//
// The rule is the generic cell rate algorithm (ITU-T I.371, annex A, the virtual
// scheduling form): one number per key, the theoretical arrival time, and no
// window that starts afresh. Both sources apply the same arithmetic and give the
// same answers.
//
// It never waits, never decides what happens when a source fails (callers should
// refuse), and knows nothing of who a key stands for.
package ratelimit
