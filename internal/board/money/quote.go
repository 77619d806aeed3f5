package money

import (
	"errors"
	"fmt"
)

// wholeBPS is one hundred per cent in basis points.
const wholeBPS = 10_000

// Quote says before posting who gets what of a budget.
type Quote struct {
	Takehome int64    `json:"worker_takehome_minor"` // what the worker receives
	Fee      int64    `json:"fee_minor"`             // what the board keeps
	Total    int64    `json:"total_minor"`           // what the requester pays: the budget
	Currency Currency `json:"currency"`
}

// Fee is floor(amount * bps / 10000): the board never rounds in its own favour.
func Fee(minor, bps int64) int64 { return minor * bps / wholeBPS }

// QuoteFor splits a budget into take-home and fee of bps basis points.
func QuoteFor(budget Amount, bps int64) (Quote, error) {
	if budget.Minor < 0 || budget.Minor > Max || bps < 0 || bps > wholeBPS || !budget.Currency.Valid() {
		return Quote{}, fmt.Errorf("quote %v at %d basis points: %w", budget, bps, ErrAmount)
	}
	fee := Fee(budget.Minor, bps)
	return Quote{budget.Minor - fee, fee, budget.Minor, budget.Currency}, nil
}

// Split is where an escrow goes when a task ends. Its parts sum to the escrow.
type Split struct {
	Worker int64 // to the person who worked
	Fee    int64 // to the board, on the worker's part only
	Refund int64 // back to the requester
}

// ErrShare is a share that is not within what is split.
var ErrShare = errors.New("a share must be between nothing and the whole")

// SplitAt gives gross minor units of an escrow to the worker's side, from which
// the fee of bps is taken, and the rest back to the requester.
func SplitAt(escrow, gross, bps int64) (Split, error) {
	if escrow < 0 || escrow > Max || gross < 0 || gross > escrow || bps < 0 || bps > wholeBPS {
		return Split{}, fmt.Errorf("split %d at %d: %w", escrow, gross, ErrShare)
	}
	fee := Fee(gross, bps)
	return Split{Worker: gross - fee, Fee: fee, Refund: escrow - gross}, nil
}

// Share is floor(whole * bps / 10000), such as a compensation of 30 %.
func Share(whole, bps int64) int64 { return whole * bps / wholeBPS }

// Allot divides whole in proportion to weights so that the parts sum to it: what
// is left by rounding down goes to the first parts, one unit each.
func Allot(whole int64, weights []int64) ([]int64, error) {
	var sum int64
	for _, w := range weights {
		if w < 0 || w > Max {
			return nil, fmt.Errorf("allot by %d: %w", w, ErrShare)
		}
		sum += w
	}
	if whole < 0 || whole > Max || sum <= 0 || sum > Max {
		return nil, fmt.Errorf("allot %d by %d: %w", whole, sum, ErrShare)
	}
	parts, left := make([]int64, len(weights)), whole
	for i, w := range weights {
		parts[i] = whole * w / sum
		left -= parts[i]
	}
	for i := 0; left > 0; i = (i + 1) % len(parts) {
		if weights[i] > 0 {
			parts[i]++
			left--
		}
	}
	return parts, nil
}
