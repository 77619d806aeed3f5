package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// brief is a control in one line: kind, format, label, marks, best selector.
func brief(c page.Control) string {
	marks := ""
	for _, m := range []struct {
		on   bool
		word string
	}{
		{c.Required, " required:" + c.RequiredBy}, {c.Optional, " optional"}, {!c.Visible, " unseen"}, {!c.Enabled, " disabled"}, {c.Decoy != "", " decoy:" + c.Decoy},
		{c.Set != "", " set:" + c.Set}, {c.Exclusive, " exclusive"}, {c.Multiple, " multiple"}, {!c.OptionsKnown, " late"}, {len(c.Options) > 0, fmt.Sprintf(" options:%d", len(c.Options))},
		{c.Value != "", " value:" + c.Value}, {c.Mask != "", " mask:" + c.Mask}, {len(c.Parts) == 3, " parts"}, {len(c.ShadowPath) > 0, " shadow"},
	} {
		if m.on {
			marks += m.word
		}
	}
	kind := string(c.Kind)
	if c.Format != "" && c.Format != kind {
		kind += "/" + c.Format
	}
	return kind + " " + c.Label + marks + " <" + c.Selector + ">"
}

const sendForm = `<button type=submit>Continue</button></form>`

// nestedChoice is a box with the role of a choice around a field with the same role.
func nestedChoice(shown, menu, field string) string {
	return `<form><label id=stl>State</label><div role=combobox aria-haspopup=listbox aria-expanded=false style="border:1px solid;width:200px;height:40px;position:relative">` + shown + field + `</div>` + menu + sendForm
}

// days are the cells of a month.
func days() []string {
	out := make([]string, 31)
	for i := range out {
		out[i] = fmt.Sprintf(`<div class="air-datepicker-cell -day-">%d</div>`, i+1)
	}
	return out
}

// idioms are small pages in the manner of what frameworks really put out.
var idioms = []struct {
	name, html string
	want       []string
}{
	{"Angular Material", `<form><mat-form-field class="mat-mdc-form-field"><div class="mat-mdc-text-field-wrapper mdc-text-field"><div class="mat-mdc-form-field-flex"><div class="mat-mdc-form-field-infix">
		<label matfloatinglabel class="mdc-floating-label" id="mat-mdc-form-field-label-0" for="mat-input-0"><mat-label>Given name</mat-label><span aria-hidden="true" class="mat-mdc-form-field-required-marker mdc-floating-label--required"></span></label>
		<input matinput id="mat-input-0" formcontrolname="given" required aria-required="true" class="mat-mdc-input-element"></div></div></div><div class="mat-mdc-form-field-subscript-wrapper"><mat-hint class="mat-mdc-form-field-hint">As on your card</mat-hint></div></mat-form-field>
		<mat-form-field class="mat-mdc-form-field"><div class="mat-mdc-form-field-infix"><label id="mat-mdc-form-field-label-2" for="mat-select-0"><mat-label>State</mat-label></label>
		<mat-select role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-required="false" tabindex="0" id="mat-select-0" aria-labelledby="mat-mdc-form-field-label-2 mat-select-value-1" style="display:inline-block;width:200px"><div class="mat-mdc-select-trigger"><div class="mat-mdc-select-value" id="mat-select-value-1"><span class="mat-mdc-select-placeholder">Choose one</span></div></div></mat-select></div></mat-form-field>
		<mat-radio-group role="radiogroup" aria-label="Are you a citizen?"><mat-radio-button><input type="radio" id="mat-radio-2-input" name="mat-radio-group-1" value="y" style="opacity:0"><label for="mat-radio-2-input">Yes</label></mat-radio-button><mat-radio-button><input type="radio" id="mat-radio-3-input" name="mat-radio-group-1" value="n" style="opacity:0"><label for="mat-radio-3-input">No</label></mat-radio-button></mat-radio-group>` + sendForm,
		[]string{`text Given name required:attribute <input[formcontrolname="given"]>`, "select State late <label=State>", "radio Are you a citizen? options:2 <label=Yes>"}},
	{"React Select", `<form><label id="aria-label" for="react-select-2-input">Country of birth</label><div class="css-b62m3t-container"><span id="react-select-2-live-region" class="css-7pg0cj-a11yText"></span><div class="css-13cymwt-control" style="border:1px solid;display:flex;min-height:38px"><div class="css-hlgwow" style="flex:1"><div class="css-1jqq78o-placeholder" id="react-select-2-placeholder">Select...</div>
		<div class="css-19bb58m"><input class="" autocapitalize="none" autocomplete="off" autocorrect="off" id="react-select-2-input" spellcheck="false" tabindex="0" type="text" aria-autocomplete="list" aria-expanded="false" aria-haspopup="true" role="combobox" aria-describedby="react-select-2-placeholder" style="opacity:1;width:100%;min-width:2px;border:0"></div></div><div class="css-1wy0on6"><div aria-hidden="true">v</div></div></div><input type="hidden" name="country" value=""></div>` + sendForm,
		[]string{"typeahead Country of birth late <label=Country of birth>"}},
	{"React Select that is not searchable", `<form><label id="l">Colour</label><div class="css-container"><div class="css-control" style="border:1px solid;min-height:38px;position:relative"><div class="css-placeholder" id="react-select-3-placeholder">Select...</div><input id="react-select-3-input" tabindex="0" inputmode="none" aria-expanded="false" aria-haspopup="listbox" role="combobox" aria-readonly="true" aria-labelledby="l" class="dummyInput" value="" style="opacity:0;width:1px;border:0;padding:0;position:relative;left:-100px;transform:scale(.01)"></div><input name="colour" type="hidden" value=""></div>` + sendForm,
		[]string{"select Colour late <label=Colour>"}},
	{"Headless UI", `<form><label id="headlessui-label-:r0:">Assigned to</label><div class="relative"><button id="headlessui-listbox-button-:r1:" type="button" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="headlessui-label-:r0: headlessui-listbox-button-:r1:"><span class="block truncate">Wade Cooper</span></button></div>` + sendForm,
		[]string{"select Assigned to late value:Wade Cooper <label=Assigned to>"}},
	{"Headless UI combobox", `<form><label for="headlessui-combobox-input-:r2:">Person</label><div><input id="headlessui-combobox-input-:r2:" role="combobox" type="text" aria-expanded="false" aria-autocomplete="list" value=""><button id="headlessui-combobox-button-:r3:" type="button" tabindex="-1" aria-haspopup="listbox" aria-expanded="false">v</button></div>` + sendForm,
		[]string{"typeahead Person late <label=Person>"}},
	{"MUI", `<form><div class="MuiFormControl-root MuiTextField-root"><label class="MuiFormLabel-root MuiInputLabel-root Mui-required" for=":r5:" id=":r5:-label">Email<span aria-hidden="true" class="MuiFormLabel-asterisk"> *</span></label><div class="MuiInputBase-root"><input aria-invalid="false" id=":r5:" required type="text" class="MuiInputBase-input" value=""></div><p class="MuiFormHelperText-root" id=":r5:-helper-text">We never share it</p></div>
		<div class="MuiFormControl-root"><label class="MuiInputLabel-root" id="age-label">Age group</label><div class="MuiInputBase-root"><div tabindex="0" role="combobox" aria-controls=":r7:" aria-expanded="false" aria-haspopup="listbox" aria-labelledby="age-label age-select" id="age-select" class="MuiSelect-select" style="padding:10px">Ten</div><input aria-hidden="true" tabindex="-1" class="MuiSelect-nativeInput" name="age" value="10" style="opacity:0;position:absolute;bottom:0;left:0;width:100%;pointer-events:none"></div></div>
		<label class="MuiFormControlLabel-root"><span class="MuiSwitch-root"><span class="MuiButtonBase-root"><input class="MuiSwitch-input" type="checkbox" name="news" style="opacity:0;position:absolute"></span></span><span>Send news</span></label>` + sendForm,
		[]string{"text/email Email required:attribute <label=Email>", "select Age group late value:Ten <#age-select>", `checkbox Send news <input[name="news"]>`}},
	{"Vue multiselect", `<form><label for="pick">Tags</label><div tabindex="-1" role="combobox" aria-owns="listbox-pick" class="multiselect" style="min-height:40px"><div class="multiselect__select"></div><div class="multiselect__tags"><div class="multiselect__tags-wrap" style="display:none"></div><input name="" id="pick" type="text" autocomplete="off" spellcheck="false" placeholder="Pick one" tabindex="0" class="multiselect__input" aria-controls="listbox-pick" style="width:0;position:absolute;padding:0;border:0"><span class="multiselect__placeholder">Pick one</span></div>
		<div class="multiselect__content-wrapper" style="display:none"><ul class="multiselect__content" id="listbox-pick" role="listbox"><li id="pick-0" role="option"><span>Red</span></li><li id="pick-1" role="option"><span>Green</span></li></ul></div></div>` + sendForm,
		[]string{`typeahead Tags options:2 <role=combobox[name="Tags"]>`}},
	{"Ant Design", `<form><div class="ant-form-item"><div class="ant-form-item-label"><label for="basic_gender" class="ant-form-item-required" title="Gender">Gender</label></div><div class="ant-select" style="width:200px"><div class="ant-select-selector" style="border:1px solid;height:32px;position:relative"><span class="ant-select-selection-search"><input id="basic_gender" type="search" readonly unselectable="on" role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-required="true" autocomplete="off" style="opacity:0"></span><span class="ant-select-selection-placeholder">Please select</span></div></div></div>` + sendForm,
		[]string{"select Gender required:aria late <#basic_gender>"}},
	{"Select2", `<form><label for="st">Home state</label><select id="st" name="st" class="select2-hidden-accessible" tabindex="-1" aria-hidden="true" style="border:0;clip:rect(0 0 0 0);height:1px;overflow:hidden;padding:0;position:absolute;width:1px"><option value="">Pick</option><option value="oh">Ohio</option><option value="ia">Iowa</option></select><span class="select2 select2-container" style="display:inline-block;width:200px"><span class="selection"><span class="select2-selection select2-selection--single" role="combobox" aria-haspopup="true" aria-expanded="false" tabindex="0" aria-labelledby="select2-st-container" style="display:block;height:28px;border:1px solid"><span class="select2-selection__rendered" id="select2-st-container">Pick</span></span></span></span>` + sendForm,
		[]string{`select Home state options:2 <#st + * [role="combobox"]>`}},
	{"Radix", `<form><label for="fruit">Fruit</label><button type="button" role="combobox" aria-controls="radix-:r1:" aria-expanded="false" aria-autocomplete="none" id="fruit" data-state="closed"><span>Select a fruit</span></button><select aria-hidden="true" tabindex="-1" name="fruit" style="position:absolute;border:0;width:1px;height:1px;padding:0;overflow:hidden;clip:rect(0,0,0,0)"><option value=""></option><option value="a">Apple</option><option value="b">Banana</option></select>
		<div><button type="button" role="checkbox" aria-checked="false" id="terms" value="on" style="width:16px;height:16px"></button><input type="checkbox" aria-hidden="true" tabindex="-1" style="transform:translateX(-100%);position:absolute;pointer-events:none;opacity:0;margin:0;width:16px;height:16px"><label for="terms">Accept terms</label></div>` + sendForm,
		[]string{"select Fruit options:2 <#fruit>", "checkbox Accept terms <#terms>"}},
	{"USWDS", `<form class="usa-form"><p>Required fields are marked with an asterisk (<abbr title="required" class="usa-hint usa-hint--required">*</abbr>).</p><label class="usa-label" for="given-name">First or given name <abbr title="required" class="usa-hint usa-hint--required">*</abbr></label><div class="usa-hint" id="gnHint">For example, Jose</div><input class="usa-input" id="given-name" name="first-name" required aria-required="true" aria-describedby="gnHint">
		<fieldset class="usa-fieldset"><legend class="usa-legend">Date of birth</legend><span class="usa-hint" id="mdHint">For example: January 19 2000</span><div class="usa-memorable-date"><div class="usa-form-group usa-form-group--month usa-form-group--select"><label class="usa-label" for="dob_month">Month</label><select class="usa-select" id="dob_month" name="dob_month" aria-describedby="mdHint"><option value>- Select -</option><option value="1">01 - January</option><option value="2">02 - February</option></select></div><div class="usa-form-group usa-form-group--day"><label class="usa-label" for="dob_day">Day</label><input class="usa-input" id="dob_day" name="dob_day" maxlength="2" pattern="[0-9]*" inputmode="numeric"></div><div class="usa-form-group usa-form-group--year"><label class="usa-label" for="dob_year">Year</label><input class="usa-input" id="dob_year" name="dob_year" minlength="4" maxlength="4" pattern="[0-9]*" inputmode="numeric"></div></div></fieldset>
		<label class="usa-label" for="amt">Amount</label><div class="usa-input-group"><div class="usa-input-prefix" aria-hidden="true">$</div><input id="amt" class="usa-input" name="amt" inputmode="decimal"></div>
		<fieldset class="usa-fieldset"><legend class="usa-legend">Select any historical figure</legend><div class="usa-checkbox"><input class="usa-checkbox__input" id="c1" type="checkbox" name="figures" value="truth" checked><label class="usa-checkbox__label" for="c1">Sojourner Truth</label></div><div class="usa-checkbox"><input class="usa-checkbox__input" id="c2" type="checkbox" name="figures" value="none"><label class="usa-checkbox__label" for="c2">None of the above</label></div></fieldset>` + sendForm,
		[]string{"text First or given name required:attribute <#given-name>", "date Date of birth parts <#dob_month>", "number/currency Amount <#amt>", "checkbox Sojourner Truth set:figures value:Sojourner Truth <#c1>", "checkbox None of the above set:figures exclusive <#c2>"}},
	{"GOV.UK", `<form><div class="govuk-form-group"><fieldset class="govuk-fieldset" role="group" aria-describedby="passport-issued-hint"><legend class="govuk-fieldset__legend"><h1 class="govuk-fieldset__heading">When was your passport issued?</h1></legend><div id="passport-issued-hint" class="govuk-hint">For example, 27 3 2007</div><div class="govuk-date-input" id="passport-issued"><div class="govuk-date-input__item"><div class="govuk-form-group"><label class="govuk-label" for="passport-issued-day">Day</label><input id="passport-issued-day" name="passport-issued-day" type="text" inputmode="numeric"></div></div><div class="govuk-date-input__item"><div class="govuk-form-group"><label class="govuk-label" for="passport-issued-month">Month</label><input id="passport-issued-month" name="passport-issued-month" type="text" inputmode="numeric"></div></div><div class="govuk-date-input__item"><div class="govuk-form-group"><label class="govuk-label" for="passport-issued-year">Year</label><input id="passport-issued-year" name="passport-issued-year" type="text" inputmode="numeric"></div></div></div></fieldset></div>
		<div class="govuk-form-group"><label class="govuk-label" for="more-detail">Can you provide more detail? (optional)</label><div id="more-detail-hint" class="govuk-hint">Do not include personal information</div><textarea id="more-detail" name="moreDetail" rows="5" aria-describedby="more-detail-hint"></textarea></div>
		<fieldset class="govuk-fieldset"><legend>Which types of waste do you transport?</legend><div class="govuk-checkboxes"><div class="govuk-checkboxes__item"><input class="govuk-checkboxes__input" id="waste" name="waste" type="checkbox" value="carcasses"><label for="waste">Waste from animal carcasses</label></div><div class="govuk-checkboxes__item"><input id="waste-2" name="waste" type="checkbox" value="mines"><label for="waste-2">Waste from mines or quarries</label></div><div class="govuk-checkboxes__divider">or</div><div class="govuk-checkboxes__item"><input id="waste-4" name="waste" type="checkbox" value="none" data-behaviour="exclusive"><label for="waste-4">No, I do not transport waste</label></div></div></fieldset>` + sendForm,
		[]string{"date When was your passport issued? parts <#passport-issued>", "textarea Can you provide more detail? optional <#more-detail>", "checkbox Waste from animal carcasses set:waste <#waste>", "checkbox Waste from mines or quarries set:waste <#waste-2>", "checkbox No, I do not transport waste set:waste exclusive <#waste-4>"}},
	{"components with open roots", `<form><sl-input name="city" label="City" required></sl-input><sl-input name="mail" label="Email"></sl-input></form><script>customElements.define('sl-input', class extends HTMLElement { connectedCallback() { this.attachShadow({mode:'open'}).innerHTML = '<div part="form-control"><label part="form-control-label" for="input"><slot name="label">' + this.getAttribute('label') + '</slot></label><input id="input" type="text" part="input"></div>' } })</script>`,
		[]string{`text City required:attribute shadow <sl-input[name="city"]>`, `text/email Email shadow <sl-input[name="mail"]>`}},
	{"plain HTML in a table", `<form><table><tr><td>Last name:</td><td><input name=last></td></tr><tr><td>Sex</td><td><input type=radio name=sex value=m>Male <input type=radio name=sex value=f>Female</td></tr><tr><td>Born (month / day / year)</td><td><input name=bm size=2 title="Month of birth"> / <input name=bd size=2 title="Day of birth"> / <input name=by size=4 title="Year of birth"></td></tr><tr><td>County</td><td><select name=county><option>-- Select --<option>King<option>Pierce</select></td></tr></table><input type=submit value=Send></form>`,
		[]string{`text Last name <input[name="last"]>`, `radio Sex options:2 <input[name="sex"][value="m"]>`, `date Born (month / day / year) parts <input[name="bm"]>`, `select County options:2 <select[name="county"]>`}},
	{"parts with no question of their own", `<form><label for=m>Month</label><input id=m><label for=d>Day</label><input id=d><label for=y>Year</label><input id=y>` + sendForm,
		[]string{"text Month <#m>", "text Day <#d>", "text/integer Year <#y>"}},
	{"code boxes, slider, rich text, drop zone", `<form><fieldset><legend>Security code</legend><input maxlength=1 aria-label="Digit 1" id=o1><input maxlength=1 aria-label="Digit 2" id=o2><input maxlength=1 aria-label="Digit 3" id=o3><input maxlength=1 aria-label="Digit 4" id=o4></fieldset><label for=vol>Volume</label><input type=range id=vol min=0 max=10 value=5><div id=essay-l>Essay</div><div contenteditable=true role=textbox aria-multiline=true aria-labelledby=essay-l id=essay style="min-height:50px"></div><p>Letter</p><div class="dropzone" style="border:1px dashed;padding:20px"><label for=up>Drag files here or choose</label><input type=file id=up style="display:none" accept=".pdf" multiple></div>` + sendForm,
		[]string{"text Security code <#o1>", "range Volume value:5 <#vol>", "richtext Essay <#essay>", "file Letter multiple <#up>"}},
	{"asterisk by style sheet and a page convention", `<style>.must::after{content:" *"}</style><form><p>All fields are required unless marked optional.</p><label class=must for=a>Alpha</label><input id=a><label for=b>Beta (optional)</label><input id=b><label for=c>Gamma</label><input id=c>` + sendForm,
		[]string{"text Alpha required:label <#a>", "text Beta optional <#b>", "text Gamma required:convention <#c>"}},
	{"decoys", `</main><header><form role=search action=/search><input type=search name=q aria-label="Search this site"></form><select aria-label=Language><option>English<option>Español</select></header><main><form method=post><label for=n>Full name</label><input id=n name=n><div style="position:absolute;left:-9999px"><label for=hp>Leave this field empty</label><input id=hp name=hp tabindex=-1 autocomplete=off></div><label for=f>Find your school</label><input type=search id=f>` + sendForm + `</main><footer><form action=/news><label for=e>Email</label><input id=e type=email name=e><button>Subscribe</button></form></footer><div id=cookie-banner><label><input type=checkbox name=analytics>Analytics cookies</label></div>`,
		[]string{"search Search this site decoy:site search <input[name=\"q\"]>", "select Language decoy:language options:2 value:English <label=Language>", "text Full name <#n>", "text Leave this field empty unseen decoy:honeypot <#hp>", "search Find your school <#f>", "text/email Email decoy:newsletter <#e>", "checkbox Analytics cookies decoy:consent <input[name=\"analytics\"]>"}},
	{"steps that fold", `<form><h3 role=tab aria-controls=p1 aria-expanded=true>One</h3><div id=p1 role=tabpanel><fieldset><legend>Step 1 of 2</legend><label for=met>Do you work with an agent? <strong>*</strong></label> No: <input type=radio name=met value=0> Yes: <input type=radio name=met value=1 title="Please choose" checked><br>
		<label for=s1>When do you move?</label><select id=s1><option value="">-<option value=0><option>Now<option>Later</select></fieldset></div>` + sendForm,
		[]string{`radio Do you work with an agent? required:label options:2 value:Yes <input[name="met"][value="0"]>`, "select When do you move? options:2 <#s1>"}},
	{"a calendar button beside its field", `<form><div class=field><div class=flex><div class=infix><label for=born>Choose a date</label><input id=born name=born></div><div class=suffix><cal-toggle><button type=button aria-haspopup=dialog aria-label="Open calendar">c</button></cal-toggle></div></div></div>` + sendForm,
		[]string{"date Choose a date <#born>"}},
	{"a choice in the box of a choice", nestedChoice("", "", `<input id=st role=combobox inputmode=none aria-labelledby=stl>`),
		[]string{"select State late <#st>"}},
	{"a choice in the box of a choice that shows the answer", nestedChoice("<span>Ohio</span>", "", `<input id=st role=combobox inputmode=none aria-labelledby=stl value=Ohio style="opacity:0">`),
		[]string{"select State late value:Ohio <#st>"}},
	{"a choice in the box of a choice that is typed into", nestedChoice("", "", `<input id=st role=combobox aria-labelledby=stl aria-controls=none>`),
		[]string{"typeahead State late <#st>"}},
	{"a menu with boxes that is open", nestedChoice("", `<div id=menu><input aria-label=Filter><ul role=listbox aria-multiselectable=true><li role=option><input type=checkbox> Ohio</li><li role=option><input type=checkbox> Iowa</li></ul></div>`, `<input id=st role=combobox inputmode=none aria-labelledby=stl aria-controls=menu aria-expanded=true>`),
		[]string{"select State multiple options:2 <#st>"}},
	{"a list that only closes", `<form><label id=fl for=film>Film</label><input id=film role=combobox aria-autocomplete=list aria-expanded=false><ul role=listbox aria-labelledby=fl><li role=option>Up</li></ul><div id=cl>Colour</div><ul role=listbox aria-labelledby=cl><li role=option>Red</li></ul>` + sendForm,
		[]string{"typeahead Film late <#film>", "select Colour options:1 value:Red <label=Colour>"}},
	{"what belongs to no choice stays", `<form><button type=button aria-expanded=true aria-controls=more>More</button><div id=more><ul role=listbox aria-label=Size><li role=option>Small</li></ul><label><input type=checkbox id=c> Gift</label></div>` + sendForm,
		[]string{"select Size options:1 value:Small <label=Size>", "checkbox Gift <#c>"}},
	{"file controls behind buttons", `<form><div class=q><div><span>Letter from your doctor</span></div><div><input type=file id=a style="display:none"><label for=a role=button>Select File</label></div></div><div class=q><label for=b>Upload your documents</label><input type=file id=b></div><div class=q><h3>Proof of rent</h3><input type=file id=d hidden><label for=d>Choose a file</label><p>No file chosen</p></div>` + sendForm,
		[]string{"file Letter from your doctor <#a>", "file Upload your documents <#b>", "file Proof of rent <#d>"}},
	{"a hint before a date in parts", `<form><fieldset><legend>Date of birth</legend><span class=usa-hint>Select a month. Enter the day and the year.</span><div><div><label for=bm>Month</label><input id=bm></div><div><label for=bd>Day</label><input id=bd></div><div><label for=by>Year</label><input id=by></div></div></fieldset>` + sendForm,
		[]string{"date Date of birth parts <#bm>"}},
	{"pressed buttons", `<form><p>How often?</p><div role=group aria-label="How often?"><button type=button aria-pressed=true>Daily</button><button type=button aria-pressed=false>Weekly</button></div>` + sendForm,
		[]string{"radio How often? options:2 value:Daily <label=Daily>"}},
	{"Pikaday", `<form><p><label for=a>Arrival</label> <input id=a name=arrival required readonly aria-label="Use the arrow keys to pick a date"><label for=n>Nights</label><input id=n aria-label="Number of nights"><div class="pika-single is-hidden is-bound" style="display:none"></div>` + sendForm,
		[]string{"date Arrival required:attribute <#a>", "text/integer Number of nights <#n>"}},
	{"Air Datepicker with a time", `<form><label for=v>Visit</label><input id=v></form><div id="air-datepicker-global-container"><div class="air-datepicker -active-">` + strings.Join(days(), "") + `<div class="air-datepicker-time"><input type=range name=hours min=0 max=23><input type=range name=minutes min=0 max=59></div></div></div><form>` + sendForm,
		[]string{"text Visit <#v>"}},
	{"marks and dates in other languages", `<form><label>Geburtsdatum (TT.MM.JJJJ) <input name=a></label><label>Date de naissance (obligatoire) <input name=b placeholder="JJ/MM/AAAA"></label><label>【必須】生年月日 <input name=c placeholder="例）1990/4/1"></label><label>ご意見（任意）<input name=d></label><label>Straße Pflichtfeld <input name=e></label><label>Fecha de llegada <span>opcional</span> <input name=f></label><label>電話番号 必須 <input name=g></label><label>Visite facultative : où ? <input name=h></label>` + sendForm,
		[]string{`date Geburtsdatum (TT.MM.JJJJ) mask:DD.MM.YYYY <input[name="a"]>`, `date Date de naissance required:label mask:DD/MM/YYYY <input[name="b"]>`, `date 生年月日 required:label mask:YYYY/M/D <input[name="c"]>`, `text ご意見 optional <input[name="d"]>`, `text Straße required:label <input[name="e"]>`, `date Fecha de llegada opcional optional <input[name="f"]>`, `text/phone 電話番号 required:label <input[name="g"]>`, `text Visite facultative : où ? <input[name="h"]>`}},
	{"choices that look alike", `<form><fieldset><legend>Stars</legend><input type=radio id=s2 name=s value=2><label for=s2 title="2 stars">★</label><input type=radio id=s1 name=s value=1><label for=s1 title="1 star">★</label></fieldset>` + sendForm,
		[]string{`radio Stars options:2 <#s2>`}},
	{"a list that shows its prompt as an option", `<form><div id=l role=listbox aria-label=Day tabindex=0><div role=option aria-selected=true data-value="">Choose</div><div role=option aria-selected=false data-value=Mon>Mon</div><div role=option aria-selected=false data-value=Tue>Tue</div></div>` + sendForm,
		[]string{`select Day options:2 <#l>`}},
	{"forms beside the form", `<form action=/a><label for=n>Name</label><input id=n><label for=t>Town</label><input id=t>` + sendForm + `</main><aside><form action=/news><label for=e>Your email</label><input id=e type=email><button>Subscribe</button></form></aside><section><h2>Was this page helpful?</h2><form action=/f><label><input type=radio name=h value=y>Yes</label><label><input type=radio name=h value=n>No</label><button>Send feedback</button></form></section><main>`,
		[]string{"text Name <#n>", "text Town <#t>", "text/email Your email decoy:newsletter <#e>", `radio Yes decoy:feedback options:2 <input[name="h"][value="y"]>`}},
	{"formats", `<form><label>Date of birth <input name=a placeholder="MM/DD/YYYY"></label><label>ZIP code <input name=b></label><label>Annual household income <input name=c></label><label>How many people live with you? <input name=d inputmode=numeric></label><label>Interest rate (%) <input name=e></label><label>Social Security Number <input name=f></label><label>Name of employer <input name=g></label><label>Source of income <input name=h></label><label>How did you hear about our website? <input name=i></label><label>Phone type <input name=j></label><label>Expiration (MM/YYYY) <input name=k></label><label>Account number <input name=l inputmode=numeric></label>` + sendForm,
		[]string{`date Date of birth mask:MM/DD/YYYY <input[name="a"]>`, `text/zip ZIP code <input[name="b"]>`, `text/currency Annual household income <input[name="c"]>`, `number/integer How many people live with you? <input[name="d"]>`, `text/percent Interest rate (%) <input[name="e"]>`, `text/ssn Social Security Number <input[name="f"]>`, `text Name of employer <input[name="g"]>`, `text Source of income <input[name="h"]>`, `text How did you hear about our website? <input[name="i"]>`, `text Phone type <input[name="j"]>`, `date/month Expiration (MM/YYYY) mask:MM/YYYY <input[name="k"]>`, `text Account number <input[name="l"]>`}},
}

func TestIdioms(t *testing.T) {
	for _, tt := range idioms {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, tt.html)
			inv, err := v.Controls(v.ctx, 0)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range inv.Controls {
				got = append(got, brief(c))
			}
			same(t, "controls", tt.want, got)
			v.agreeing(t, inv)
			if strings.Contains(tt.html, sendForm) && (len(inv.Buttons) == 0 || !anyPrimary(inv.Buttons, "Continue")) {
				t.Errorf("Continue is not the main action: %+v", inv.Buttons)
			}
		})
	}
}

// TestButtonsOfOtherForms: a newsletter's button is marked, so that nobody takes it
// for the way on.
func TestButtonsOfOtherForms(t *testing.T) {
	v := show(t, `<form action=/a><label for=n>Name</label><input id=n><label for=t>Town</label><input id=t><input type=button value=Next></form><form action=/news><label for=e>Your email</label><input id=e type=email><button>Subscribe</button></form>`)
	inv, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var aside []string
	for _, b := range inv.Buttons {
		aside = append(aside, fmt.Sprint(b.Text, " ", b.Aside))
	}
	same(t, "buttons", []string{"Next false", "Subscribe true"}, aside)
}

func anyPrimary(list []page.Press, text string) bool {
	for _, b := range list {
		if b.Primary && b.Text == text {
			return true
		}
	}
	return false
}
