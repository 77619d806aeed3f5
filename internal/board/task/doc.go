// Package task is the domain of the board: what a task is, the states it goes
// through, who may do what in each of them, and what a valid new task looks
// like. The state table (Rules) is data, and the only place that knows the
// transitions.
//
// It never reads a clock, a database or the network, and moves no money.
package task
