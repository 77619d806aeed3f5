// Package markup judges documents as they were sent: conformance of HTML
// ([CheckHTML]), the elements that search engines read ([CheckSEO]), and tags, title
// and language of PDF files ([CheckPDF]).
//
// HTML is checked by two JavaScript libraries that are embedded as one script, see
// the folder checker. They run in a page of the browser that scans anyway, so that
// neither Java nor Node is needed.
//
// It never loads anything itself.
package markup
