// Package bounty is the MCP server through which an agent asks people for what it
// cannot do itself: it posts a task with a reward to a board, waits for the person who
// takes it, and reads, approves or refuses what comes back. It speaks REST to the board
// and knows nothing else of it.
//
// It never posts twice what was asked once, never mixes two accounts, never shows or
// logs a key that it was not asked for, and never takes what a person wrote for
// instructions. Start from Server.
package bounty
