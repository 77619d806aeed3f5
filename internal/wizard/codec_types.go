package wizard

// Every type of the file reads and writes itself through the same two
// functions, so that unknown keys survive a rewrite on every level.

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (w *Wizard) UnmarshalJSON(data []byte) error { return decodeObject(data, w) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (w Wizard) MarshalJSON() ([]byte, error) { return encodeObject(w) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (s *StartAction) UnmarshalJSON(data []byte) error { return decodeObject(data, s) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (s StartAction) MarshalJSON() ([]byte, error) { return encodeObject(s) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (s *EntryStep) UnmarshalJSON(data []byte) error { return decodeObject(data, s) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (s EntryStep) MarshalJSON() ([]byte, error) { return encodeObject(s) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (p *Page) UnmarshalJSON(data []byte) error { return decodeObject(data, p) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (p Page) MarshalJSON() ([]byte, error) { return encodeObject(p) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (b *Button) UnmarshalJSON(data []byte) error { return decodeObject(data, b) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (b Button) MarshalJSON() ([]byte, error) { return encodeObject(b) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (v *Validation) UnmarshalJSON(data []byte) error { return decodeObject(data, v) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (v Validation) MarshalJSON() ([]byte, error) { return encodeObject(v) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (f *Field) UnmarshalJSON(data []byte) error { return decodeObject(data, f) }

// MarshalJSON writes the keys in the order of v1.1, whose readers refuse
// a number or a boolean as the example.
func (f Field) MarshalJSON() ([]byte, error) {
	f.ExampleValue = exampleForOldReaders(f.ExampleValue)
	return encodeObject(f)
}

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (f *SubField) UnmarshalJSON(data []byte) error { return decodeObject(data, f) }

// MarshalJSON writes the keys in the order of v1.1, whose readers refuse
// anything but a string as the example.
func (f SubField) MarshalJSON() ([]byte, error) {
	f.ExampleValue = exampleText(f.ExampleValue)
	return encodeObject(f)
}

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (o *Option) UnmarshalJSON(data []byte) error { return decodeObject(data, o) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (o Option) MarshalJSON() ([]byte, error) { return encodeObject(o) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (c *Condition) UnmarshalJSON(data []byte) error { return decodeObject(data, c) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (c Condition) MarshalJSON() ([]byte, error) { return encodeObject(c) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (a *Advance) UnmarshalJSON(data []byte) error { return decodeObject(data, a) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (a Advance) MarshalJSON() ([]byte, error) { return encodeObject(a) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (r *ResultRule) UnmarshalJSON(data []byte) error { return decodeObject(data, r) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (r ResultRule) MarshalJSON() ([]byte, error) { return encodeObject(r) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (c *Check) UnmarshalJSON(data []byte) error { return decodeObject(data, c) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (c Check) MarshalJSON() ([]byte, error) { return encodeObject(c) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (b *BrowserNeed) UnmarshalJSON(data []byte) error { return decodeObject(data, b) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (b BrowserNeed) MarshalJSON() ([]byte, error) { return encodeObject(b) }

// UnmarshalJSON reads the known keys and keeps the others in Extra.
func (d *DialogPolicy) UnmarshalJSON(data []byte) error { return decodeObject(data, d) }

// MarshalJSON writes the known keys in the order of v1.1, then Extra.
func (d DialogPolicy) MarshalJSON() ([]byte, error) { return encodeObject(d) }
