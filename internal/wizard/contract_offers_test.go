package wizard

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// licence asks for a country and one of its regions; what a region depends on is
// filled in.
const licence = `{"wizard_id":"licence","name":"Licence","url":"https://example.com/","total_pages":1,"discovery_version":"1.2.0","discovered_at":"2026-11-29T00:00:00Z",
"pages":[{"page_number":1,"page_title":"Licence","continue_button":{"text":"Send","selector":"#send"},"fields":[
 {"label":"Country","field_id":"country","selector":"#country","field_type":"select","interaction":"select","required":true,"example_value":"NZ","options":[{"value":"NZ"},{"value":"AU"},{"value":"FJ"}]},
 {"label":"Region","field_id":"region","selector":"#region","field_type":"select","interaction":"select","required":true,"example_value":"Victoria","options":[
  {"value":"Otago","available_when":%[1]s},{"value":"Victoria","available_when":%[2]s},{"value":"Other"}]}]}]}`

// TestOptionsThatFollow: what another answer does not offer is refused, and the
// example and the data sets of all branches have only what is offered.
func TestOptionsThatFollow(t *testing.T) {
	for name, c := range map[string]struct{ nz, au string }{
		"one answer each": {`{"field_id":"country","value":"NZ"}`, `{"field_id":"country","value":"AU"}`},
		"others than":     {`{"not":{"field_id":"country","op":"in","value":["AU","FJ"]}}`, `{"field_id":"country","op":"not_in","value":["NZ","FJ"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := mustParse(t, fmt.Appendf(nil, licence, c.nz, c.au))
			contract := mustContract(t, w)
			for _, x := range []struct {
				country, region string
				valid           bool
			}{{"NZ", "Otago", true}, {"NZ", "Victoria", false}, {"AU", "Victoria", true}, {"AU", "Otago", false}, {"NZ", "Other", true}, {"FJ", "Other", true}} {
				got := contract.ValidateAnswers(Answers{"country": x.country, "region": x.region})
				if got.Valid != x.valid {
					t.Errorf("%s, %s: valid is %v: %+v", x.country, x.region, got.Valid, got.Invalid)
				}
				if !got.Valid && (len(got.Invalid) != 1 || got.Invalid[0].Path != "/region") {
					t.Errorf("%s, %s: the complaint is %+v", x.country, x.region, got.Invalid)
				}
			}
			example := contract.Example()
			sets := append(contract.DataSets(), example)
			regions := map[any]bool{}
			for _, set := range sets {
				regions[set["region"]] = true
				if r := contract.ValidateAnswers(set); !r.Valid {
					t.Errorf("%v is no data of this wizard: %+v", set, r.Invalid)
				}
			}
			if len(regions) != 3 {
				t.Errorf("the data sets take the regions %v", regions)
			}
		})
	}
}

// TestOptionsThatFollowNothing: a condition on a field that is not there is told.
func TestOptionsThatFollowNothing(t *testing.T) {
	_, err := Parse(fmt.Appendf(nil, licence, `{"field_id":"planet","value":"Mars"}`, `null`))
	if err == nil || !strings.Contains(err.Error(), "options/0/available_when") {
		t.Errorf("it was read: %v", err)
	}
	later := strings.Replace(fmt.Sprintf(licence, `null`, `null`), `{"value":"FJ"}`, `{"value":"FJ","available_when":{"field_id":"age","value":"old"}}`, 1)
	later = strings.TrimSuffix(later, "]}") + `,{"page_number":2,"page_title":"Age","continue_button":{"text":"Send","selector":"#s"},"fields":[{"label":"Age","field_id":"age","selector":"#age","field_type":"text","interaction":"fill","example_value":"old"}]}]}`
	later = strings.Replace(later, `"total_pages":1`, `"total_pages":2`, 1)
	if notes := fmt.Sprint(Lint(mustParse(t, []byte(later)))); !strings.Contains(notes, "options/2/available_when") {
		t.Errorf("an answer that comes later is not remarked on: %s", notes)
	}
	var o Option
	if err := json.Unmarshal([]byte(`{"value":"a","available_when":{"field_id":"x","value":1}}`), &o); err != nil || o.AvailableWhen == nil {
		t.Errorf("%+v, %v", o, err)
	}
}
