package markup

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// judge turns what was collected into facts and findings.
func (s *seo) judge() {
	facts := s.report.Facts
	facts["lang"], facts["viewport"] = s.lang, s.viewport
	if !s.partial {
		facts["h1"], facts["images"], facts["images_without_alt"] = s.headings, s.images, s.unnamed
	}
	facts["hreflang"], facts["structured_data"], facts["open_graph"] = list(s.languages), list(s.types), s.graph
	s.judgeTitle()
	s.judgeDescription()
	s.judgeCanonical()
	s.judgeRobots()
	if s.viewport == "" {
		s.fault("viewport-missing", nil, "There is no meta element with the name viewport")
	}
	if s.headings == 0 && !s.partial {
		s.fault("heading-missing", nil, "There is no h1 element")
	}
	if len(s.graph) > 0 {
		var missing []string
		for _, name := range []string{"og:title", "og:type", "og:image", "og:url"} {
			if s.graph[name] == "" {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 {
			s.fault("open-graph-incomplete", nil, "Missing: "+strings.Join(missing, ", "))
		}
	}
}

// list makes nothing an empty list, so that it is one in JSON too.
func list(items []string) []string {
	if items == nil {
		return []string{}
	}
	return items
}

func (s *seo) judgeTitle() {
	title := ""
	if len(s.titles) > 0 {
		title = squeeze(text(s.titles[0]))
	}
	n := length(title)
	s.report.Facts["title"], s.report.Facts["title_length"] = cut(title, 500), n
	switch {
	case title == "":
		s.fault("title-missing", nil, "There is no title, or it is empty")
	case n > maxTitle:
		s.fault("title-long", s.titles[0], fmt.Sprintf("The title has %d characters", n))
	}
	if len(s.titles) > 1 {
		s.fault("title-several", s.titles[1], fmt.Sprintf("There are %d titles", len(s.titles)))
	}
}

func (s *seo) judgeDescription() {
	description := ""
	if len(s.descriptions) > 0 {
		description = squeeze(attr(s.descriptions[0], "content"))
	}
	s.report.Facts["description"], s.report.Facts["description_length"] = cut(description, 1000), length(description)
	if description == "" {
		s.fault("description-missing", nil, "There is no meta description, or it is empty")
	}
	if len(s.descriptions) > 1 {
		s.fault("description-several", s.descriptions[1], fmt.Sprintf("There are %d descriptions", len(s.descriptions)))
	}
}

// judgeCanonical judges the link element of RFC 6596.
func (s *seo) judgeCanonical() {
	s.report.Facts["canonical"], s.report.Facts["canonical_is"] = "", "none"
	var addresses []string
	for i, n := range s.canonicals {
		href := strings.TrimSpace(attr(n, "href"))
		parsed, err := url.Parse(href)
		if err != nil || href == "" {
			s.fault("canonical-invalid", n, fmt.Sprintf("%q is no address", cut(href, 200)))
			continue
		}
		to := s.base.ResolveReference(parsed)
		if to.Scheme != "http" && to.Scheme != "https" {
			s.fault("canonical-invalid", n, fmt.Sprintf("%q is no http or https address", cut(href, 200)))
			continue
		}
		if !parsed.IsAbs() {
			s.fault("canonical-relative", n, "The address is "+cut(href, 200))
		}
		if !slices.Contains(addresses, to.String()) {
			addresses = append(addresses, to.String())
		}
		if i == 0 {
			s.compareCanonical(to)
		}
	}
	if len(addresses) > 1 {
		s.fault("canonical-several", s.canonicals[1], fmt.Sprintf("There are %d different canonical addresses", len(addresses)))
	}
}

// compareCanonical says whether the canonical address is that of the document.
func (s *seo) compareCanonical(to *url.URL) {
	own, err := url.Parse(s.doc.URL)
	if err != nil {
		return
	}
	is := "other"
	if place(own) == place(to) {
		is = "self"
	}
	s.report.Facts["canonical"], s.report.Facts["canonical_is"] = cut(to.String(), 1000), is
	home := func(u *url.URL) bool { return (u.Path == "" || u.Path == "/") && u.RawQuery == "" }
	if is == "other" && home(to) && !home(own) {
		s.fault("canonical-home", s.canonicals[0], "It is "+cut(to.String(), 200))
	}
}

// place is an address without its fragment, in one form.
func place(u *url.URL) string {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host) + path + "?" + u.RawQuery
}

// judgeRobots reads meta elements and header fields. A field can be for one robot
// only, whose name is then before a colon.
func (s *seo) judgeRobots() {
	all := slices.Concat(s.robots, s.doc.Robots)
	closed := false
	for _, value := range all {
		for directive := range strings.SplitSeq(strings.ToLower(value), ",") {
			if at := strings.IndexByte(directive, ':'); at >= 0 && !strings.HasPrefix(strings.TrimSpace(directive), "unavailable_after") {
				directive = directive[at+1:]
			}
			directive = strings.TrimSpace(directive)
			closed = closed || directive == "noindex" || directive == "none"
		}
	}
	s.report.Facts["robots"], s.report.Facts["noindex"] = cut(strings.Join(all, "; "), 500), closed
	if closed {
		s.fault("noindex", nil, "Robots are told: "+cut(strings.Join(all, "; "), 200))
	}
}
