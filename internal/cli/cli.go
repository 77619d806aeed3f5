package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"unicode"

	"github.com/alecthomas/kong"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Streams are what a command reads and writes, and the environment that it sees.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Environ  []string
}

// grammar is the command line: one field a command, in the order of --help.
type grammar struct {
	Globals

	Demo      demoCmd      `cmd:"" help:"The main job end to end on this machine, offline: a practice form to its answer, with a report."`
	Stdio     stdioCmd     `cmd:"" help:"MCP over stdio: stdout carries JSON-RPC only."`
	HTTP      httpCmd      `cmd:"" name:"http" help:"MCP over Streamable HTTP: on loopback without a login, beyond it with tokens."`
	Run       runCmd       `cmd:"" help:"Run a wizard with data from a file, with a line per page."`
	Discover  discoverCmd  `cmd:"" help:"Explore a form without a model: its wizard, contract and a page to review, proven by running it."`
	Wizards   wizardsCmd   `cmd:"" help:"The wizard store: list, show, check, diff, accept."`
	Token     tokenCmd     `cmd:"" help:"Make a token for 'legwork http' and print it once."`
	Audit     auditCmd     `cmd:"" help:"Check that an audit log of 'legwork http' is whole."`
	Practice  practiceCmd  `cmd:"" help:"Serve the practice sites to a browser."`
	Doctor    doctorCmd    `cmd:"" help:"Say what is missing on this machine and the command that brings it."`
	Config    configCmd    `cmd:"" help:"Print the settings in force, where each comes from, secrets hidden."`
	Tools     toolsCmd     `cmd:"" help:"List the tools of all servers."`
	Tool      toolCmd      `cmd:"" help:"Call a tool without a client."`
	Scan      scanCmd      `cmd:"" help:"Scan sites for accessibility faults, with a line per page and a summary."`
	Check     checkCmd     `cmd:"" help:"Find out whether an MCP server keeps its promises: findings with evidence, source and fix."`
	CWACRun   cwacRunCmd   `cmd:"" name:"cwac-run" help:"Scan as CWAC does: a configuration of ./config, results in ./results."`
	Supervise superviseCmd `cmd:"" name:"cwac-supervise" hidden:"" help:"Watch over one accessibility scan; started by the tools."`
	Board     boardCmd     `cmd:"" help:"Serve the board of errands: REST for agents, pages for people, and its jobs."`
	Worker    workerCmd    `cmd:"" help:"Do the jobs of a board beside processes that serve it."`
	Docs      docsCmd      `cmd:"" hidden:"" help:"Write the generated reference and manifests."`
	Version   versionCmd   `cmd:"" help:"Print the version."`

	Asked kong.VersionFlag `name:"version" hidden:"" help:"Print the version."`
}

// Globals are the flags that every command takes.
type Globals struct {
	ConfigFile   string            `name:"config" placeholder:"FILE" help:"Settings file (JSON). Default: legwork/config.json in the user's configuration folder."`
	Set          map[string]string `name:"set" placeholder:"NAME=VALUE" help:"Override one setting by its name in 'legwork config'; may be repeated." mapsep:"none"`
	AllowPrivate bool              `help:"Let browsers use private and loopback addresses."`
	LogLevel     string            `placeholder:"LEVEL" help:"debug, info, warn or error."`
}

const description = `Errands that an AI agent cannot do by talking: public forms run to their official answer.

Exit codes: 0 it worked; 1 it ran and failed, or has findings; 2 wrong input or command line;
3 the named thing is not there; 4 something needed cannot be reached; 5 not allowed;
6 out of time or cancelled; 70 a defect of this program.`

// exitNow carries kong's wish to end (after --help) up to Main.
type exitNow int

// endings are the signals that end a command in order: also the one that comes when its
// terminal is closed, unless it was started with nohup, which has it ignored.
func endings() []os.Signal {
	list := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// Main runs one command line and returns the process exit code.
func Main(args []string, std Streams) (code int) {
	defer func() {
		v := recover()
		if e, ok := v.(exitNow); ok {
			code = int(e)
		} else if v != nil { // the value may hold what a person typed: the stack says enough
			fmt.Fprintf(std.Err, "legwork: a defect of this program (%T). Please report this:\n%s", v, debug.Stack())
			code = fault.ExitInternal
		}
	}()
	// The HTTP library of Go tells the standard logger what a server sent unasked: words
	// of strangers, which belong into no log.
	log.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends what does not listen to the first

	var g grammar
	parser, err := kong.New(&g,
		kong.Name("legwork"), kong.Description(description),
		kong.Writers(std.Out, std.Err), kong.Exit(func(code int) { panic(exitNow(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Vars{"version": "legwork " + Version()},
	)
	if err != nil {
		fmt.Fprintln(std.Err, "legwork:", err)
		return fault.ExitInternal
	}
	kctx, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(std.Err, "legwork: %v\nSee 'legwork --help'.\n", err)
		return fault.ExitInvalid
	}
	a := &app{std: std, globals: g.Globals}
	err = kctx.Run(a)
	return report(std.Err, err)
}

// quiet is an exit code whose explanation was already printed.
type quiet int

func (q quiet) Error() string { return fmt.Sprintf("exit code %d", int(q)) }

// printable writes what a terminal obeys as an escape: a message may have words of a
// server or a page in it.
func printable(text string) string {
	var b strings.Builder
	for _, c := range text {
		if c != '\n' && c != '\t' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c)) {
			fmt.Fprintf(&b, `\u%04x`, c)
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}

// report prints the error as what happened and what to do, and returns its code.
func report(w io.Writer, err error) int {
	var q quiet
	switch {
	case err == nil:
		return fault.ExitOK
	case errors.As(err, &q):
		return int(q)
	}
	f := fault.From(err)
	fmt.Fprintln(w, "legwork:", printable(f.Message))
	if f.Action != "" {
		fmt.Fprintln(w, f.Action)
	}
	if f.Kind == fault.Internal && f.Cause != nil {
		fmt.Fprintln(w, "cause:", f.Cause)
	}
	return fault.ExitCode(f)
}
