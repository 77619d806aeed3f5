package markup

import (
	"maps"
	"slices"
	"strings"
)

const (
	standard    = "https://html.spec.whatwg.org/multipage/"
	parseErrors = standard + "parsing.html"
)

// rule is what is told of a rule beside the message of one finding.
type rule struct {
	impact string
	help   string // the short demand
	about  string // what the rule is for
	url    string
}

// The impacts of HTML findings in axe's words. The standard knows no degrees; these
// are by what a fault does to people who use assistive technology.
const (
	serious  = "serious"  // names, roles or relations can be other than what the author meant
	moderate = "moderate" // browsers repair it, each document in its own way
	minor    = "minor"    // obsolete, or of no effect in today's browsers
)

const (
	aboutModel    = "The HTML standard says which elements may stand where."
	aboutValues   = "The HTML standard says which attributes an element may have, and which values."
	aboutParsing  = "Browsers repair a parse error by rules that seldom give what the author meant."
	aboutIDs      = "Labels, descriptions and other relations are made by IDs, which must be those of just one element."
	aboutObsolete = "Obsolete features must not be used by authors."
	aboutARIA     = "ARIA in HTML says which roles and names an element may have."
)

// htmlRules are the rules that are applied beside the parse errors of the standard.
var htmlRules = map[string]rule{
	"area-alt":                      {serious, "Areas of an image map with a link must have alternative text", aboutValues, standard + "image-maps.html"},
	"aria-label-misuse":             {serious, "aria-label must be on an element that can have a name", aboutARIA, ""},
	"attribute-allowed-values":      {moderate, "Attributes must have a value that is allowed", aboutValues, ""},
	"attribute-misuse":              {moderate, "Attributes must be used where they are allowed", aboutValues, ""},
	"close-order":                   {serious, "Elements must be closed, innermost first", aboutParsing, ""},
	"deprecated":                    {minor, "Obsolete elements must not be used", aboutObsolete, ""},
	"element-name":                  {moderate, "Elements must be those of the standard or custom elements", aboutModel, ""},
	"element-permitted-content":     {moderate, "Elements must contain only what they may contain", aboutModel, ""},
	"element-permitted-occurrences": {moderate, "Elements must not be repeated where one is allowed", aboutModel, ""},
	"element-permitted-order":       {moderate, "Elements must be in their order", aboutModel, ""},
	"element-permitted-parent":      {moderate, "Elements must be in a parent that they may be in", aboutModel, ""},
	"element-required-ancestor":     {serious, "Elements must be within the element that they belong to", aboutModel, ""},
	"element-required-attributes":   {moderate, "Elements must have the attributes that they need", aboutValues, ""},
	"element-required-content":      {moderate, "Elements must contain what they need", aboutModel, ""},
	"empty-title":                   {serious, "The title must not be empty", aboutModel, standard + "semantics.html#the-title-element"},
	"input-attributes":              {minor, "Inputs must have only the attributes of their type", aboutValues, ""},
	"map-dup-name":                  {serious, "Image maps must have names of their own", aboutIDs, ""},
	"map-id-name":                   {moderate, "The ID and the name of an image map must be the same", aboutIDs, ""},
	"no-abstract-role":              {serious, "Abstract roles must not be used", aboutARIA, ""},
	"no-deprecated-attr":            {minor, "Obsolete attributes must not be used", aboutObsolete, ""},
	"no-dup-id":                     {serious, "IDs must be those of one element", aboutIDs, standard + "dom.html#the-id-attribute"},
	"no-missing-references":         {serious, "References must be to an ID that exists", aboutIDs, "https://html-validate.org/rules/no-missing-references.html"},
	"no-multiple-main":              {serious, "There must be one visible main element only", aboutModel, ""},
	"script-element":                {serious, "Scripts must have an end tag", aboutParsing, ""},
	"valid-autocomplete":            {serious, "autocomplete must have a value that is allowed", aboutValues, ""},
	"valid-for":                     {serious, "A label must be for an element that can have one", aboutIDs, standard + "forms.html#attr-label-for"},
	"valid-id":                      {moderate, "IDs must not be empty or contain white space", aboutIDs, ""},
	"void-content":                  {minor, "Void elements must not have an end tag", aboutParsing, ""},
}

// parseHelp are the parse errors that are met most, in plain words. The names are
// those of the standard, 13.2.2; those of the tree construction, for which the
// standard has no names, are parse5's.
var parseHelp = map[string]rule{
	"missing-doctype":                                       {moderate, "The document must begin with <!DOCTYPE html>", aboutParsing, standard + "syntax.html#the-doctype"},
	"non-conforming-doctype":                                {minor, "The doctype must be <!DOCTYPE html>", aboutParsing, standard + "syntax.html#the-doctype"},
	"misplaced-doctype":                                     {minor, "The doctype must come first", aboutParsing, standard + "syntax.html#the-doctype"},
	"duplicate-attribute":                                   {serious, "A tag must not have the same attribute twice: the second is ignored", aboutParsing, ""},
	"unknown-named-character-reference":                     {minor, "Character references must be those of the standard", aboutParsing, ""},
	"missing-semicolon-after-character-reference":           {minor, "Character references must end with a semicolon", aboutParsing, ""},
	"missing-whitespace-between-attributes":                 {minor, "Attributes must be apart by white space", aboutParsing, ""},
	"invalid-first-character-of-tag-name":                   {moderate, "A < in text must be written as &lt;", aboutParsing, ""},
	"unexpected-character-in-attribute-name":                {moderate, `Names of attributes must not contain ", ' or <`, aboutParsing, ""},
	"unexpected-character-in-unquoted-attribute-value":      {moderate, "A value with such a character must be in quotation marks", aboutParsing, ""},
	"unexpected-question-mark-instead-of-tag-name":          {minor, "HTML must not contain processing instructions", aboutParsing, ""},
	"non-void-html-element-start-tag-with-trailing-solidus": {serious, "Only void elements may end with />: the others stay open", aboutParsing, ""},
	"end-tag-with-attributes":                               {minor, "End tags must not have attributes", aboutParsing, ""},
	"end-tag-without-matching-open-element":                 {serious, "End tags must have a start tag", aboutParsing, parseErrors + "#tree-construction"},
	"closing-of-element-with-open-child-elements":           {serious, "Elements must be closed, innermost first", aboutParsing, parseErrors + "#tree-construction"},
	"open-elements-left-after-eof":                          {serious, "Elements must be closed", aboutParsing, parseErrors + "#tree-construction"},
	"abandoned-head-element-child":                          {moderate, "Elements of the head must be in the head", aboutParsing, parseErrors + "#tree-construction"},
	"misplaced-start-tag-for-head-element":                  {moderate, "There must be one head, before the body", aboutParsing, parseErrors + "#tree-construction"},
	"disallowed-content-in-noscript-in-head":                {moderate, "A noscript in the head may contain links, styles and metadata only", aboutParsing, parseErrors + "#tree-construction"},
	"nested-noscript-in-head":                               {moderate, "A noscript must not contain another", aboutParsing, parseErrors + "#tree-construction"},
	"eof-in-element-that-can-contain-only-text":             {serious, "The element must have an end tag: the rest of the document is its text", aboutParsing, parseErrors + "#tree-construction"},
	"eof-in-tag":     {serious, "The document must not end within a tag", aboutParsing, ""},
	"eof-in-comment": {serious, "Comments must be closed: the rest of the document is a comment", aboutParsing, ""},
}

// htmlRule is what is known of a rule. A parse error without words of its own is told
// by its name.
func htmlRule(name string) rule {
	if r, known := htmlRules[name]; known {
		return r
	}
	r, known := parseHelp[name]
	if !known {
		r = rule{minor, "There must be no parse error: " + strings.ReplaceAll(name, "-", " "), aboutParsing, ""}
	}
	if r.url == "" {
		r.url = parseErrors + "#parse-error-" + name
	}
	return r
}

func htmlRuleNames() []string {
	return append(slices.Sorted(maps.Keys(htmlRules)), "parse-error")
}

func sorted(counts map[string]int) []string { return slices.Sorted(maps.Keys(counts)) }
