// Package docgen writes what can be derived from the declared tools: the
// reference page, the registry manifest and the lines that add this program to a
// client. A test elsewhere compares the committed files with what it returns.
//
// It knows no domain, opens no file and invents nothing that the tools do not say.
package docgen
