package check

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Offer is what a server lists: the items of all pages, as they came.
type Offer struct {
	Tools, Resources, Templates, Prompts []json.RawMessage
	// Modern tells that the list came over the wire of 2026-07-28, which allows more.
	Modern bool
}

// Lint finds what is wrong with an offer, without asking the server anything.
func Lint(o Offer) []Finding {
	r := &run{report: &Report{}}
	r.lint(context.Background(), o)
	r.report.order()
	return r.report.Findings
}

// item is a member of a list.
type item struct {
	kind, name, pointer string
	raw                 json.RawMessage
	fields              map[string]any
}

func (i item) subject() string {
	if i.name == "" {
		return i.kind + " " + i.pointer
	}
	return i.kind + " " + i.name[:min(len(i.name), mostShown)]
}

// at is a spot inside the item.
func (i item) at(pointer string, evidence any) spot {
	return spot{i.subject(), i.pointer + pointer, evidence}
}

// text is a member that is a text, else empty.
func (i item) text(name string) string {
	s, _ := i.fields[name].(string)
	return s
}

// decode reads JSON with its numbers as they are written.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// lint reads the items and checks each, as far as its time goes.
func (r *run) lint(ctx context.Context, o Offer) {
	r.tools = r.items("tool", "tools", "name", o.Tools)
	r.resources = r.items("resource", "resources", "uri", o.Resources)
	r.templates = r.items("resource template", "resourceTemplates", "uriTemplate", o.Templates)
	r.prompts = r.items("prompt", "prompts", "name", o.Prompts)
	r.lintTools(ctx, o)
	for _, i := range slices.Concat(r.tools, r.resources, r.templates, r.prompts) {
		if ctx.Err() != nil {
			return
		}
		r.lintTexts(ctx, i)
	}
	for _, i := range r.resources {
		if u, err := url.Parse(i.name); err != nil || u.Scheme == "" {
			r.add("resource-uri", i.at("/uri", i.name))
		}
		r.lintCommon(i)
	}
	for _, i := range r.templates {
		if err := checkTemplate(i.name); err != nil {
			r.add("template-invalid", i.at("/uriTemplate", err))
		}
		r.lintCommon(i)
	}
	for _, i := range r.prompts {
		r.lintPrompt(i)
	}
}

// items reads the objects of a list, and reports those that are none.
func (r *run) items(kind, list, key string, raws []json.RawMessage) []item {
	var out []item
	seen := map[string]bool{}
	for n, raw := range raws {
		i := item{kind: kind, pointer: fmt.Sprintf("/%s/%d", list, n), raw: raw}
		v, err := decode(raw)
		fields, ok := v.(map[string]any)
		if err != nil || !ok {
			r.add("item-malformed", i.at("", []byte(raw)))
			continue
		}
		i.fields, i.name = fields, ""
		name, ok := fields[key].(string)
		if !ok || name == "" {
			r.add("item-malformed", i.at("/"+key, fmt.Sprintf("%s is %s", key, shown(fields[key]))))
		}
		i.name = name
		if name != "" && seen[name] {
			rule := "name-duplicate"
			if kind == "tool" {
				rule = "tool-name-duplicate"
			}
			r.add(rule, i.at("/"+key, name))
		}
		seen[name] = true
		for _, member := range []string{"name", "title", "description", "mimeType"} {
			if v, given := fields[member]; given && member != key {
				if _, ok := v.(string); !ok {
					r.add("item-malformed", i.at("/"+member, fmt.Sprintf("%s is %s, not a string", member, shown(v))))
				}
			}
		}
		out = append(out, i)
	}
	return out
}

// shown gives a decoded value as JSON.
func shown(v any) string {
	if v == nil {
		return "null or absent"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%T", v)
	}
	return visible(string(b), 200)
}

func (r *run) lintPrompt(i item) {
	r.lintCommon(i)
	args, given := i.fields["arguments"]
	if !given {
		return
	}
	list, ok := args.([]any)
	if !ok {
		r.add("prompt-invalid", i.at("/arguments", shown(args)))
		return
	}
	for n, a := range list {
		m, _ := a.(map[string]any)
		name, _ := m["name"].(string)
		_, bad := m["required"]
		if _, ok := m["required"].(bool); ok {
			bad = false
		}
		if name == "" || bad {
			r.add("prompt-invalid", i.at(fmt.Sprintf("/arguments/%d", n), shown(a)))
		}
	}
}

// lintCommon checks what resources, templates and prompts share with tools.
func (r *run) lintCommon(i item) {
	if i.kind != "tool" && strings.TrimSpace(i.text("description")) == "" {
		r.add("description-missing", i.at("/description", nil))
	}
	icons, given := i.fields["icons"]
	if !given {
		return
	}
	list, ok := icons.([]any)
	if !ok {
		r.add("icon-invalid", i.at("/icons", shown(icons)))
		return
	}
	for n, v := range list {
		m, _ := v.(map[string]any)
		src, _ := m["src"].(string)
		if u, err := url.Parse(src); err != nil || u.Scheme != "https" && u.Scheme != "data" {
			r.add("icon-invalid", i.at(fmt.Sprintf("/icons/%d/src", n), src))
		}
	}
}

var (
	expression = lazyregexp.New(`\{([^{}]*)\}`)
	variables  = lazyregexp.New(`^[+#./;?&]?[A-Za-z0-9_%][A-Za-z0-9_.%]*(:[1-9][0-9]{0,3}|\*)?(,[A-Za-z0-9_%][A-Za-z0-9_.%]*(:[1-9][0-9]{0,3}|\*)?)*$`)
)

// checkTemplate checks a URI template (RFC 6570, 2).
func checkTemplate(t string) error {
	for _, m := range expression.FindAllStringSubmatch(t, -1) {
		if !variables.MatchString(m[1]) {
			return fmt.Errorf("the expression {%s} is none", m[1])
		}
	}
	if rest := expression.ReplaceAllString(t, ""); strings.ContainsAny(rest, "{}") {
		return fmt.Errorf("a brace of %q has no partner", t)
	}
	return nil
}
