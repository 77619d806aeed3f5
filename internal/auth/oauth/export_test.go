package oauth

// Remembered is how many JWTs are remembered as good.
func (v *Verifier) Remembered() int {
	v.jwts.mu.Lock()
	defer v.jwts.mu.Unlock()
	return len(v.jwts.young) + len(v.jwts.old)
}
