package page

import "time"

// SetUnresponsive changes how long a call may go without an answer.
func SetUnresponsive(p *Page, d time.Duration) { p.unresponsive = d }
