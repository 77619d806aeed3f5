// Command floor fills in the practice aid estimator as fast as the page allows:
// it speaks the DevTools protocol over a pipe and waits for nothing that the page
// does not make it wait for. It is the lower bound that a general tool can be
// held against, and knows this one form by heart. It reads jobs and writes
// answers as JSON lines; it never checks what it typed.
package main
