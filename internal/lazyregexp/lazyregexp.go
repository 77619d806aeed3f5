package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression in the syntax of package regexp. Its methods are
// those of regexp.Regexp, and may be called from several goroutines.
type Regexp struct {
	compiled func() *regexp.Regexp
}

// New declares an expression. The first use panics when the expression is none; a test
// of the whole module compiles each expression that is declared.
func New(expression string) *Regexp {
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}
