package cwac

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var cancelScan = tool.New(tool.Spec{
	Name: "cwac_cancel_scan", Title: "Cancel a scan",
	Description: "End a running scan. What it has found so far is kept and can be read.",
	Effect:      tool.Write, Idempotent: true, Scope: scopeScan, Rate: rateRead, Timeout: time.Minute, Budget: 12 << 10,
	Outline:  []string{"scan_id", "status", "elapsed_time", "results_dir", "pages_scanned"},
	Examples: []tool.Example{{Name: "one", Args: CancelIn{ScanID: exampleScan}}},
}, (*Server).cancelScan)

// CancelIn names a scan.
type CancelIn struct {
	ScanID string `json:"scan_id"`
}

func (s *Server) cancelScan(ctx context.Context, in CancelIn) (StatusOut, error) {
	x, err := s.find(ctx, in.ScanID)
	if err != nil {
		return StatusOut{}, err
	}
	if !x.running() {
		return describe(x), nil
	}
	if x.rec == nil {
		return StatusOut{}, fault.New(fault.Unsupported, "not_ours", "This scan was not started by a tool.", "End it in the terminal that it was started in.")
	}
	x.rec.Cancelled = s.clock().UTC()
	if err := s.reg.save(x.rec); err != nil {
		return StatusOut{}, unwritable(x.rec.Root, err)
	}
	if err := process.Stop(x.state); err != nil {
		return StatusOut{}, err
	}
	return s.ended(ctx, x, s.set.Grace+cancelSlack)
}

// cancelSlack is what the end of a scan takes beside the grace of its engine.
const cancelSlack = 10 * time.Second

// ended waits until a scan has ended.
func (s *Server) ended(ctx context.Context, x *scan, limit time.Duration) (StatusOut, error) {
	over := time.NewTimer(limit)
	defer over.Stop()
	poll := time.NewTicker(pollPeriod / 10)
	defer poll.Stop()
	for {
		now, err := s.look(x.rec)
		if err != nil {
			return StatusOut{}, err
		}
		if !now.running() {
			return describe(now), nil
		}
		if x.state.Supervisor.PID == 0 && now.state.Supervisor.PID != 0 { // it was only being started
			x = now
			if err := process.Stop(x.state); err != nil {
				return StatusOut{}, err
			}
		}
		select {
		case <-poll.C:
		case <-over.C:
			return StatusOut{}, fault.New(fault.Timeout, "not_ended", "The scan was told to end and has not ended yet.",
				"Ask cwac_scan_status in a minute; cancel it again if it still runs then.").WithData("scan_id", x.id)
		case <-ctx.Done():
			return StatusOut{}, ctx.Err()
		}
	}
}
