package engine

// Spread is tested apart: its order cannot be seen from outside when several sites
// are scanned at once.
var Spread = spread

// NewMeter gives the estimate of progress without a scan.
var NewMeter = newMeter

// Page counts a page.
func (m *meter) Page() { m.page() }

// Site ends a site.
func (m *meter) Site(pages, most int) { m.site(pages, most) }

// Read is the meter's read.
var Read = (*meter).read
