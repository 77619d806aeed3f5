package browser

// Installed is the path of the browser that a pool with these options would
// start, or a fault that says how to get one.
func Installed(o Options) (string, error) {
	if isFirefox(o.Engine) {
		return findFirefox(o.Engine)
	}
	if isWebKit(o.Engine) {
		k, err := findWebKit(o.Engine, o.Headed)
		return k.browser, err
	}
	b, err := findBinary(o.Engine, o.Headed)
	return b.path, err
}
