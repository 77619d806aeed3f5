// Package practice holds local replicas of public web forms, served by an
// honest server: it validates like a real agency's server, computes a real
// answer and records exactly what was submitted, so that a claimed success can
// be compared with what the server received.
//
// The forms, their wording and their formulas are for practice. No answer is
// official, no page belongs to an agency, and no request leaves the machine.
// The package never trusts the browser: what is only hidden on the page is
// refused by the server, and recorded as a defect of whoever submitted it.
//
// Start from [New].
package practice
