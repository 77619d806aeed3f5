package page_test

import (
	"encoding/json"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

const readValue = "() => document.querySelector('#f').value"

// TestSet sets one widget after another and asks the page what it holds.
func TestSet(t *testing.T) {
	opt := func(pairs ...string) []page.Option {
		var out []page.Option
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, page.Option{Value: pairs[i], Label: pairs[i+1]})
		}
		return out
	}
	checked := "() => [...document.querySelectorAll('input:checked')].map((e) => e.id || e.value).join(',')"
	selected := "() => [...document.querySelector('select').selectedOptions].map((o) => o.value).join(',')"
	radios := `<fieldset><legend>Status</legend><input type=radio name=s id=fsa_Unmarried value=u><label for=fsa_Unmarried>Single</label>
		<input type=radio name=s id=fsa_MarriedRe value=m><label for=fsa_MarriedRe>Married or remarried</label></fieldset>`
	hiddenRadios := `<style>input{display:none}</style>` + radios
	tests := []struct {
		name, html string
		answer     page.Answer
		read, want string
		state      string
	}{
		{"text", `<label>Name <input id=f></label>`, field("#f", page.KindText, "Ada"), readValue, "Ada", "set"},
		{"text already", `<input id=f value=Ada>`, field("#f", page.KindText, "Ada"), readValue, "Ada", "already"},
		{"text replaces", `<input id=f value=3>`, field("#f", page.KindNumber, json.Number("25")), readValue, "25", "set"},
		{"number of many digits", `<input id=f>`, field("#f", page.KindNumber, json.Number("123456789012345678.10")), readValue, "123456789012345678.10", "set"},
		{"number of many digits, rounded", `<input id=f oninput="if (this.value) this.value = '123456789012345680'">`, field("#f", page.KindNumber, json.Number("123456789012345678")), readValue, "123456789012345680", "value_mismatch"},
		{"number with an exponent", `<input id=f>`, field("#f", page.KindNumber, json.Number("1.25E+3")), readValue, "1250", "set"},
		{"number with a small exponent", `<input id=f type=number step=any>`, field("#f", page.KindNumber, json.Number("-5e-3")), readValue, "-0.005", "set"},
		{"number strips money", `<input id=f type=number>`, field("#f", page.KindNumber, "$1,250"), readValue, "1250", "set"},
		{"readonly", `<input id=f readonly value=1>`, field("#f", page.KindText, "2"), readValue, "1", "readonly"},
		{"disabled", `<input id=f disabled>`, field("#f", page.KindText, "2"), readValue, "", "disabled"},
		{"not found", `<p>nothing`, field("#f", page.KindText, "2"), "() => ''", "", "not_found"},
		{"hidden", `<input id=f style="display:none">`, field("#f", page.KindText, "2"), readValue, "", "hidden"},
		{"honeypot", `<div style="position:absolute;left:-9999px"><label>Leave empty <input id=f></label></div>`, field("#f", page.KindText, "2"), readValue, "", "hidden"},
		{"off-screen input of a visible label", `<label for=f>Name</label><input id=f style="position:absolute;left:-999em">`, field("#f", page.KindText, "Ada"), readValue, "Ada", "set"},
		{"ambiguous", `<input class=x id=a><input class=x id=b>`, field(".x", page.KindText, "2"), "() => ''", "", "ambiguous [input#a|input#b]"},
		{"textarea", `<textarea id=f></textarea>`, field("#f", page.KindTextarea, "one\ntwo"), readValue, "one\ntwo", "set"},
		{"too long", `<input id=f maxlength=3>`, field("#f", page.KindText, "abcdef"), readValue, "", "value_mismatch"},
		{"select by value", `<select id=f><option value="">-<option value=a>Alpha<option value=b>Beta</select>`, field("#f", page.KindSelect, "b"), readValue, "b", "set"},
		{"select by label", `<select id=f><option value="">-<option value=a>Alpha<option value=b>Beta</select>`, field("#f", page.KindSelect, "beta"), readValue, "b", "set"},
		{"select folds quotes and spaces", "<select id=f><option value=''>-<option value=b>Bachelor\u2019s\u00a0degree </select>", field("#f", page.KindSelect, "Bachelor's degree"), readValue, "b", "set"},
		{"select machine word", "<select id=f><option value=''>-<option value=7>Bachelor\u2019s degree</select>", field("#f", page.KindSelect, "bachelors_degree"), readValue, "7", "set"},
		{"select same label twice", `<select id=f><option value=1>Other<option value=2>Other</select>`, field("#f", page.KindSelect, "Other"), "() => ''", "", "option_not_found [Other [1]|Other [2]]"},
		{"select missing option", `<select id=f><option value=a>Alpha<option value=b>Beta</select>`, field("#f", page.KindSelect, "Gamma"), readValue, "a", "option_not_found [Alpha|Beta]"},
		{"select multiple", `<select id=f multiple><option value=a selected>A<option value=b>B<option value=c>C</select>`, field("#f", page.KindSelect, []string{"B", "c"}), selected, "b,c", "set"},
		{"radio by value", radios, field("#fsa_Unmarried", page.KindRadio, "m"), checked, "fsa_MarriedRe", "set"},
		{"radio by the tail of its id", radios, field("#fsa_Unmarried", page.KindRadio, "married"), checked, "fsa_MarriedRe", "set"},
		{"radio without display", hiddenRadios, field("#fsa_Unmarried", page.KindRadio, "single"), checked, "fsa_Unmarried", "set"},
		{"radio missing", radios, field("#fsa_Unmarried", page.KindRadio, "widowed"), checked, "", "option_not_found [Single|Married or remarried]"},
		{"radio yes", `<input type=radio name=r id=y value=1><label for=y>Yes</label><input type=radio name=r id=n value=0><label for=n>No</label>`, field("#y", page.KindRadio, false), checked, "n", "set"},
		{"radio by known label", radios, page.Answer{Input: page.Input{ID: "s", Kind: page.KindRadio, Target: page.Target{Selector: "#fsa_Unmarried"}, Options: opt("code_2", "Married or remarried")}, Value: "code_2"}, checked, "fsa_MarriedRe", "set"},
		{"checkbox on", `<input type=checkbox id=f>`, field("#f", page.KindCheckbox, true), checked, "f", "set"},
		{"checkbox stays on", `<input type=checkbox id=f checked>`, field("#f", page.KindCheckbox, true), checked, "f", "already"},
		{"checkbox off", `<input type=checkbox id=f checked>`, field("#f", page.KindCheckbox, false), checked, "", "set"},
		{"checkbox half", `<input type=checkbox id=f><script>f.indeterminate=true</script>`, field("#f", page.KindCheckbox, true), "() => f.checked + ',' + f.indeterminate", "true,false", "set"},
		{"checkbox group", `<fieldset><label><input type=checkbox name=c value=a checked>A</label><label><input type=checkbox name=c value=b>B</label><label><input type=checkbox name=c value=c>C</label></fieldset>`, field("[name=c]", page.KindCheckbox, []string{"B", "c"}), checked, "b,c", "set"},
		{"switch", `<div id=f role=switch aria-checked=false tabindex=0 onclick="setTimeout(()=>this.setAttribute('aria-checked',this.getAttribute('aria-checked')!='true'),30)" style="width:40px;height:20px">x</div>`, field("#f", page.KindCheckbox, true), "() => f.getAttribute('aria-checked')", "true", "set"},
		{"date", `<input type=date id=f>`, field("#f", page.KindDate, "2004-02-29"), readValue, "2004-02-29", "set"},
		{"date that is none", `<input type=date id=f>`, field("#f", page.KindDate, "2003-02-29"), readValue, "", "value_mismatch"},
		{"month", `<input type=month id=f>`, field("#f", page.KindDate, "2004-02"), readValue, "2004-02", "set"},
		{"masked date", `<input id=f placeholder="DD/MM/YYYY">`, field("#f", page.KindDate, "2004-02-28"), readValue, "28/02/2004", "set"},
		{"range", `<input type=range id=f min=0 max=10>`, field("#f", page.KindRange, json.Number("7")), readValue, "7", "set"},
		{"contenteditable", `<div id=f contenteditable=true>old</div>`, field("#f", page.KindRichText, "new words"), "() => f.innerText", "new words", "set"},
		{"datalist", `<input id=f list=l><datalist id=l><option>Ohio<option>Iowa</datalist>`, field("#f", page.KindTypeahead, "iowa"), readValue, "Iowa", "set"},
		{"datalist miss", `<input id=f list=l><datalist id=l><option>Ohio<option>Iowa</datalist>`, field("#f", page.KindTypeahead, "Utah"), readValue, "", "option_not_found [Ohio|Iowa]"},
		{"mask on input", `<input id=f oninput="const d=this.value.replace(/\D/g,'');this.value=d.length==10?'('+d.slice(0,3)+') '+d.slice(3,6)+'-'+d.slice(6):d">`, field("#f", page.KindText, "5551234567"), readValue, "(555) 123-4567", "set"},
		{"currency on blur", `<input id=f onblur="this.value='$'+Number(this.value.replace(/[^0-9.]/g,'')).toLocaleString('en-US',{minimumFractionDigits:2})">`, field("#f", page.KindText, "120000"), readValue, "$120,000.00", "set"},
		{"keys only", `<input id=f><script>let v='';f.addEventListener('keydown',e=>{if(!e.isTrusted)return;if(e.key==='Backspace'){v=''}else if(e.key.length===1&&!e.ctrlKey){v+=e.key}});f.addEventListener('keyup',()=>{f.value=v});f.addEventListener('blur',()=>{f.value=v})</script>`, field("#f", page.KindText, "abc"), readValue, "abc", "set"},
		{"page refuses", `<input id=f oninput="this.value='no'">`, field("#f", page.KindText, "abc"), readValue, "no", "value_mismatch"},
		{"page takes it back later", `<input id=f><script>let n=0;f.addEventListener('change',()=>{if(!n++)requestAnimationFrame(()=>{f.value=''})})</script>`, field("#f", page.KindText, "abc"), readValue, "abc", "set"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, tt.html)
			v.ElementTimeout = 0 // nothing comes later on these pages
			got := v.set(t, tt.answer)
			same(t, "state", []string{tt.state}, states(got))
			same(t, "page", tt.want, v.eval(t, tt.read))
		})
	}
}
