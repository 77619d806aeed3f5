// Package wizard is the contract between finding out how a public form works
// and running it: the wizard file (reference format v1.1 and our v1.2), the
// JSON Schema of the data that it needs, and the folder that keeps them.
// It never opens a browser and never touches the network.
package wizard
