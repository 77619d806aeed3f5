package engine

import "context"

// documents audits the PDF files that the site links to, and what the crawl found.
func (s *siteScan) documents(context.Context) {}
