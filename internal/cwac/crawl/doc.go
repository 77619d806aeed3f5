// Package crawl decides which addresses of a site are pages to scan, and in which
// order: breadth first, the same for the same site, with a reason for every
// address that is not scanned. It knows robots.txt (RFC 9309), sitemaps, scope and
// the folding of addresses that mean the same page.
//
// A [Frontier] belongs to one base URL. Whoever loads the pages asks it for the
// [Frontier.Next] target, says with [Frontier.Arrived] where the load ended, audits
// the page if told to, and hands the links that it found to [Frontier.Done]. Several
// workers may do so at once: order and ledger stay the same, since addresses are
// decided about in batches of two, whatever the number of workers.
//
// It never renders a page and makes requests only through the client that it is
// given.
package crawl
