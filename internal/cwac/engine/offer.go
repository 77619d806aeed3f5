package engine

import (
	"slices"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Audits are the names of the audits that this engine has, in the order of
// [results.Audits].
func Audits() []string {
	return slices.DeleteFunc(results.Audits(), func(name string) bool { return !has(name) })
}

// has reports whether there is an audit of this name. Two are no audits of a page:
// they look at the crawl and at its documents.
func has(name string) bool {
	return auditors[name] != nil || name == results.AuditCrawl || name == results.AuditPDF
}
