package web

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/words"
)

// summaryItem is one line of what is wrong with a form, with where it leads.
var summaryItem = regexp.MustCompile(`<li><a href="#([^"]+)">([^<]*)</a></li>`)

// What is wrong is told by the name of the field and leads to it, in the order of the
// page: "Please fill this in." alone says nothing at the head of a page with ten fields.
func TestErrorsNameTheirFields(t *testing.T) {
	site := gallery(t)
	for _, lang := range words.Langs {
		for page, wrong := range wrongForms {
			c := newClient(t, site)
			body := c.get("/" + string(lang) + "/" + page + "?wrong=" + wrong).body
			_, fields, _ := strings.Cut(wrong, "fields=")
			items := summaryItem.FindAllStringSubmatch(body, -1)
			if len(items) != len(strings.Split(fields, ",")) {
				t.Errorf("%s %s lists %d errors of %q", lang, page, len(items), fields)
			}
			at := 0
			for _, item := range items {
				next := strings.Index(body, `id="`+item[1]+`"`)
				label := regexp.MustCompile(`<label[^>]* for="` + item[1] + `"[^>]*>(?:<input[^>]*><span>)?([^<]*)<`).FindStringSubmatch(body)
				if next <= at || label == nil {
					t.Errorf("%s %s: %q leads to nothing, or to what is before", lang, page, item[1])
					continue
				}
				if text := html.UnescapeString(item[2]); !strings.HasPrefix(text, html.UnescapeString(label[1])) {
					t.Errorf("%s %s: %q does not name %q", lang, page, text, label[1])
				}
				at = next
			}
		}
	}
}

// A least pay that is no number is told as such, and not counted as a condition.
func TestFilterTellsWhatIsNoNumber(t *testing.T) {
	w := newWorld(t)
	w.post(nil)
	c := newClient(t, w.site)
	filtered, wrong := words.Ja.Say("tasks.filtered", "n", 1), words.Ja.Say("error.number")
	if body := c.get("/?min=abc").body; !strings.Contains(body, wrong) || strings.Contains(body, filtered) {
		t.Errorf("a least pay of abc:\n%s", body)
	}
	if body := c.get("/?min=" + url.QueryEscape("１,２００円")).body; strings.Contains(body, wrong) || !strings.Contains(body, filtered) {
		t.Errorf("a least pay as people write it:\n%s", body)
	}
}
