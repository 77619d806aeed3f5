package cwac

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/external"
	"github.com/legwork-mcp/legwork/internal/cwac/report"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var generateReport = tool.New(tool.Spec{
	Name: "cwac_generate_report", Title: "Make reports of a scan",
	Description: "Write report files into the results folder of a scan: always report_data.json and leaderboard.csv, and the formats that are asked for. " +
		"content returns one of them in the answer.",
	Effect: tool.Write, Idempotent: true, Scope: scopeRead, Rate: rateReport, Cost: 5, Timeout: 5 * time.Minute, Budget: 40 << 10,
	Outline: []string{"scan_id", "status", "report_files", "headline", "content", "warnings"},
	Examples: []tool.Example{
		{Name: "for people", Args: ReportIn{ScanID: exampleScan, Formats: []string{"html"}}},
		{Name: "for a pull request", Args: ReportIn{ScanID: exampleScan, Content: "markdown"}},
	},
}, (*Server).generateReport)

// formatCWAC are the leaderboards of CWAC: made by the script of an installation
// that has one, else by this program.
const formatCWAC = "cwac"

// ReportIn says which reports.
type ReportIn struct {
	ScanID  string   `json:"scan_id"`
	Formats []string `json:"formats,omitempty" jsonschema:"html, markdown, json, csv, sarif, junit, earl, or cwac for its own leaderboards; default: html"`
	Compare string   `json:"compare_to,omitempty" jsonschema:"scan_id of an older scan to compare with"`
	Content string   `json:"content,omitempty" jsonschema:"a format whose text is returned, such as markdown"`
}

// ReportOut are the reports.
type ReportOut struct {
	ScanID   string   `json:"scan_id"`
	Status   string   `json:"status"`
	Files    []string `json:"report_files"`
	Headline string   `json:"headline"`
	Content  string   `json:"content,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// Text is what a model reads.
func (o ReportOut) Text() string {
	var b strings.Builder
	b.WriteString("status: " + o.Status + ". " + o.Headline)
	for _, w := range o.Warnings {
		b.WriteString("\nwarning: " + w)
	}
	for _, f := range o.Files {
		b.WriteString("\n- " + f)
	}
	if o.Content != "" {
		b.WriteString("\nThe text is in content. " + untrusted)
	}
	return b.String()
}

// contentRoom is the most bytes of a report in an answer.
const contentRoom = 16 << 10

func (s *Server) generateReport(ctx context.Context, in ReportIn) (ReportOut, error) {
	formats, err := chosen(in)
	if err != nil {
		return ReportOut{}, err
	}
	x, err := s.find(ctx, in.ScanID)
	if err != nil {
		return ReportOut{}, err
	}
	rep, r, err := x.report(false)
	if err != nil {
		return ReportOut{}, err
	}
	out := ReportOut{ScanID: x.id, Status: "generated", Headline: site(rep.Headline(), 300)}
	_, out.Warnings = partly(x, r)
	if in.Compare != "" {
		old, err := s.find(ctx, in.Compare)
		if err != nil {
			return ReportOut{}, err
		}
		before, _, err := old.report(false)
		if err != nil {
			return ReportOut{}, err
		}
		rep.Comparison = report.Compare(before, rep)
		out.Headline += " Since the older scan: " + site(rep.Comparison.Headline(), 300)
	}
	if out.Files, err = rep.Write(x.dir, slices.DeleteFunc(slices.Clone(formats), func(f string) bool { return f == formatCWAC })); err != nil {
		return ReportOut{}, err
	}
	if slices.Contains(formats, formatCWAC) {
		made, err := s.leaderboards(ctx, x, rep)
		if err != nil {
			return ReportOut{}, err
		}
		out.Files = append(out.Files, made...)
	}
	if in.Content != "" {
		var b strings.Builder
		if err := rep.Encode(&b, in.Content); err != nil {
			return ReportOut{}, err
		}
		out.Content = b.String()
		if len(out.Content) > contentRoom {
			out.Content = clip(out.Content, contentRoom)
			out.Warnings = append(out.Warnings, "content is cut: the file has all of it.")
		}
	}
	return out, nil
}

// chosen are the formats to write, those of the specification first.
func chosen(in ReportIn) ([]string, error) {
	known := append(report.Formats(), formatCWAC)
	asked := in.Formats
	if len(asked) == 0 {
		asked = []string{"html"}
	}
	out := []string{"data", "leaderboard"}
	for _, f := range asked {
		full, ok := report.FormatName(f)
		if !ok && full != formatCWAC {
			return nil, fault.New(fault.Invalid, "report_format", fmt.Sprintf("There is no report format %q.", clip(quiet(f), 40)), "Use one of: "+strings.Join(known, ", ")+".")
		}
		if !slices.Contains(out, full) {
			out = append(out, full)
		}
	}
	if _, ok := report.FormatName(in.Content); in.Content != "" && !ok {
		return nil, fault.New(fault.Invalid, "report_format", fmt.Sprintf("There is no report format %q to return.", clip(quiet(in.Content), 40)), "Use one of: "+strings.Join(report.Formats(), ", ")+".")
	}
	return out, nil
}

// leaderboards are CWAC's own: those of the script of the installation that made the
// scan, or the same made here.
func (s *Server) leaderboards(ctx context.Context, x *scan, rep *report.Report) ([]string, error) {
	if x.rec != nil && x.rec.Engine == results.EngineCWAC {
		found, err := external.Open(x.rec.Root)
		if err != nil {
			return nil, err
		}
		env := pythonEnv(s.o.Env)
		var python string
		if found.Contract != results.ContractC {
			if python, err = found.Python(ctx, s.o.Python, env); err != nil {
				return nil, fault.New(fault.Failed, "report_failed", "Report generation failed: "+clip(quiet(err.Error()), 300), "Ask for the native formats.").WithCause(err)
			}
		}
		return found.Export(ctx, python, filepath.Base(x.dir), env)
	}
	files, err := rep.CWACLeaderboards("") // true figures: see there
	if err != nil {
		return nil, fmt.Errorf("make the leaderboards of CWAC: %w", err)
	}
	dir := filepath.Join(x.dir, "reports")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unwritable(dir, err)
	}
	var out []string
	for _, f := range files {
		path, err := report.WriteFile(dir, f)
		if err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, nil
}
