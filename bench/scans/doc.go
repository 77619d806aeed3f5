// Command scans checks the same pages with Legwork and with other accessibility
// checkers, one after the other, and compares wall time, the processor time of the
// whole process tree (browser included) and memory. It serves the pages itself: a
// site with known faults. It is never part of the product. Linux only, since it
// reads /proc and adopts the processes that its contenders leave behind.
package main
