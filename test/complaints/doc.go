// Package complaints holds tests only: what people and agents complained of at other
// boards and tools, tried on ours. docs/board/complaints.md says for each of the 38
// complaints which test holds it, here or beside the code that it is about.
//
// It is no part of the program.
package complaints
