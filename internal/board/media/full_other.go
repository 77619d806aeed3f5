//go:build !unix

package media

// full reports whether an error says that there is no room left for files; here nobody
// can tell.
func full(error) bool { return false }
