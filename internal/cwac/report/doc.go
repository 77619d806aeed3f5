// Package report turns the results of a scan into what people and other programs
// read: counts, comparisons with an older scan, HTML, Markdown, SARIF, JUnit, EARL
// and CWAC's leaderboards.
//
// It never opens a page and never changes a result.
package report
