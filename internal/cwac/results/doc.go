// Package results is what a scan found and the files that it is kept in: the
// configuration and input files of CWAC (the Centralised Web Accessibility
// Checker), the CSV files of its results folder, byte for byte as CWAC writes
// them, and beside them the native engine's own record, which says more. It reads
// folders of both engines, of every version of CWAC, through one [Results].
//
// # Files of a results folder
//
// As CWAC has them: config.json, audit_log.csv, pages_scanned.csv, progress.csv,
// unexpected_response_codes.csv, anti_bot.csv, a file for each audit,
// axe_core_audit_template_aware.csv, and screenshots. They begin with a byte order
// mark and end lines with CR LF, the template-aware file with LF. Cells hold what
// a page chose, as it chose it: a spreadsheet may take a title for a formula.
//
// Of the native engine only: html_validation.csv, crawl_audit.csv, seo_audit.csv
// and pdf_audit.csv, with the columns of axe issues and details as JSON;
// scan.json ([Scan]); findings.jsonl ([Finding]), pages.jsonl ([PageOutcome]) and
// measures.jsonl ([Measure]), a JSON value a line; crawl_ledger.csv, a row for
// every address that the crawl met; needs_review.csv, what a person must decide. The
// cells of these CSV files are inert, see [Inert]: an apostrophe stands before what a
// spreadsheet would take for a formula, and is taken off when they are read.
//
// Two of CWAC's values are defects, and the true value is written instead unless
// the configuration asks for compat: overflow_amount_px, which CWAC caps at 100,
// and num_pages, which it computes after grouping, so that it is always 1.
//
// It never opens a page, never judges one, and never starts a process.
package results
