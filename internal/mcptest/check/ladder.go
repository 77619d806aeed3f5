package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// climb opens the connection, one rung after the other, and stops where it breaks.
func (r *run) climb(ctx context.Context) {
	var conn *wire.Conn
	var err error
	began := r.o.Wire.Now()
	connect := r.judged(ctx, "connect", func(ctx context.Context) outcome {
		conn, err = wire.Connect(ctx, r.target, r.o.Wire)
		if err != nil {
			return r.broken(ctx, err)
		}
		s := conn.Server()
		r.report.ConnectMillis = r.o.Wire.Now().Sub(began).Milliseconds()
		r.report.Connected, r.report.Transport, r.report.Era, r.report.Version = true, string(conn.Transport()), string(conn.Era()), r.safe(conn.Version(), 40)
		r.report.Server, r.report.Release = r.safe(s.Name, 200), r.safe(s.Version, 100)
		r.report.Eras = []string{r.report.Era}
		r.observed(conn.Observations())
		if conn.Era() == wire.EraModern {
			r.cacheHints("server/discover", conn.Opening())
		}
		return outcome{detail: fmt.Sprintf("%s %s over %s, %s (%s)", s.Name, s.Version, conn.Transport(), conn.Version(), conn.Era())}
	})
	for _, s := range r.rungs(conn, err) {
		s.Started = connect.Started
		r.took(s)
	}
	r.took(connect)
	r.conn = conn
	if challenged := challenge(err); challenged != nil {
		r.step(ctx, "authorization", func(ctx context.Context) outcome { return r.authorization(ctx, challenged) })
	}
}

// rungs say how far a connection came, from what the wire has seen.
func (r *run) rungs(conn *wire.Conn, err error) []Step {
	var failed *wire.Error
	errors.As(err, &failed)
	if r.target.URL == "" {
		return commandRungs(conn, err)
	}
	var out []Step
	answer := lastAnswer(conn, failed)
	names := []wire.Stage{wire.StageDNS, wire.StageTCP, wire.StageTLS, wire.StageHTTP}
	for _, stage := range names {
		if stage == wire.StageTLS && !strings.HasPrefix(r.target.URL, "https:") {
			continue
		}
		s := Step{Name: string(stage), Status: Passed}
		if failed != nil && failed.Stage == stage {
			s.Status, s.Detail = Failed, r.safe(failed.Error(), 300)
			return append(out, s)
		}
		if failed != nil && (failed.Stage == wire.StageTarget || failed.Stage == wire.StageGuard) {
			return out
		}
		if answer != nil {
			s.Detail = rungDetail(stage, answer)
		}
		if answer == nil && err != nil {
			return out // how far it came is not known
		}
		out = append(out, s)
	}
	return out
}

func rungDetail(stage wire.Stage, a *wire.HTTPAnswer) string {
	switch stage {
	case wire.StageTCP:
		return "connected to " + a.Remote
	case wire.StageTLS:
		return a.TLS
	case wire.StageHTTP:
		return fmt.Sprintf("%s answered %d over %s", a.Method, a.Status, a.Proto)
	}
	return ""
}

func lastAnswer(conn *wire.Conn, failed *wire.Error) *wire.HTTPAnswer {
	if conn != nil && conn.Opening() != nil {
		return conn.Opening().HTTP
	}
	if failed != nil {
		return failed.HTTP
	}
	return nil
}

// commandRungs are those of a child.
func commandRungs(conn *wire.Conn, err error) []Step {
	var p *wire.ProcessEvidence
	if conn != nil {
		if e, ok := conn.Process(); ok {
			p = &e
		}
	}
	var broken *wire.ConnectError
	if errors.As(err, &broken) {
		p = broken.Evidence.Process
	}
	if p == nil {
		return nil
	}
	return []Step{{Name: "command", Status: Passed, Detail: visible(fmt.Sprintf("%s, with %d variables of the environment: %s", p.Path, len(p.Environment), strings.Join(p.Environment, " ")), 300)}}
}

// challenge is the failure that asks for authorization; nil for any other.
func challenge(err error) *wire.Error {
	var failed *wire.Error
	if errors.As(err, &failed) && (failed.Status() == 401 || failed.Status() == 403) {
		return failed
	}
	return nil
}

// broken finds out why no connection came about.
func (r *run) broken(ctx context.Context, err error) outcome {
	if errors.Is(ctx.Err(), context.Canceled) {
		return skip("the check was given up") // which is no fault of the server
	}
	at := spot{"connection", "", err}
	var failed *wire.Error
	var rpc *wire.RPCError
	rule := "connect-failed"
	if errors.As(err, &failed) {
		rule = brokenRule(failed)
		at.evidence = failed.Error() + r.detail(failed)
	} else if errors.As(err, &rpc) {
		rule = "connect-refused"
	}
	r.add(rule, at)
	var refused *wire.ConnectError
	if errors.As(err, &refused) { // what else was seen may be the cause
		r.observed(refused.Evidence.Observations)
		if c := refused.Evidence.Closing; c != nil {
			for _, p := range c.Orphans {
				r.add("orphans", spot{"process", "", fmt.Sprintf("%s (pid %d)", p.Name, p.PID)})
			}
		}
	}
	return outcome{detail: err.Error(), next: rules[rule].fix}
}

// stages are the rules for a way that breaks.
var stages = map[wire.Stage]string{
	wire.StageTarget: "target-invalid", wire.StageCommand: "command-not-started", wire.StageGuard: "guard-refused",
	wire.StageDNS: "dns-failed", wire.StageTCP: "tcp-failed", wire.StageTLS: "tls-failed",
}

func brokenRule(e *wire.Error) string {
	if rule, ok := stages[e.Stage]; ok {
		return rule
	}
	switch {
	case e.Status() == 401 || e.Status() == 403:
		return "auth-required"
	case e.Kind == wire.Exited:
		return "command-ended"
	case e.Kind == wire.Timeout:
		return "connect-timeout"
	case e.HTTP != nil && e.HTTP.Status >= 300:
		return "http-status"
	case e.Kind == wire.Misused:
		return "target-invalid"
	}
	return "connect-failed"
}

// detail is what an error of the wire has beside its text.
func (r *run) detail(e *wire.Error) string {
	var b strings.Builder
	if e.HTTP != nil && e.HTTP.Status > 0 {
		fmt.Fprintf(&b, " HTTP %d %s", e.HTTP.Status, e.HTTP.Body[:min(len(e.HTTP.Body), 300)])
	}
	if e.Exit != nil {
		b.WriteString(lastWords(e.Exit.Stderr))
		r.exitShown = true
	}
	if e.Also != nil {
		fmt.Fprintf(&b, " also: %v", e.Also)
	}
	return b.String()
}
