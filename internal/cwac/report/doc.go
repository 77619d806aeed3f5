// Package report turns the results of a scan into what people and other programs
// read: counts, comparisons with an older scan, HTML, Markdown, SARIF, JUnit, EARL
// and CWAC's leaderboards.
//
// [Build] counts a results folder once; every format is written from what it counted.
// Four figures are told apart, since a row of a results file is none of them:
//
//   - instances are faults at every viewport, the sum of num_issues;
//   - issues are the same, with a fault that shows at several viewports counted once;
//   - pages affected are distinct addresses;
//   - groups are issues with one fingerprint, most likely one place in the source.
//
// What an engine could not decide is in no count of faults. There is no score.
//
// It never opens a page and never changes a result.
package report
