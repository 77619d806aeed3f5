package wizard

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// complete answers to the sample wizard in its shortest branch.
const completeAnswers = `{"birth_date":"1990-05-15","marital_status":"single","household_size":2,"has_job":false,"retired":true}`

func TestValidateReportsEverythingAtOnce(t *testing.T) {
	c := mustContract(t, benefitCheck(t))
	report := c.Validate(json.RawMessage(`{
		"birth_date": "1990-02-31",
		"marital_status": "Married or remarried",
		"houshold_size": 3,
		"household_size": "25",
		"applies": ["children", "none"],
		"loans": [
			{"loan_type": "federal", "balance": "100"},
			{"loan_type": "privat", "balance": "lots", "lendr": "X"},
			{"loan_type": "private"}
		],
		"has_job": "yes",
		"no_work": true, "retired": true,
		"proof": {"name": "x.pdf", "content_base64": "***"}
	}`))
	want := Report{
		Missing: []MissingField{
			{Label: "Loans: Balance", FieldID: "balance", Example: "1000", Type: patternWords[currencyText], Path: "/loans/2/balance", Required: true},
			{Label: "Loans, row 3: Lender", FieldID: "lender", Example: "Bank", Path: "/loans/2/lender", Required: true},
		},
		Unknown: []UnknownKey{
			{Key: "houshold_size", Nearest: "household_size", Path: "/houshold_size"},
			{Key: "lendr", Nearest: "lender", Path: "/loans/1/lendr"},
		},
	}
	var missing, invalid []string
	for _, m := range report.Missing {
		missing = append(missing, m.Path+" "+m.Label+" "+m.Example)
	}
	for _, i := range report.Invalid {
		invalid = append(invalid, i.Path+": "+i.Error)
	}
	wantMissing := []string{
		"/loans/2/lender Loans, row 3: Lender Bank",
		"/loans/2/balance Loans, row 3: Balance 1000",
	}
	wantInvalid := []string{
		"/birth_date: is no day of the calendar",
		`/marital_status: must be one of "single", "married", "widowed"; did you mean "married"?`,
		"/household_size: must be at most 20",
		"/applies: none excludes all other options; give it alone or leave it out",
		`/loans/1/balance: must be an amount: digits only, like 1200.50, for example "1000"`,
		`/loans/1/loan_type: must be one of "federal", "private"; did you mean "private"?`,
		"/has_job: must be true or false, not a text",
		"/retired: excluded by no_work; only one of them can be true",
		"/proof/content_base64: is not base64",
	}
	if diff := cmp.Diff(wantMissing, missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantInvalid, invalid); diff != "" {
		t.Errorf("invalid (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Unknown, report.Unknown); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
	if report.Valid {
		t.Error("the report is valid")
	}
}

func TestInvalidFieldSaysWhatToGive(t *testing.T) {
	c := mustContract(t, benefitCheck(t))
	report := c.Validate(json.RawMessage(`{"birth_date":"5/15/1990","marital_status":"divorced","household_size":0,"retired":true}`))
	want := []InvalidField{
		{FieldID: "birth_date", Label: "Date of birth", Path: "/birth_date", ProvidedValue: "5/15/1990", ExpectedType: "a date: YYYY-MM-DD",
			Error: `must be a date: YYYY-MM-DD, for example "1990-05-15"`},
		{FieldID: "marital_status", Label: "Marital status", Path: "/marital_status", ProvidedValue: "divorced", ExpectedType: "one of the allowed values",
			Error: `must be one of "single", "married", "widowed"`, AllowedValues: []any{"single", "married", "widowed"}},
		{FieldID: "household_size", Label: "Household size", Path: "/household_size", ProvidedValue: json.Number("0"),
			ExpectedType: "a whole number: digits only, like 1200, from 1 to 20", Error: "must be at least 1"},
	}
	if diff := cmp.Diff(want, report.Invalid); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValidateBranches(t *testing.T) {
	c := mustContract(t, benefitCheck(t))
	tests := map[string]struct {
		data     string
		missing  []string
		warnings []string
	}{
		"shortest":                  {completeAnswers, nil, nil},
		"conditional field missing": {`{"birth_date":"1990-05-15","marital_status":"married","household_size":2,"retired":true}`, []string{"/spouse_income"}, nil},
		"conditional page missing":  {`{"birth_date":"1990-05-15","marital_status":"single","household_size":"5","retired":true}`, []string{"/applies"}, nil},
		"required when": {`{"birth_date":"1990-05-15","marital_status":"single","household_size":2,"has_job":true}`,
			[]string{"/email"}, nil},
		"required when not present": {`{"birth_date":"1990-05-15","marital_status":"single","household_size":2}`, []string{"/email"}, nil},
		"not asked": {`{"birth_date":"1990-05-15","marital_status":"single","household_size":2,"retired":true,"spouse_income":"x","applies":[]}`,
			nil, []string{"spouse_income", "applies"}},
		"blank is missing":          {`{"birth_date":"1990-05-15","marital_status":" ","household_size":2,"retired":true}`, []string{"/marital_status"}, nil},
		"null is missing":           {`{"birth_date":null,"marital_status":"single","household_size":2,"retired":true}`, []string{"/birth_date"}, nil},
		"blank optional is nothing": {`{"birth_date":"1990-05-15","marital_status":"single","household_size":2,"retired":true,"proof":"  ","email":""}`, nil, nil},
		"nothing":                   {`{}`, []string{"/birth_date", "/marital_status", "/household_size", "/email"}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			report := c.Validate(json.RawMessage(test.data))
			var missing, warnings []string
			for _, m := range report.Missing {
				missing = append(missing, m.Path)
			}
			for _, w := range report.Warnings {
				warnings = append(warnings, w.FieldID)
				if w.Severity != "medium" || !strings.Contains(w.Message, "will not be sent; asked when ") {
					t.Errorf("warning %+v", w)
				}
			}
			if diff := cmp.Diff(test.missing, missing); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.warnings, warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if len(report.Invalid)+len(report.Unknown) > 0 {
				t.Errorf("report: %s", asJSON(t, report))
			}
			if report.Valid != (len(test.missing) == 0) {
				t.Errorf("valid: %v", report.Valid)
			}
		})
	}
}

// Three inputs for a date are three patterns: the day must exist all the same.
func TestImpossibleDates(t *testing.T) {
	w := mustParse(t, readTestdata(t, "v1.1/fsa-estimator.json"))
	written, err := ParseContract(w, readTestdata(t, "v1.1/fsa-estimator-schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Contract{written, mustContract(t, w)} {
		data := c.Example()
		data["birth_month"], data["birth_day"], data["birth_year"] = "02", "31", "2007"
		report := c.Validate(asJSON(t, data))
		if len(report.Invalid) != 1 || report.Invalid[0].Path != "/birth_day" ||
			!strings.Contains(report.Invalid[0].Error, "February 2007, which has 28 days") {
			t.Errorf("report: %s", asJSON(t, report.Invalid))
		}
		data["birth_day"], data["birth_year"] = "29", "2008"
		if report := c.Validate(asJSON(t, data)); !report.Valid {
			t.Errorf("29 February 2008: %s", asJSON(t, report.Invalid))
		}
	}
}

func TestNumbersInBothForms(t *testing.T) {
	c := mustContract(t, benefitCheck(t))
	for value, valid := range map[string]bool{
		`4`: true, `"4"`: true, `4.0`: true, `"04"`: true, `"4.5"`: false, `4.5`: false, `"four"`: false, `21`: false, `"21"`: false, `0`: false, `"-1"`: false, `true`: false,
	} {
		data := strings.Replace(completeAnswers, `"household_size":2`, `"household_size":`+value+`,"applies":["none"]`, 1)
		if got := c.Validate(json.RawMessage(data)).Valid; got != valid {
			t.Errorf("household_size %s valid: %v", value, got)
		}
	}
}

// A pattern holds for numbers too, although JSON Schema applies it to texts only.
func TestNumbersAreHeldToPatterns(t *testing.T) {
	const month = "^(0[1-9]|1[0-2])$"
	patterned := benefitCheck(t)
	f := patterned.Field("household_size")
	f.Pattern, f.Format, f.Minimum, f.Maximum = month, "", nil, nil
	f.FieldType, f.ExampleValue = "number", json.RawMessage(`"05"`)
	currency := benefitCheck(t)
	f = currency.Field("household_size")
	f.Format, f.Minimum, f.Maximum = "currency", nil, nil
	generated := mustContract(t, patterned)
	text := strings.Replace(string(generated.Schema), `"type":"string","pattern":"`+month, `"type":["number","string"],"pattern":"`+month, 1)
	written, err := ParseContract(patterned, []byte(strings.Replace(text, generatedComment, "by hand", 1)))
	if err != nil || text == string(generated.Schema) {
		t.Fatalf("no schema written by hand: %v", err)
	}
	const refused = `must have the form of this field; give a text such as "05" (pattern ` + month + `)`
	const noText = `must be a text, not a number; give a text such as "05"`
	tests := []struct {
		c           *Contract
		value, want string
	}{
		{generated, `"05"`, ""}, {generated, `"12"`, ""}, {generated, `5`, noText}, {generated, `13`, noText}, {generated, `2007.5`, noText},
		{written, `"05"`, ""}, {written, `12`, ""}, {written, `1.2e1`, ""}, {written, `5`, refused}, {written, `13`, refused}, {written, `2007.5`, refused},
		{mustContract(t, currency), `10.50`, ""}, {mustContract(t, currency), `-3e2`, ""},
		{mustContract(t, currency), `10.555`, `must be an amount: digits only, like 1200.50, for example "2"`},
	}
	for _, test := range tests {
		data := strings.Replace(completeAnswers, `"household_size":2`, `"applies":["none"],"household_size":`+test.value, 1)
		report, got := test.c.Validate(json.RawMessage(data)), ""
		if len(report.Invalid) > 0 {
			got = report.Invalid[0].Error
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.value, got, test.want)
		}
		if example := test.c.Validate(asJSON(t, test.c.Example())); !example.Valid {
			t.Errorf("the example is invalid: %s", asJSON(t, example.Invalid))
		}
	}
}

// The example of a field with a pattern is a text even if the file has a number.
func TestNumericExampleOfPatternedField(t *testing.T) {
	w := benefitCheck(t)
	f := w.Field("household_size")
	f.Pattern, f.ExampleValue = "^[0-9]$", json.RawMessage(`3`)
	c := mustContract(t, w)
	if got := c.Example()["household_size"]; got != "3" {
		t.Errorf("example = %#v", got)
	}
	if schema := string(c.Schema); !strings.Contains(schema, `"examples":["3"]`) {
		t.Errorf("schema: %s", schema)
	}
}

func TestValidateRefusesWhatIsNoData(t *testing.T) {
	c := mustContract(t, benefitCheck(t))
	for _, data := range []string{``, `[]`, `"x"`, `null`, `{"a":1,"a":2}`, `{"a":1e999999}`, strings.Repeat(`{"a":`, 20) + `1` + strings.Repeat(`}`, 20)} {
		report := c.Validate(json.RawMessage(data))
		if report.Valid || len(report.Invalid) != 1 {
			t.Errorf("%.40s: %s", data, asJSON(t, report))
		}
	}
}

func TestReportHasNoNullLists(t *testing.T) {
	c := mustContract(t, benefitCheck(t))
	for _, data := range []string{completeAnswers, `[]`} {
		if text := string(asJSON(t, c.Validate(json.RawMessage(data)))); strings.Contains(text, "null,") && strings.Contains(text, `fields":null`) {
			t.Error(text)
		}
	}
}

func TestOpenSchemasAllowOtherKeys(t *testing.T) {
	w := mustParse(t, readTestdata(t, "v1.1/fsa-estimator.json"))
	schema := string(readTestdata(t, "v1.1/fsa-estimator-schema.json"))
	open := strings.Replace(schema, `"type": "object",`, `"type": "object", "additionalProperties": true,`, 1)
	for text, unknown := range map[string]int{schema: 1, open: 0} {
		c, err := ParseContract(w, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		data := c.Example()
		data["martial_status"] = "married"
		if got := c.Validate(asJSON(t, data)); len(got.Unknown) != unknown || got.Valid != (unknown == 0) {
			t.Errorf("unknown keys: %s", asJSON(t, got))
		} else if unknown == 1 && got.Unknown[0].Nearest != "marital_status" {
			t.Errorf("nearest = %q", got.Unknown[0].Nearest)
		}
	}
}

func FuzzDecodeAnswers(f *testing.F) {
	for _, data := range []string{completeAnswers, `{}`, `{"a":null,"b":[{"c":null}]}`, `{"n":12345678901234567890}`, `{"a":1e400}`, `[`, `{"household_size":"5","loans":[{}]}`} {
		f.Add([]byte(data))
	}
	c := mustContract(f, benefitCheck(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		answers, err := DecodeAnswers(data)
		report := c.Validate(data)
		if err != nil {
			if report.Valid {
				t.Fatal("what cannot be decoded is valid")
			}
			return
		}
		plan := c.w.Plan(answers)
		if len(plan) == 0 {
			t.Fatal("no page comes at all")
		}
		if len(c.w.Effective(answers)) > len(answers) {
			t.Fatal("answers appeared from nowhere")
		}
	})
}
