// Package suite keeps what a server was seen to do, and says later whether it still does
// it. A suite is a YAML file of steps with expectations, recorded from a session or
// written by hand, and run in CI. A surface is what a server offers at one time, and the
// difference of two surfaces says which change breaks its clients.
//
//	Parse(yaml) (*Suite, error)            (*Suite).YAML() ([]byte, error)
//	Record(name, transcript) *Suite        a session as a suite
//	Run(ctx, suite, Options) *Result       (*Result).WriteText, WriteJUnit; JSON by its tags
//	Snapshot(ctx, conn) (*Surface, error)  Diff(old, new) []Change
//
// It never starts what a suite names unless its caller says so, never reads YAML anchors,
// and never expects what changes by itself, such as times and ids, unless somebody wrote
// that by hand.
package suite
