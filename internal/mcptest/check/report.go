package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// Severity is how bad a finding is.
type Severity string

// The severities, the worst first.
const (
	Error   Severity = "error"   // clients fail, or the protocol says MUST
	Warning Severity = "warning" // some clients or models fail, or the protocol says SHOULD
	Info    Severity = "info"    // worth knowing
)

// Finding is something that is wrong with a server.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Title    string   `json:"title"`
	// Subject is what it is about, such as "tool add".
	Subject string `json:"subject,omitempty"`
	// Pointer is where, as a JSON pointer (RFC 6901) into the result of the request
	// that Subject names, with the items of all pages in one list.
	Pointer string `json:"pointer,omitempty"`
	// Evidence is what was seen: bounded, without secrets, control characters escaped.
	Evidence string `json:"evidence,omitempty"`
	Clause   Clause `json:"clause"`
	Fix      string `json:"fix"`
	// Times counts findings of the same rule and subject that were left out.
	Times int `json:"times,omitempty"`
}

// Clause is the source of a rule.
type Clause struct {
	Document string `json:"document"`
	Section  string `json:"section,omitempty"`
	Revision string `json:"revision,omitempty"`
}

// String gives a clause for people.
func (c Clause) String() string {
	return strings.Trim(strings.TrimSpace(c.Document+" "+c.Revision)+", "+c.Section, ", ")
}

// Status is how a step went.
type Status string

// The statuses of a step.
const (
	Passed  Status = "passed"
	Failed  Status = "failed" // it has findings of severity error
	Warned  Status = "warned"
	Skipped Status = "skipped"
)

// Step is one part of a check.
type Step struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Detail says what was seen, in a line.
	Detail string `json:"detail,omitempty"`
	// Next says what can be done about a step that failed or was left out.
	Next    string    `json:"next,omitempty"`
	Started time.Time `json:"started_at"`
	Millis  int64     `json:"duration_ms"`
}

// Latency is how long a cheap call takes, in milliseconds.
type Latency struct {
	Method string  `json:"method"`
	Calls  int     `json:"calls"`
	P50    float64 `json:"p50_ms"`
	P95    float64 `json:"p95_ms"`
	Max    float64 `json:"max_ms"`
}

// Report is what a check found.
type Report struct {
	Target  string    `json:"target"`
	Started time.Time `json:"started_at"`
	Millis  int64     `json:"duration_ms"`
	// Interrupted says why the check did not reach its end; empty when it did.
	Interrupted string   `json:"interrupted,omitempty"`
	Connected   bool     `json:"connected"`
	Transport   string   `json:"transport,omitempty"`
	Era         string   `json:"era,omitempty"`
	Version     string   `json:"protocol_version,omitempty"`
	Eras        []string `json:"eras,omitempty"` // in which it can be spoken to, as far as that was tried
	Server      string   `json:"server_name,omitempty"`
	Release     string   `json:"server_version,omitempty"`

	Tools     int `json:"tools"`
	Resources int `json:"resources"`
	Templates int `json:"resource_templates"`
	Prompts   int `json:"prompts"`
	// Called are the tools that were called, NotCalled those that were not, because
	// nothing marks them as read-only and nobody allowed them.
	Called    []string `json:"tools_called,omitempty"`
	NotCalled []string `json:"tools_not_called,omitempty"`
	// ToolTokens estimates what tools/list costs a model; TokenMethod says how.
	ToolTokens  int    `json:"tool_tokens"`
	TokenMethod string `json:"tool_tokens_method,omitempty"`

	ConnectMillis int64     `json:"connect_ms,omitempty"`
	Latency       *Latency  `json:"latency,omitempty"`
	Load          *Load     `json:"load,omitempty"`
	Asked         []Asked   `json:"asked,omitempty"`
	Steps         []Step    `json:"steps"`
	Findings      []Finding `json:"findings"`
}

// Count is the number of findings of a severity.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// order puts what matters first: severity, then the rank of the rule, which has causes
// before effects.
func (r *Report) order() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(grades[a.Severity], grades[b.Severity]),
			cmp.Compare(ranks[a.Rule], ranks[b.Rule]),
		)
	})
}

// Add puts a finding of somebody else into its place, before those of the check itself
// that are as bad. What it holds is bounded and made visible.
func (r *Report) Add(f Finding) {
	f.Title, f.Subject, f.Evidence = visible(f.Title, 300), visible(f.Subject, 300), visible(f.Evidence, maxEvidence)
	at := slices.IndexFunc(r.Findings, func(other Finding) bool {
		_, own := ranks[other.Rule]
		return grades[other.Severity] > grades[f.Severity] || own && other.Severity == f.Severity
	})
	if at < 0 {
		at = len(r.Findings)
	}
	r.Findings = slices.Insert(r.Findings, at, f)
}

var grades = map[Severity]int{Error: 0, Warning: 1, Info: 2}

// perRule bounds the findings of one rule: a broken generator of tools breaks all of
// them in the same way.
const perRule = 25

// spot is where a finding is.
type spot struct {
	subject, pointer string
	evidence         any // a text, bytes, or an error
}

// add notes a finding.
func (r *run) add(rule string, at spot) {
	row, ok := rules[rule]
	if !ok {
		panic("check: no rule " + rule) // a defect of this package
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n, last := 0, -1
	for i, f := range r.report.Findings {
		if f.Rule == rule {
			n, last = n+1, i
		}
	}
	if n >= perRule { // what there is of it is not even looked at: there may be a million
		r.report.Findings[last].Times++
		return
	}
	subject, pointer := r.safe(at.subject, 200), r.safe(at.pointer, 300)
	for i, f := range r.report.Findings {
		if f.Rule == rule && f.Subject == subject && f.Pointer == pointer {
			r.report.Findings[i].Times++
			return
		}
	}
	r.report.Findings = append(r.report.Findings, Finding{
		Rule: rule, Severity: row.severity, Title: row.title, Subject: subject, Pointer: pointer,
		Evidence: r.evidence(at.evidence), Clause: row.clause, Fix: row.fix,
	})
}

// maxEvidence is how much of what was seen goes with a finding, in bytes.
const maxEvidence = 600

func (r *run) evidence(v any) string {
	var b []byte
	switch v := v.(type) {
	case nil:
		return ""
	case []byte:
		b = v
	case string:
		b = []byte(v)
	default:
		b = []byte(fmt.Sprint(v))
	}
	size := len(b)
	b = b[:min(size, mostShown)]
	if r.conn != nil {
		b = r.conn.Redact(b)
	}
	return shortened(r.hush(string(b)+cutIf(size > mostShown)), maxEvidence, size)
}

// mostShown is how much of a text is looked at that is shown with its beginning only, in
// bytes: a check may have to show a name of megabytes a hundred thousand times.
const mostShown = 64 << 10

// cutIf marks a text that was cut, so that hush knows a secret that was cut with it.
func cutIf(cut bool) string {
	if cut {
		return cutMark
	}
	return ""
}

// hush takes the secrets of the target out of a text, also before there is a
// connection and after it.
func (r *run) hush(s string) string {
	if r.o.Hide != nil {
		s = r.o.Hide(s)
	}
	secrets := slices.Clone(r.o.Wire.Secrets)
	for _, values := range r.target.Headers {
		secrets = append(secrets, values...)
		for _, v := range values {
			_, token, _ := strings.Cut(v, " ") // the token of a scheme is the secret itself
			secrets = append(secrets, token)
		}
	}
	for _, v := range r.target.Env {
		secrets = append(secrets, v)
	}
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // one may hold another
	for _, secret := range secrets {
		if len(secret) >= shortSecret {
			s = beginnings(strings.ReplaceAll(s, secret, "[redacted]"), secret)
		}
	}
	return s
}

// cutMark stands where visible cuts a text.
const cutMark = " … ("

// beginnings takes out what is left of a secret where a text was cut in the middle of it.
func beginnings(s, secret string) string {
	parts := strings.Split(s, cutMark)
	for n := range len(parts) - 1 {
		for k := min(len(secret), len(parts[n])); k >= shortSecret; k-- {
			if strings.HasSuffix(parts[n], secret[:k]) {
				parts[n] = strings.TrimSuffix(parts[n], secret[:k]) + "[redacted]"
				break
			}
		}
	}
	return strings.Join(parts, cutMark)
}

// safe is a text of the server for a report: without secrets, bounded and visible.
func (r *run) safe(s string, limit int) string {
	return shortened(r.hush(s[:min(len(s), mostShown)]+cutIf(len(s) > mostShown)), limit, len(s))
}

// shortSecret is the length below which a value is too common to be replaced.
const shortSecret = 6

// visible bounds a text and makes what a terminal or reader would obey harmless:
// control characters, bidirectional marks and bytes that are no UTF-8 are escaped.
func visible(s string, limit int) string { return shortened(s, limit, len(s)) }

// shortened is visible for what is left of a text of so many bytes.
func shortened(s string, limit, size int) string {
	s, cut := strings.CutSuffix(s, cutMark)
	cut = cut || len(s) > limit
	s = s[:min(len(s), limit)]
	if cut {
		s = strings.ToValidUTF8(s, "")
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteByte(' ')
		case unicode.IsControl(c), unicode.Is(unicode.Cf, c), c == 0x2028, c == 0x2029:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
		i += n
	}
	if cut {
		fmt.Fprintf(&b, cutMark+"%d bytes)", size)
	}
	return b.String()
}

// observed turns what the wire saw since the last time into findings. What bad requests
// provoke, such as an error with the id null, is mostly as it should be.
func (r *run) observed(all []wire.Observation) {
	fresh := all[min(r.observations, len(all)):]
	r.observations = len(all)
	for _, o := range fresh {
		rule, ok := wireRules[o.Code]
		if !ok || o.Code == wire.ExitedBadly && r.exitShown || o.Code == wire.LateResponse && r.impatient || r.provoked && o.Code != wire.NoiseLine && o.Code != wire.BlankLine {
			continue
		}
		text := o.Detail
		if len(o.Bytes) > 0 {
			text += " " + string(o.Bytes)
		}
		r.add(rule, spot{evidence: text})
	}
}
