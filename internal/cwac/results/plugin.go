package results

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// Plugin is the switch and the settings of one audit. Settings of other audits
// than its own stay zero.
type Plugin struct {
	Name               string // such as AuditAxe; CWAC loads the source file of this name
	Class              string
	Enabled            bool
	Viewport           string // the only viewport to test; empty: all
	BestPractice       bool   // axe: keep what is no failure of a success criterion
	ScreenshotFailures bool   // reflow: a picture of each page that overflows
	Root               string // focus: CSS selector of the element to start from
	PreTabs            int    // focus: presses of Tab before the first comparison
	MaxTabs            int    // focus: presses of Tab that are compared
	Target             string // element: CSS selector of the elements to record
	Sentiment          bool   // language: VADER's figures too

	source object
}

func (p *Plugin) fields() []field {
	return []field{
		{"class_name", &p.Class, true}, {"enabled", &p.Enabled, false}, {"viewport_to_test", &p.Viewport, true},
		{"best-practice", &p.BestPractice, true}, {"screenshot_failures", &p.ScreenshotFailures, true},
		{"root_element_css_selector", &p.Root, true},
		{"pre_tab_key_presses", &p.PreTabs, true}, {"max_tab_key_presses", &p.MaxTabs, true},
		{"target_element_css_selector", &p.Target, true}, {"run_sentiment_analysis", &p.Sentiment, true},
	}
}

// Plugins are the audits of a scan in the order in which they run.
type Plugins []Plugin

// Named finds a plugin; the answer points into the list.
func (p Plugins) Named(name string) *Plugin {
	i := slices.IndexFunc(p, func(p Plugin) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &p[i]
}

// Enabled are the names of those that are switched on, in order.
func (p Plugins) Enabled() []string {
	var names []string
	for _, plugin := range p {
		if plugin.Enabled {
			names = append(names, plugin.Name)
		}
	}
	return names
}

// UnmarshalJSON reads CWAC's map of names to settings and keeps its order.
func (p *Plugins) UnmarshalJSON(data []byte) error {
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	*p = make(Plugins, 0, len(o))
	var problems []string
	for _, m := range o {
		plugin := Plugin{Name: m.key}
		if err := json.Unmarshal(m.raw, &plugin.source); err != nil {
			problems = append(problems, m.key+" "+err.Error())
			continue
		}
		for _, problem := range decodeFields(plugin.source, plugin.fields()) {
			problems = append(problems, m.key+": "+problem)
		}
		*p = append(*p, plugin)
	}
	return joined(problems)
}

// MarshalJSON writes CWAC's map of names to settings.
func (p Plugins) MarshalJSON() ([]byte, error) {
	var o object
	for i := range p {
		settings, err := encodeFields(p[i].source, p[i].fields())
		if err != nil {
			return nil, err
		}
		raw, err := settings.MarshalJSON()
		if err != nil {
			return nil, err
		}
		o.set(p[i].Name, raw)
	}
	return o.MarshalJSON()
}

// DefaultPlugins are CWAC's own seven as its default configuration has them, with
// every key that CWAC looks for.
func DefaultPlugins() Plugins {
	plugins := Plugins{
		{Name: AuditAxe, Enabled: true, source: keys("class_name", "best-practice", "enabled")},
		{Name: AuditLanguage, Enabled: true, source: keys("class_name", "enabled", "run_sentiment_analysis")},
		{Name: AuditReflow, Enabled: true, Viewport: "small", source: keys("class_name", "enabled", "viewport_to_test", "screenshot_failures")},
		{Name: AuditTitle, Enabled: true, source: keys("class_name", "enabled")},
		{
			Name: AuditFocus, Root: "main", MaxTabs: 5,
			source: keys("class_name", "enabled", "root_element_css_selector", "pre_tab_key_presses", "max_tab_key_presses"),
		},
		{Name: AuditScreenshot, source: keys("class_name", "enabled")},
		{Name: AuditElement, Target: "input:not([type='search'])", source: keys("class_name", "target_element_css_selector", "enabled")},
	}
	for i := range plugins {
		plugins[i].Class = ClassName(plugins[i].Name)
	}
	return plugins
}

// keys is an object with the keys in order, whose values are written from the fields.
func keys(names ...string) object {
	var o object
	for _, n := range names {
		o.set(n, nil)
	}
	return o
}

// classes are the audits in CWAC's order, then the native ones, with the values of
// the audit_type column.
var classes = []struct{ audit, class string }{
	{AuditAxe, "AxeCoreAudit"},
	{AuditLanguage, "LanguageAudit"},
	{AuditReflow, "ReflowAudit"},
	{AuditTitle, "TitleAudit"},
	{AuditFocus, "FocusIndicatorAudit"},
	{AuditScreenshot, "ScreenshotAudit"},
	{AuditElement, "ElementAudit"},
	{AuditHTML, "HtmlValidation"},
	{AuditCrawl, "CrawlAudit"},
	{AuditSEO, "SeoAudit"},
	{AuditPDF, "PdfAudit"},
}

// Audits are the names of all audits: CWAC's in the order of its configuration,
// then the native ones.
func Audits() []string {
	names := make([]string, 0, len(classes))
	for _, c := range classes {
		names = append(names, c.audit)
	}
	return names
}

// Native reports whether only the native engine has this audit.
func Native(audit string) bool {
	return audit == AuditHTML || audit == AuditCrawl || audit == AuditSEO || audit == AuditPDF
}

// ClassName is the audit_type column of an audit; empty for an unknown one.
func ClassName(audit string) string {
	for _, c := range classes {
		if c.audit == audit {
			return c.class
		}
	}
	return ""
}

// auditOf is the audit with this audit_type; empty for an unknown one.
func auditOf(class string) string {
	for _, c := range classes {
		if c.class == class {
			return c.audit
		}
	}
	return ""
}

// joined is nil for no problems.
func joined(problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(problems, "; "))
}
