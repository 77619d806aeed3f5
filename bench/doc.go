// Command bench runs one practice form with three programs side by side: Legwork
// through MCP, a hand-written playwright-core script, and the floor, which waits
// for nothing but the page. Every run is compared with what the practice site
// received, and a wrong one fails the whole benchmark. It measures wall time,
// processor time and memory; it is never part of the product. Linux only, since
// it reads /proc.
package main
