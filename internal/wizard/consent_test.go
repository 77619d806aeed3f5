package wizard

import (
	"strings"
	"testing"
)

// TestMustBeTrue: a consent that the form insists on cannot be refused, and no data
// set tries.
func TestMustBeTrue(t *testing.T) {
	const raw = `{"wizard_id":"a","name":"A","url":"https://example.gov/","discovered_at":"2026-01-01T00:00:00Z","discovery_version":"1.2.0","total_pages":1,
		"pages":[{"page_number":1,"page_title":"P","url_pattern":"https://example.gov/","continue_button":{"text":"Go","selector":"#go"},"fields":[
		{"label":"I agree","field_id":"agree","selector":"#a","field_type":"checkbox","interaction":"click","required":true,"must_be_true":true,"example_value":"false"},
		{"label":"News","field_id":"news","selector":"#n","field_type":"checkbox","interaction":"click","required":true,"example_value":"false"}]}]}`
	w := mustParse(t, []byte(raw))
	c, err := NewContract(w)
	if err != nil {
		t.Fatal(err)
	}
	if r := c.ValidateAnswers(Answers{"agree": false, "news": false}); r.Valid || len(r.Invalid) != 1 || !strings.Contains(r.Invalid[0].Error, "true") {
		t.Errorf("a refused consent: %+v", r)
	}
	if example := c.Example(); example["agree"] != true || example["news"] != false {
		t.Errorf("the example: %v", example)
	}
	news := map[any]bool{}
	for _, set := range c.DataSets() {
		news[set["news"]] = true
		if set["agree"] != true {
			t.Errorf("a data set without the consent: %v", set)
		}
	}
	if !news[true] || !news[false] {
		t.Errorf("the other box is always %v", news)
	}
}
