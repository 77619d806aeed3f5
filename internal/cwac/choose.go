package cwac

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/nearest"
)

// choosePlugins switches the audits of a configuration as asked, and returns those
// that the engine does not have; has are those of the native engine, none for CWAC. What is not named stays as CWAC's configuration has
// it; when nothing is asked for, the native engine runs everything but the audit that
// needs a selector.
func choosePlugins(c *results.Config, has []string, asked map[string]bool) (ignored []string, err error) {
	if native := len(has) > 0; native {
		for _, name := range has {
			if c.Plugins.Named(name) == nil {
				c.Plugins = append(c.Plugins, results.Plugin{Name: name, Class: results.ClassName(name)})
			}
		}
		if !slices.Contains(slices.Collect(maps.Values(asked)), true) {
			for i := range c.Plugins {
				c.Plugins[i].Enabled = c.Plugins[i].Name != results.AuditElement
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		p := c.Plugins.Named(name)
		if p == nil || len(has) == 0 && results.Native(name) {
			if !slices.Contains(results.Audits(), name) {
				return nil, unknownPlugin(name, c.Plugins)
			}
			ignored = append(ignored, name)
			continue
		}
		p.Enabled = asked[name]
	}
	if len(c.Plugins.Enabled()) == 0 {
		return nil, fault.New(fault.Invalid, "no_plugins", "No audit is switched on that this engine has.",
			"Switch on one of plugins: "+strings.Join(names(c.Plugins), ", ")+".").WithData("ignored_plugins", ignored)
	}
	return ignored, nil
}

// maxSelector is the most bytes of a CSS selector.
const maxSelector = 500

// chooseElements points the element audit at what the caller wants listed, and
// switches it on. Only a browser can judge the selector: a wrong one is told of every
// page, with the audit.
func chooseElements(c *results.Config, asked map[string]bool, selector string) error {
	if selector == "" {
		return nil
	}
	wrong := func(why string) error {
		return fault.New(fault.Invalid, "invalid_selector", "element_selector cannot be used. "+why, "Give a CSS selector such as img[alt=''], or leave it out.")
	}
	on, named := asked[results.AuditElement]
	switch p := c.Plugins.Named(results.AuditElement); {
	case named && !on:
		return wrong("plugins switches element_audit off.")
	case strings.TrimSpace(selector) == "" || len(selector) > maxSelector || !utf8.ValidString(selector):
		return wrong(fmt.Sprintf("It has 1 to %d bytes of text.", maxSelector))
	case p == nil:
		return wrong("The configuration of this engine has no element_audit.")
	default:
		p.Enabled, p.Target = true, selector
	}
	return nil
}

func names(p results.Plugins) []string {
	var out []string
	for _, x := range p {
		out = append(out, x.Name)
	}
	return out
}

func unknownPlugin(name string, known results.Plugins) error {
	shown := clip(quiet(name), 60)
	action := "Plugins: " + strings.Join(names(known), ", ") + "."
	if near := nearest.Name(name, names(known)); near != "" {
		action = fmt.Sprintf("Did you mean %s? %s", near, action)
	}
	return fault.New(fault.Invalid, "unknown_plugin", fmt.Sprintf("There is no plugin %q.", shown), action)
}

// effective is which audits run.
func effective(p results.Plugins) map[string]bool {
	out := map[string]bool{}
	for _, x := range p {
		out[x.Name] = x.Enabled
	}
	return out
}

const maxViewports = 6

// reflowWidth is the width in CSS pixels at which content has to reflow (WCAG 2.2,
// 1.4.10), and CWAC's audit refuses any other.
const reflowWidth = 320

var viewportName = lazyregexp.New(`^[A-Za-z0-9_]{1,30}$`)

// chooseViewports sets the window sizes: one size as the specification has it, or
// CWAC's map of names to sizes. The reflow audit keeps the narrow window that it
// needs; the answer says so.
func chooseViewports(c *results.Config, asked viewportsIn) (note string, err error) {
	if len(asked.list) == 0 {
		return "", nil
	}
	if len(asked.list) > maxViewports {
		return "", wrongViewports("There are more than 6 of them.")
	}
	for _, v := range asked.list {
		if !viewportName.MatchString(v.Name) {
			return "", wrongViewports("Names are letters, digits and _, at most 30.")
		}
		if v.Width < 200 || v.Width > 4000 || v.Height < 200 || v.Height > 10000 {
			return "", wrongViewports("Widths are 200 to 4000 pixels, heights 200 to 10000.")
		}
	}
	c.Viewports = asked.list
	for i := range c.Plugins {
		p := &c.Plugins[i]
		if p.Viewport == "" {
			continue
		}
		if p.Name != results.AuditReflow {
			if _, ok := c.Viewports.Named(p.Viewport); !ok {
				p.Viewport = ""
			}
			continue
		}
		if p.Enabled {
			note = reflowView(c, p)
		}
	}
	return note, nil
}

// reflowView points the reflow audit at a window of its width, and adds one when
// there is none: without it the audit would silently never run.
func reflowView(c *results.Config, p *results.Plugin) (note string) {
	for _, v := range c.Viewports {
		if v.Width == reflowWidth {
			p.Viewport = v.Name
			return ""
		}
	}
	v := results.Viewport{Name: "small", Width: reflowWidth, Height: 450}
	if _, taken := c.Viewports.Named(v.Name); taken {
		v.Name = "reflow_320"
	}
	c.Viewports = append(results.Viewports{v}, c.Viewports...)
	p.Viewport = v.Name
	return "A window 320 pixels wide was added, since reflow_audit needs it: every audit runs there too. Switch reflow_audit off to do without."
}

func wrongViewports(why string) error {
	return fault.New(fault.Invalid, "invalid_viewports", "viewport_sizes cannot be used. "+why,
		`Give {"width": 1280, "height": 800}, or names with sizes: {"small": {"width": 320, "height": 450}}.`)
}

// viewportsIn is the parameter: one size, or a map of names to sizes in its order.
type viewportsIn struct{ list results.Viewports }

// parseViewports reads the parameter.
func parseViewports(raw json.RawMessage) (viewportsIn, error) {
	if len(raw) == 0 || string(raw) == "null" || string(raw) == "{}" {
		return viewportsIn{}, nil
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) != nil {
		return viewportsIn{}, wrongViewports("It is no object.")
	}
	if keys["width"] != nil || keys["height"] != nil {
		var one struct{ Width, Height int }
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if dec.Decode(&one) != nil {
			return viewportsIn{}, wrongViewports("Width and height are whole numbers.")
		}
		return viewportsIn{results.Viewports{{Name: "custom", Width: one.Width, Height: one.Height}}}, nil
	}
	var list results.Viewports
	if json.Unmarshal(raw, &list) != nil {
		return viewportsIn{}, wrongViewports("Each name needs a width and a height, whole numbers.")
	}
	return viewportsIn{list}, nil
}
