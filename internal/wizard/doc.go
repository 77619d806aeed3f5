// Package wizard is the contract between finding out how a public form works
// and running it: the wizard file (reference format v1.1 and our v1.2), the
// JSON Schema of the data that it needs, and the folder that keeps them.
//
// Three questions are answered here and nowhere else: is this file a form that
// can be run (Parse, Lint), is this data enough to run it (Contract.Validate),
// and which pages and fields does this data lead to (Wizard.Plan). All three
// use the same conditions, so that a field is never demanded that is not asked.
//
// It never opens a browser, never touches the network, and never logs.
package wizard
