package wizard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// Marshal writes the wizard file: two-space JSON, the keys of v1.1 first and in
// its order, dates with a zone, unknown keys kept.
func (w *Wizard) Marshal() ([]byte, error) {
	compact, err := plainJSON(w)
	if err != nil {
		return nil, fmt.Errorf("encode wizard %q: %w", w.WizardID, err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil, fmt.Errorf("encode wizard %q: %w", w.WizardID, err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Hash names the content: "sha256:" and the digest of the canonical form, which
// does not depend on key order, indentation or defaults that are spelled out.
// It is empty for a wizard that cannot be written.
func (w *Wizard) Hash() string {
	c := *w
	c.Pages = slices.Clone(w.Pages)
	c.EntrySteps = slices.Clone(w.EntrySteps)
	if w.StartAction != nil {
		start := *w.StartAction
		c.StartAction = &start
	}
	c.setDefaults()
	data, err := plainJSON(&c)
	if err != nil {
		return ""
	}
	return hashJSON(data)
}

// hashJSON is the digest of JSON texts with their keys sorted.
func hashJSON(texts ...[]byte) string {
	sum := sha256.New()
	for _, text := range texts {
		value, err := decodeAny(text)
		if err != nil {
			return ""
		}
		canonical, err := plainJSON(value)
		if err != nil {
			return ""
		}
		sum.Write(canonical)
		sum.Write([]byte{'\n'})
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// setDefaults spells out what v1.1 readers assume for an absent key.
func (w *Wizard) setDefaults() {
	if w.DiscoveryVersion == "" {
		w.DiscoveryVersion = "1.0.0"
	}
	if w.StartAction != nil && w.StartAction.SelectorType == "" {
		w.StartAction.SelectorType = "text"
	}
	for i := range w.EntrySteps {
		if w.EntrySteps[i].SelectorType == "" {
			w.EntrySteps[i].SelectorType = "auto"
		}
	}
	for i := range w.Pages {
		if w.Pages[i].ContinueButton.SelectorType == "" {
			w.Pages[i].ContinueButton.SelectorType = "css"
		}
	}
}

// decodeAny decodes one JSON value without losing digits of its numbers.
func decodeAny(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return value, err
}

// exampleForOldReaders writes numbers and booleans as the strings that v1.1
// takes; strings, objects and lists pass.
func exampleForOldReaders(raw json.RawMessage) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage(`""`)
	}
	if raw[0] == '"' || raw[0] == '{' || raw[0] == '[' {
		return raw
	}
	return exampleText(raw)
}

// exampleText writes any value as a string: itself, or its JSON text.
func exampleText(raw json.RawMessage) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage(`""`)
	}
	if raw[0] == '"' {
		return raw
	}
	text, err := plainJSON(string(raw))
	if err != nil {
		return json.RawMessage(`""`)
	}
	return text
}
