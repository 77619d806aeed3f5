package wizard

import (
	"reflect"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Lint lists what is legal and yet likely to go wrong in a run.
func Lint(w *Wizard) []Problem {
	l := checker{w: w}
	l.lintWizard()
	for i := range w.Pages {
		l.lintPage(joinIndex("/pages", i), &w.Pages[i])
	}
	l.lintKeys("", reflect.ValueOf(w))
	return l.problems
}

func (c *checker) lintWizard() {
	w := c.w
	if len(w.SuccessWhen) == 0 {
		c.add("/success_when", "is empty: a run cannot tell an answer from a page that merely came next")
	}
	if len(w.Results) == 0 {
		c.add("/results", "is empty: the answer is read generically, without names and types")
	}
	if resultsAddress.MatchString(w.URL) {
		c.add("/url", "looks like the address of a result, not of the first page")
	}
	if w.StartAction != nil && len(w.EntrySteps) > 0 && !w.EntrySteps[0].Optional {
		c.add("/entry_steps", "come after start_action; one list of entry_steps is easier to follow")
	}
	for i := range w.Pages {
		if w.Pages[i].PageNumber != i+1 {
			c.add("/pages", "are not in the order of their numbers; v1.1 programs run them in file order")
			break
		}
	}
}

// resultsAddress are start addresses that discovery tools have recorded at the
// end of a form instead of at its beginning.
var resultsAddress = lazyregexp.New(`(?i)/(results?|confirmation|thank-?you)([/?#]|$)|/cgi-bin/`)

func (c *checker) lintPage(path string, page *Page) {
	c.lintCondition(path+"/visible_when", page.VisibleWhen, page.PageNumber)
	if v := page.Validation; v != nil && v.ErrorSelector != "" && len(page.ErrorSelectors) == 0 {
		c.add(path+"/validation", "is a hint of v1.1; error_selectors are what a run reads")
	}
	if unstable(page.ContinueButton.Selector) {
		c.add(path+"/continue_button/selector", unstableWords)
	}
	if kind := page.ContinueButton.SelectorType; kind == "label" || kind == "role" {
		c.add(path+"/continue_button/selector_type", "%s is unknown to v1.1 programs", kind)
	}
	for i := range page.Fields {
		f := &page.Fields[i]
		at := joinIndex(path+"/fields", i)
		c.lintQuestion(at, f.question(), f.Interaction)
		c.lintField(at, f)
		c.lintCondition(at+"/visible_when", f.VisibleWhen, page.PageNumber)
		c.lintCondition(at+"/required_when", f.RequiredWhen, page.PageNumber)
		for j := range f.Options {
			c.lintCondition(joinIndex(at+"/options", j)+"/available_when", f.Options[j].AvailableWhen, page.PageNumber)
		}
		for j := range f.SubFields {
			sub := &f.SubFields[j]
			c.lintQuestion(joinIndex(at+"/sub_fields", j), sub.question(), sub.Interaction)
		}
	}
}

func (c *checker) lintField(path string, f *Field) {
	if unstable(f.Selector) && len(f.SelectorAlternatives) == 0 {
		c.add(path+"/selector", unstableWords)
	}
	if f.FieldType != "group" {
		if len(f.SubFields) > 0 {
			c.add(path+"/sub_fields", "only a group uses them")
		}
		return
	}
	if f.Repeatable && f.RowSelector == "" {
		c.add(path+"/row_selector", "is missing: a run cannot prove that a row was added")
	}
	if strings.Contains(f.RemoveButtonSelector, "{index}") {
		c.add(path+"/remove_button_selector", "is a feature of v1.1 that no run uses")
	}
}

// conditionalNotes are the words with which notes of v1.1 state a condition.
var conditionalNotes = lazyregexp.New(`(?i)\b(appears?|shown|visible|revealed|reveals|only) (after|if|when|for|once)\b|\bif (yes|no)\b`)

// secretIDs are fields whose content should not be in a picture.
var secretIDs = lazyregexp.New(`(^|_)(ssn|social_security|birth|password|account_number|routing)(_|$)`)

func (c *checker) lintQuestion(path string, q question, interaction string) {
	if normal := usualInteractions[q.fieldType]; q.traits.Format != "file" && !slices.Contains(normal, interaction) {
		c.add(path+"/interaction", "%s is unusual for %s; usual: %s", interaction, q.fieldType, strings.Join(normal, ", "))
	}
	_, hasExample := coerce(q.example, q.shape())
	if !hasExample && q.fieldType != "group" {
		c.add(path+"/example_value", "is missing or does not suit the field: replay needs one")
	}
	options := len(q.traits.Options)
	if options == 0 && (q.fieldType == "radio" || q.fieldType == "select") {
		c.add(path+"/options", "are missing: a %s without options takes any text, and a wrong one is noticed only on the page", q.fieldType)
	}
	if options > 0 && hasExample && q.traits.Format == "" && !q.exampleIsOption() {
		c.add(path+"/example_value", "is none of the options")
	}
	if q.traits.VisibleWhen == nil && q.traits.RequiredWhen == nil && conditionalNotes.MatchString(q.notes) {
		c.add(path+"/notes", "sound like a condition; state it as visible_when")
	}
	if !q.traits.MaskInScreenshots && (q.traits.Format == "ssn" || secretIDs.MatchString(q.id)) {
		c.add(path+"/mask_in_screenshots", "is not set, and the field looks personal")
	}
}

func (q question) exampleIsOption() bool {
	example, _ := coerce(q.example, q.shape())
	values := optionValues(q.traits.Options)
	chosen, ok := example.([]any)
	if !ok {
		chosen = []any{example}
	}
	return !slices.ContainsFunc(chosen, func(value any) bool { return !slices.Contains(values, value) })
}

// usualInteractions are the pairs that real forms need.
var usualInteractions = map[string][]string{
	"text": {"fill"}, "textarea": {"fill"}, "number": {"fill"},
	"search": {"fill_enter"}, "typeahead": {"fill_enter"}, "select": {"select"},
	"radio": {"click", "javascript_click"}, "checkbox": {"click", "javascript_click"},
	"group": {"click", "fill", "select"},
}

// lintCondition warns about conditions that can never hold.
func (c *checker) lintCondition(path string, condition *Condition, page int) {
	condition.walk(path, func(leaf *Condition, at string) {
		f := c.w.Field(leaf.FieldID)
		if f == nil {
			return
		}
		if asked := c.pageOf(f); asked > page {
			c.add(at+"/field_id", "%s is asked later, on page %d", f.FieldID, asked)
		}
		op := leaf.operator()
		if f.shape() == shapeChoices && (op == opEquals || op == opIn) {
			c.add(at+"/op", "%s never holds for a list of choices; use contains", op)
		}
		if len(f.Options) > 0 && slices.Contains([]string{opEquals, opNotEquals, opContains, opIn, opNotIn}, op) {
			c.lintOperands(at+"/value", f, leaf)
		}
	})
}

func (c *checker) lintOperands(path string, f *Field, leaf *Condition) {
	values := leaf.operands()
	if values == nil {
		values = []any{leaf.operand()}
	}
	for _, value := range values {
		fits := func(option Option) bool { return equal(option.Value, value) }
		if !slices.ContainsFunc(f.Options, fits) {
			c.add(path, "%s is no option of %s", word(value), f.FieldID)
		}
	}
}

func (c *checker) pageOf(f *Field) int {
	for _, page := range c.w.OrderedPages() {
		for i := range page.Fields {
			if &page.Fields[i] == f {
				return page.PageNumber
			}
		}
	}
	return 0
}

// unstableSelector matches ids that frameworks number anew on each load.
var unstableSelector = lazyregexp.New(`(?i)#(ember|react-select-|mui-|headlessui-|radix-|__BVID__|:r|yui_|ext-gen|gwt-uid-|j_idt)\S*\d|` +
	`#\S*[0-9a-f]{8}-[0-9a-f]{4}-|#\S*\d{6,}|#\S*[0-9a-f]{16,}|:nth-child\(.*:nth-child\(.*:nth-child\(`)

const unstableWords = "looks generated and may differ on the next load; add one by label or name"

func unstable(selector string) bool { return unstableSelector.MatchString(selector) }
