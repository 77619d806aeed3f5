package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty"
	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/scout"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// server is one of the MCP servers of this program.
type server struct {
	name, title, instructions string
	tools                     []tool.Bound
	browser                   *browser.Pool
	prompts                   []tool.Prompt
	resources                 []tool.Resource
}

// The names of the servers on the command line and in paths.
const (
	runnerName = "runner"
	scoutName  = "scout"
	cwacName   = "cwac"
	testerName = "mcptest"
	bountyName = "bounty"
)

// servers are all of them, in the order of the documents.
func (k *kit) servers() []server {
	return []server{
		{runnerName, "FederalRunner", runner.Instructions, tool.BindAll(k.runner, runner.Tools), k.pool, nil, nil},
		{scoutName, "FederalScout", scout.Instructions, tool.BindAll(k.scout, scout.Tools), k.field, nil, nil},
		{cwacName, "CWAC", cwac.Instructions, tool.BindAll(k.cwac, cwac.Tools), k.pool, nil, nil},
		{testerName, "MCP test", mcptest.Instructions, tool.BindAll(k.tester, mcptest.Tools), nil, nil, k.tester.Resources()},
		{bountyName, "Bounty", bounty.Instructions, tool.BindAll(k.bounty, bounty.Tools), nil, bounty.Prompts, nil},
	}
}

// named are the servers of these names; of no names, all.
func (k *kit) named(names []string) ([]server, error) {
	all := k.servers()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, s := range all {
		known = append(known, s.name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fault.New(fault.Invalid, "unknown_server", fmt.Sprintf("There is no server %q.", n), "Servers: "+strings.Join(known, ", ")+".")
		}
	}
	return slices.DeleteFunc(all, func(s server) bool { return !slices.Contains(names, s.name) }), nil
}

// tools are all tools, bound to this kit.
func (k *kit) tools() []tool.Bound {
	var out []tool.Bound
	for _, s := range k.servers() {
		out = append(out, s.tools...)
	}
	return out
}

// toolPolicy is what every call passes.
func (k *kit) toolPolicy() tool.Policy { return tool.Policy{Logger: k.log, Authorize: allowed} }

// serveOptions put servers on their endpoints: "/mcp" has all of them, which is
// what stdio offers too, "/mcp/NAME" one, and "/" is the runner's own, as its
// specification has it.
func (k *kit) serveOptions(on []server) serve.Options {
	all := serve.Endpoint{Path: "/mcp", Name: "all", Title: "Legwork " + Version()}
	var own []serve.Endpoint
	var instructions []string
	for _, s := range on {
		e := serve.Endpoint{Path: "/mcp/" + s.name, Name: s.name, Title: s.title, Instructions: s.instructions, Tools: s.tools, Prompts: s.prompts, Resources: s.resources}
		own = append(own, e)
		if s.name == runnerName {
			e.Path = "/"
			own = append(own, e)
		}
		instructions = append(instructions, s.instructions)
		all.Tools, all.Prompts = append(all.Tools, s.tools...), append(all.Prompts, s.prompts...)
		all.Resources = append(all.Resources, s.resources...)
	}
	all.Instructions = strings.Join(instructions, "\n\n")
	return serve.Options{
		Version: Version(), Policy: k.toolPolicy(), Logger: k.log, Grace: k.cfg.Grace, Drain: k.drain,
		Endpoints: append([]serve.Endpoint{all}, own...),
		Ready:     ready(on), MaxSessions: k.cfg.MaxSessions, SessionIdle: k.cfg.SessionIdle,
	}
}

// ready is how the servers can tell whether they could work now: their browser starts.
// One that needs none always can.
func ready(on []server) func(context.Context) error {
	for _, s := range on {
		if s.browser != nil {
			return s.browser.Check
		}
	}
	return func(context.Context) error { return nil }
}
