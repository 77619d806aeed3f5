package jobs

import "context"

// Tell, Repair and Sweep are what the handlers call.
func (j *Jobs) Tell(ctx context.Context, b Board, event string) error { return j.tell(ctx, b, event) }

func (j *Jobs) Repair(ctx context.Context, b Board) error { return j.repair(ctx, b) }

func (j *Jobs) Sweep(ctx context.Context, w Work) error { return j.sweep(ctx, w) }
