// Package markup judges documents as they were sent: conformance of HTML, the
// elements that search engines read, and tags, title and language of PDF files.
//
// It never loads anything itself.
package markup
