// Package planted is a small web site whose accessibility faults are known: each
// page has the faults that [Pages] lists, so that what a scan reports can be
// compared with the truth. It also has what a crawl must get right: robots.txt, a
// sitemap, redirects, missing pages, documents, a page that refuses HEAD, and a
// link that only a script makes.
//
// It is for tests and for trying the scanner out. It keeps nothing and never makes
// a request.
package planted
