package lazyregexp

// MatchString reports whether s has a match.
func (p *Regexp) MatchString(s string) bool { return p.compiled().MatchString(s) }

// FindString is the first match in s.
func (p *Regexp) FindString(s string) string { return p.compiled().FindString(s) }

// FindStringIndex is where the first match in s stands.
func (p *Regexp) FindStringIndex(s string) []int { return p.compiled().FindStringIndex(s) }

// FindStringSubmatch is the first match in s and its groups.
func (p *Regexp) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

// FindSubmatch is the first match in b and its groups.
func (p *Regexp) FindSubmatch(b []byte) [][]byte { return p.compiled().FindSubmatch(b) }

// FindAllString are the matches in s, at most n unless n is negative.
func (p *Regexp) FindAllString(s string, n int) []string { return p.compiled().FindAllString(s, n) }

// FindAllStringIndex is where the matches in s stand, at most n unless n is negative.
func (p *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch are the matches in s and their groups, at most n unless n is negative.
func (p *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is where the matches in s and their groups stand, at most n unless n is negative.
func (p *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// FindAllSubmatch are the matches in b and their groups, at most n unless n is negative.
func (p *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return p.compiled().FindAllSubmatch(b, n)
}

// ReplaceAllString is s with with, in which $1 is a group, in place of each match.
func (p *Regexp) ReplaceAllString(s, with string) string {
	return p.compiled().ReplaceAllString(s, with)
}

// ReplaceAllStringFunc is s with what with makes of each match.
func (p *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, with)
}

// Split are the parts of s between matches, at most n unless n is negative.
func (p *Regexp) Split(s string, n int) []string { return p.compiled().Split(s, n) }

// String is the expression.
func (p *Regexp) String() string { return p.compiled().String() }
