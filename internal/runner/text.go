package runner

import (
	"fmt"
	"strings"
	"unicode"
)

// textLimit is how much of the answer page's text goes into the text block; the
// whole of what was read is in the structured answer.
const textLimit = 4000

// pairLimit is how many pairs of label and value the text block repeats.
const pairLimit = 200

// Text is the answer for a client that reads nothing else: what happened, why,
// and what to do next.
func (a Answer) Text() string {
	var b strings.Builder
	a.headline(&b)
	a.writeEngines(&b)
	a.writeProblems(&b)
	a.writeResults(&b)
	a.writeProof(&b)
	for _, w := range a.Warnings {
		b.WriteString("\nNote: " + w)
	}
	a.writePictures(&b)
	if a.RunID != "" {
		b.WriteString("\nrun_id: " + a.RunID)
	}
	b.WriteString("\nAs of " + a.Timestamp)
	return withoutControls(b.String())
}

// withoutControls leaves out what a terminal obeys: hosts show the text as it is.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

func (a Answer) headline(b *strings.Builder) {
	switch a.Status {
	case StatusSuccess:
		fmt.Fprintf(b, "status: success. %s answered after %s in %.1f s.", a.WizardID, plural(a.PagesCompleted, "page"), float64(a.ExecutionTimeMS)/1000)
	case StatusRunning:
		fmt.Fprintf(b, "status: running. %s", a.Message)
		if p := a.Progress; p != nil {
			fmt.Fprintf(b, "\nNow: %s, page %d of %d %s", p.State, p.Page, p.Total, p.Title)
		}
	case StatusStopped:
		fmt.Fprintf(b, "status: stopped_before_submit. %s", a.Message)
	default:
		fmt.Fprintf(b, "status: %s (%s). %s", a.Status, a.ErrorType, a.Error)
		if a.Message != "" {
			fmt.Fprintf(b, " %s.", strings.TrimSuffix(a.Message, "."))
		}
	}
	a.writePlace(b)
	if a.Practice {
		b.WriteString("\nPractice form: this answer is not official.")
	}
}

// writeEngines says what was seen in each browser, when there was more than one.
func (a Answer) writeEngines(b *strings.Builder) {
	for _, try := range a.Engines {
		if try.Seen == "" {
			fmt.Fprintf(b, "\nTried in %s: this answer", try.Engine)
			continue
		}
		fmt.Fprintf(b, "\nTried in %s: %s, %s", try.Engine, try.Seen, try.Message)
	}
}

// writePlace names the wizard and where its run ended.
func (a Answer) writePlace(b *strings.Builder) {
	if a.Status == StatusSuccess {
		return // the headline did
	}
	b.WriteString("\nWizard: " + a.WizardID)
	if a.PageNumber > 0 {
		fmt.Fprintf(b, ", page %d, %s completed", a.PageNumber, plural(a.PagesCompleted, "page"))
	}
	if a.FieldID != "" {
		b.WriteString(", field " + a.FieldID)
	}
}

func (a Answer) writeProblems(b *strings.Builder) {
	writeMissing(b, a.MissingFields)
	for _, v := range a.ValidationErrors {
		said := v.Message
		if a.ErrorType == TypeRejected {
			said = "the site says " + quote(v.Message) // its words, not ours
		}
		fmt.Fprintf(b, "\n- %s: %s", named(v.FieldID, v.Field, v.Path), said)
		writeAllowed(b, said, v.AllowedValues)
	}
	if a.CorrectiveAction != "" {
		b.WriteString("\nWhat to do: " + a.CorrectiveAction)
	}
	if a.Recommendation != "" && a.Recommendation != a.CorrectiveAction && !strings.Contains(a.CorrectiveAction, a.Recommendation) {
		b.WriteString(" " + a.Recommendation)
	}
	if a.RetryAfter > 0 {
		fmt.Fprintf(b, "\nTry again in %d s.", a.RetryAfter)
	}
}

// describeLimit is how much of a field's description a list of missing fields
// repeats, in characters; the contract has all of it.
const describeLimit = 500

// writeMissing lists the answers to ask a person for.
func writeMissing(b *strings.Builder, fields []MissingField) {
	for _, m := range fields {
		fmt.Fprintf(b, "\n- missing %s", named(m.FieldID, m.Label, ""))
		if m.Type != "" {
			b.WriteString(": " + m.Type)
		}
		if m.Example != "" {
			fmt.Fprintf(b, ", for example %s", m.Example)
		}
		if d := []rune(m.Description); len(d) > describeLimit {
			fmt.Fprintf(b, ". %s… (all of it: federalrunner_get_wizard_info)", string(d[:describeLimit]))
		} else if len(d) > 0 {
			b.WriteString(". " + m.Description)
		} else if strings.Contains(m.Type, "allowed values") {
			b.WriteString(" (all of them: federalrunner_get_wizard_info)")
		}
	}
}

// named is a field by its id and its label, and by its path when the id alone
// does not lead to it: inside a row of a list.
func named(id, label, path string) string {
	name := id
	if label != "" && label != id {
		name = strings.TrimSpace(id + " (" + label + ")")
	}
	if strings.Count(path, "/") > 1 {
		name += " at " + path
	}
	return name
}

// allowedLimit is how many allowed values one error repeats.
const allowedLimit = 20

// writeAllowed lists what may be given, unless the message did.
func writeAllowed(b *strings.Builder, message string, values []any) {
	const says = "must be one of"
	if len(values) == 0 || strings.Contains(message, says) && len(values) <= allowedLimit {
		return
	}
	if !strings.Contains(message, says) {
		fmt.Fprintf(b, "; allowed: %s", marshal(values[:min(allowedLimit, len(values))]))
	}
	if len(values) > allowedLimit {
		b.WriteString("; all of them: federalrunner_get_wizard_info")
	}
}

func (a Answer) writeResults(b *strings.Builder) {
	r := a.Reading
	if r == nil {
		return
	}
	fmt.Fprintf(b, "\nAnswer page: %s (%s)\n%s", r.Heading, r.PageURL, r.Untrusted)
	for _, n := range r.Named {
		fmt.Fprintf(b, "\n- %s: %s", n.Name, n.Text)
	}
	if len(r.Named) == 0 {
		for _, p := range r.Pairs[:min(pairLimit, len(r.Pairs))] {
			fmt.Fprintf(b, "\n- %s: %s", p.Label, p.Value)
		}
		if len(r.Pairs) > pairLimit {
			fmt.Fprintf(b, "\n(the first %d of %d; all are in reading.pairs)", pairLimit, len(r.Pairs))
		}
	}
	for _, d := range r.Downloads {
		fmt.Fprintf(b, "\n- download %s (%s)", d.Name, d.State)
	}
	if len(r.Named) > 0 {
		return
	}
	text := []rune(r.BodyText)
	shown := strings.ReplaceAll(string(text[:min(textLimit, len(text))]), "</page_text", "< /page_text") // the site must not end the fence
	fmt.Fprintf(b, "\n<page_text characters=\"%d\">\n%s\n</page_text>", r.TextLength, shown)
	if r.TextLength > textLimit {
		fmt.Fprintf(b, "\n(cut after %d characters; more is in reading.body_text)", textLimit)
	}
}

func (a Answer) writeProof(b *strings.Builder) {
	if a.Submitted != nil && (len(a.Submitted.Fields) > 0 || a.Status == StatusSuccess) {
		fmt.Fprintf(b, "\nSet and read back: %s.", plural(len(a.Submitted.Fields), "field"))
	}
	if len(a.UnusedKeys) > 0 {
		b.WriteString("\nNot asked by any page: " + list(a.UnusedKeys, 50) + ".")
	}
}

func (a Answer) writePictures(b *strings.Builder) {
	if len(a.Screenshots) == 0 {
		return
	}
	b.WriteString("\nPictures:")
	for _, s := range a.Screenshots {
		fmt.Fprintf(b, " [%d] %v", s.Index, s.Page)
		if s.Title != "" {
			b.WriteString(" " + s.Title)
		}
		if s.Tiles > 1 {
			fmt.Fprintf(b, " (part %d of %d)", s.Tile, s.Tiles)
		}
		b.WriteByte(';')
	}
}

// plural counts things in words.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return itoa(n) + " " + thing + "s"
}
