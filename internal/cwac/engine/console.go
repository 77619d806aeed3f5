package engine

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Console prints a scan as CWAC prints its own, so that a program that reads CWAC's
// standard output can read this one: the settings, the line "Audit name: FOLDER",
// the number of sites, one bar for each step, and a last line. It is a [Watcher].
type Console struct {
	Out io.Writer
}

var stars = strings.Repeat("*", 80)

// Begin prints the settings.
func (c Console) Begin(b Begun) {
	cfg := b.Config
	fmt.Fprintln(c.Out, stars)
	fmt.Fprintln(c.Out, "Legwork: accessibility scan in the form of CWAC")
	fmt.Fprintln(c.Out, "Run time:", b.Start.Local().Format(time.DateTime))
	fmt.Fprintln(c.Out, stars)
	fmt.Fprintln(c.Out, "Configuration")
	fmt.Fprintln(c.Out, "Audit name:", b.Name)
	fmt.Fprintln(c.Out, "Viewport sizes:")
	for _, v := range cfg.Viewports {
		fmt.Fprintf(c.Out, "    %s: %s\n", v.Name, v)
	}
	for _, p := range cfg.Plugins {
		fmt.Fprintf(c.Out, "Audit plugin: %s\n    enabled: %s\n", p.Class, pythonBool(p.Enabled))
	}
	for _, line := range [][2]string{
		{"Headless", pythonBool(cfg.Headless)}, {"Thread count", strconv.Itoa(cfg.ThreadCount)}, {"Browser", cfg.Browser},
		{"Max links per domain", strconv.Itoa(cfg.MaxLinksPerDomain)}, {"User agent", cfg.UserAgent}, {"User agent product token", cfg.ProductToken},
		{"Follow robots.txt", pythonBool(cfg.FollowRobots)}, {"Script timeout", seconds(cfg.ScriptTimeout)}, {"Page load timeout", seconds(cfg.PageLoadTimeout)},
		{"Only allow HTTPS", pythonBool(cfg.OnlyHTTPS)}, {"Perform header checks", pythonBool(cfg.HeaderCheck)},
		{"Base urls visit path", cfg.VisitPath}, {"Recording unexpected response codes", pythonBool(cfg.RecordCodes)},
	} {
		fmt.Fprintf(c.Out, "%s: %s\n", line[0], printable(line[1]))
	}
	what := "websites"
	if cfg.Visit() {
		what = "pages"
	}
	fmt.Fprintf(c.Out, "%s\nNumber of %s to be scanned: %d\n%s\n", stars, what, b.Sites, stars)
}

// Step prints the bar.
func (c Console) Step(s Step) {
	const cells = 20
	p := s.Progress
	done := min(int(p.Percent*cells/100), cells)
	fmt.Fprintf(c.Out, "|%s%s| %.1f%% p:%d/%d v:%.2fp/s t:%s  t-:%s      \n", strings.Repeat("█", done), strings.Repeat("-", cells-done),
		p.Percent, p.Done, p.Total, p.Speed, results.HoursMinutes(p.Elapsed), results.HoursMinutes(p.Remaining))
}

// End prints the last lines. A scan that was cut short, or that could scan nothing,
// says so: CWAC does not, and looks complete.
func (c Console) End(o Outcome) {
	fmt.Fprint(c.Out, "\n"+strings.Repeat("-", 80)+"\n\n")
	for _, text := range o.Unused() {
		fmt.Fprintln(c.Out, printable(text))
	}
	for _, s := range o.Sites {
		if s.Pages == 0 {
			fmt.Fprintf(c.Out, "Nothing was scanned of %s: %s\n", printable(s.Site.URL), printable(s.Reason))
		}
	}
	switch {
	case o.State == results.StateCancelled:
		fmt.Fprintf(c.Out, "CWAC stopped early: %d pages were scanned. Data can be found in the ./results folder.\n", o.Pages)
	case o.State == results.StateFailed:
		fmt.Fprintf(c.Out, "CWAC ended with an error: %d pages were scanned before. Data can be found in the ./results folder.\n", o.Pages)
	case o.Pages == 0:
		fmt.Fprintln(c.Out, "CWAC ended with no page scanned. The reasons can be found in the ./results folder.")
	default:
		fmt.Fprintln(c.Out, "CWAC complete! Data can be found in the ./results folder.")
	}
}

func pythonBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'g', -1, 64) + " seconds" }

// printable keeps what a site or a file says from moving the cursor of a terminal or
// making lines of its own.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}
