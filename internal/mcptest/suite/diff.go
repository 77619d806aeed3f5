package suite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Verdict says what a change does to clients that were written for the old surface.
type Verdict string

// The verdicts, the worst first.
const (
	Breaking Verdict = "breaking" // some call that worked, or some result that was understood, is no longer
	Additive Verdict = "additive" // there is more
	Cosmetic Verdict = "cosmetic" // words only
)

var rank = map[Verdict]int{Breaking: 0, Additive: 1, Cosmetic: 2}

// Change is one difference of two surfaces.
type Change struct {
	Verdict Verdict `json:"verdict"`
	// Subject is what changed, such as "tool echo"; Pointer where in it.
	Subject string `json:"subject"`
	Pointer string `json:"pointer,omitempty"`
	What    string `json:"what"`
	Old     string `json:"old,omitempty"`
	New     string `json:"new,omitempty"`
}

// Worst is the worst verdict of changes; empty when there are none.
func Worst(changes []Change) Verdict {
	if len(changes) == 0 {
		return ""
	}
	return slices.MinFunc(changes, func(a, b Change) int { return cmp.Compare(rank[a.Verdict], rank[b.Verdict]) }).Verdict
}

// Diff compares two surfaces of a server. The worst changes come first.
func Diff(before, after *Surface) []Change {
	d := &differ{}
	d.capabilities(before, after)
	for _, l := range []struct {
		kind, key string
		old, new  []json.RawMessage
		compare   func(old, new map[string]any)
	}{
		{"tool", "name", before.Tools, after.Tools, d.tool},
		{"resource", "uri", before.Resources, after.Resources, d.plain},
		{"resource template", "uriTemplate", before.Templates, after.Templates, d.plain},
		{"prompt", "name", before.Prompts, after.Prompts, d.prompt},
	} {
		old, now := byName(l.key, l.old), byName(l.key, l.new)
		for _, name := range both(old, now) {
			d.subject = shown(l.kind + " " + name)
			a, was := old[name]
			b, is := now[name]
			switch {
			case !is:
				d.add(Breaking, "", "it is gone")
			case !was:
				d.add(Additive, "", "it is new")
			default:
				l.compare(a, b)
			}
		}
	}
	slices.SortStableFunc(d.out, func(a, b Change) int { return cmp.Compare(rank[a.Verdict], rank[b.Verdict]) })
	return d.out
}

// differ collects changes.
type differ struct {
	subject string
	out     []Change
}

func (d *differ) add(v Verdict, pointer, what string) {
	d.out = append(d.out, Change{Verdict: v, Subject: d.subject, Pointer: pointer, What: what})
}

// turned notes a value that became another.
func (d *differ) turned(v Verdict, pointer, what string, values [2]any) {
	d.out = append(d.out, Change{Verdict: v, Subject: d.subject, Pointer: pointer, What: what, Old: orAbsent(values[0]), New: orAbsent(values[1])})
}

func orAbsent(v any) string {
	if v == nil {
		return ""
	}
	return brief(v)
}

// byName are the items of a list. Of several with the same name the first counts, as with
// most clients.
func byName(key string, items []json.RawMessage) map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, raw := range items {
		v, err := decode(raw)
		m, _ := v.(map[string]any)
		name, _ := m[key].(string)
		if _, twice := out[name]; err == nil && name != "" && !twice {
			out[name] = m
		}
	}
	return out
}

// both are the keys of two maps, each once and in order.
func both[V any](a, b map[string]V) []string {
	return slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, m := range []map[string]V{a, b} {
			for k := range maps.Keys(m) {
				if !yield(k) {
					return
				}
			}
		}
	}))
}

// capabilities compares what a server says of itself.
func (d *differ) capabilities(before, after *Surface) {
	d.subject = "server"
	for _, v := range before.Supported {
		if len(after.Supported) > 0 && !slices.Contains(after.Supported, v) {
			d.add(Breaking, "/supported_versions", "the protocol version "+shown(v)+" is no longer spoken")
		}
	}
	for _, v := range after.Supported {
		if len(before.Supported) > 0 && !slices.Contains(before.Supported, v) {
			d.add(Additive, "/supported_versions", "the protocol version "+shown(v)+" is spoken")
		}
	}
	old, _ := decode(before.Capabilities)
	now, _ := decode(after.Capabilities)
	d.offered("/capabilities", old, now)
	if before.Instructions != after.Instructions {
		d.turned(Cosmetic, "/instructions", "the instructions changed", [2]any{before.Instructions, after.Instructions})
	}
	was, _ := decode(before.Server)
	is, _ := decode(after.Server)
	if !equal(was, is) {
		d.turned(Cosmetic, "/server", "the server calls itself otherwise", [2]any{was, is})
	}
}

// offered compares capabilities: what is gone, or no longer true, breaks who uses it.
func (d *differ) offered(pointer string, old, now any) {
	a, wasMap := old.(map[string]any)
	b, isMap := now.(map[string]any)
	if !wasMap || !isMap {
		if !equal(old, now) {
			verdict := Breaking
			if old == false || old == nil {
				verdict = Additive
			}
			d.turned(verdict, pointer, "a capability changed", [2]any{old, now})
		}
		return
	}
	for _, k := range both(a, b) {
		here := pointer + "/" + escaper.Replace(k)
		v, was := a[k]
		w, is := b[k]
		switch {
		case !is && v == false:
		case !is:
			d.turned(Breaking, here, "a capability is gone", [2]any{v, nil})
		case !was && w != false:
			d.turned(Additive, here, "a capability is new", [2]any{nil, w})
		case was:
			d.offered(here, v, w)
		}
	}
}

// plain compares items of which only the MIME type matters to programs.
func (d *differ) plain(old, now map[string]any) {
	for _, k := range both(old, now) {
		v, w := old[k], now[k]
		if equal(v, w) {
			continue
		}
		verdict := Cosmetic
		if k == "mimeType" && v != nil {
			verdict = Breaking
		}
		d.turned(verdict, "/"+escaper.Replace(k), k+" changed", [2]any{v, w})
	}
}

// prompt compares prompts by their arguments.
func (d *differ) prompt(old, now map[string]any) {
	a, b := argumentsOf(old), argumentsOf(now)
	for _, name := range both(a, b) {
		was, had := a[name]
		is, has := b[name]
		at := "/arguments/" + escaper.Replace("name="+name)
		switch {
		case !has:
			d.add(Breaking, at, "an argument is gone")
		case !had && is["required"] == true:
			d.add(Breaking, at, "an argument is new, and required")
		case !had:
			d.add(Additive, at, "an argument is new")
		case was["required"] != true && is["required"] == true:
			d.add(Breaking, at, "an argument is required now")
		case was["required"] == true && is["required"] != true:
			d.add(Additive, at, "an argument is no longer required")
		case !equal(was, is):
			d.turned(Cosmetic, at, "an argument is described otherwise", [2]any{was, is})
		}
	}
	d.plain(without(old, "arguments"), without(now, "arguments"))
}

func argumentsOf(prompt map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	list, _ := prompt["arguments"].([]any)
	for _, one := range list {
		m, _ := one.(map[string]any)
		if name, ok := m["name"].(string); ok {
			out[name] = m
		}
	}
	return out
}

func without(m map[string]any, names ...string) map[string]any {
	out := maps.Clone(m)
	for _, n := range names {
		delete(out, n)
	}
	return out
}

// tool compares tools: their schemas, and what they say they do.
func (d *differ) tool(old, now map[string]any) {
	d.schemas("/inputSchema", input, [2]any{old["inputSchema"], now["inputSchema"]})
	a, had := old["outputSchema"]
	b, has := now["outputSchema"]
	switch {
	case had && !has:
		d.add(Breaking, "/outputSchema", "results are no longer described")
	case !had && has:
		d.add(Additive, "/outputSchema", "results are described")
	case had:
		d.schemas("/outputSchema", output, [2]any{a, b})
	}
	d.annotations(old["annotations"], now["annotations"])
	d.plain(without(old, "inputSchema", "outputSchema", "annotations", "mimeType"), without(now, "inputSchema", "outputSchema", "annotations", "mimeType"))
}

// careful are the values of annotations that let a host call without asking; one that is
// lost breaks who relied on it (MCP 2025-11-25, Schema, ToolAnnotations).
var careful = map[string]bool{"readOnlyHint": true, "idempotentHint": true, "destructiveHint": false, "openWorldHint": false}

func (d *differ) annotations(old, now any) {
	a, _ := old.(map[string]any)
	b, _ := now.(map[string]any)
	for _, k := range both(a, b) {
		if equal(a[k], b[k]) {
			continue
		}
		verdict := Cosmetic
		if safe, known := careful[k]; known {
			verdict = Additive
			if a[k] == safe {
				verdict = Breaking
			}
		}
		d.turned(verdict, "/annotations/"+escaper.Replace(k), k+" changed", [2]any{a[k], b[k]})
	}
}

// WriteChanges writes changes for people.
func WriteChanges(w io.Writer, changes []Change) error {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%-8s  %s %s: %s\n", c.Verdict, c.Subject, c.Pointer, c.What)
		if c.Old != "" {
			fmt.Fprintf(&b, "          was %s\n", c.Old)
		}
		if c.New != "" {
			fmt.Fprintf(&b, "          is  %s\n", c.New)
		}
	}
	n := map[Verdict]int{}
	for _, c := range changes {
		n[c.Verdict]++
	}
	fmt.Fprintf(&b, "%d breaking, %d additive, %d cosmetic changes.\n", n[Breaking], n[Additive], n[Cosmetic])
	_, err := io.WriteString(w, b.String())
	return err
}
