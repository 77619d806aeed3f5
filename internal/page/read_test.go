package page_test

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg"
	"net/http"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

func TestRead(t *testing.T) {
	nav := strings.Repeat("<a href=#>Navigation item</a> ", 300)
	v := visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Result</title><header><nav>`, nav, `</nav></header>
		<main><h1>Your estimate</h1><p>Student Aid Index</p><p style="font-size:40px">$24,789</p>
		<dl><dt>Reference:</dt><dd>R-17</dd><dt>Status</dt><dd>Done</dd></dl>
		<table><tr><th>Year</th><th>Amount</th></tr><tr><td>1</td><td>$100</td></tr></table>
		<table><tr><th>Loan</th><td>Direct</td></tr></table>
		<p>Interest rate: 5.5 %</p><a href="/answer.pdf">Your letter</a><p hidden>Secret: no</p></main><footer>Contact: us</footer>`)
	}))
	got, err := v.Read(v.ctx, 500)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(got.Text, "Your estimate") || len(got.Text) > 500 || got.TextLength < len(nav)/3 {
		t.Errorf("text of %d, true length %d: %q", len(got.Text), got.TextLength, got.Text)
	}
	same(t, "heading", "Your estimate", got.Heading)
	same(t, "pairs", []page.Pair{{Label: "Reference", Value: "R-17"}, {Label: "Status", Value: "Done"}, {Label: "Loan", Value: "Direct"}, {Label: "Interest rate", Value: "5.5 %"}}, got.Pairs)
	same(t, "amounts", []page.Pair{{Label: "Student Aid Index", Value: "$24,789"}}, got.Amounts)
	same(t, "first table", [][]string{{"Year", "Amount"}, {"1", "$100"}}, got.Tables[0])
	same(t, "links", []page.Link{{Text: "Your letter", URL: v.url + "/answer.pdf"}}, got.Links)
	texts, err := v.Texts(v.ctx, []page.Target{{Selector: "dd"}, {Selector: ".none"}, {Selector: "h1"}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "texts", []string{"R-17", "", "Your estimate"}, texts)
}

// TestShots: tiles have their sizes, a marked field is unreadable in them, and
// the page is as it was afterwards.
func TestShots(t *testing.T) {
	v := show(t, `<input id=f value="123-45-6789" style="width:300px;height:60px;font-size:40px;color:#000;background:#fff;border:0;position:absolute;left:0;top:0"><div style="height:4500px"></div>`)
	before := v.eval(t, "() => document.querySelector('#f').outerHTML")
	hidden, err := v.Shots(v.ctx, page.ShotOptions{Quality: 80, MaxTiles: 3, MaxWidth: 640, Hide: []page.Target{{Selector: "#f"}}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the field afterwards", before, v.eval(t, "() => document.querySelector('#f').outerHTML"))
	plain, err := v.Shots(v.ctx, page.ShotOptions{Quality: 80, MaxTiles: 1, MaxWidth: 640})
	if err != nil {
		t.Fatal(err)
	}
	if len(hidden) != 3 || len(plain) != 1 {
		t.Fatalf("%d and %d tiles, want 3 and 1", len(hidden), len(plain))
	}
	if plain[0].Tile != 1 || plain[0].Tiles != 3 {
		t.Errorf("a page that was cut says tile %d of %d, want 1 of 3", plain[0].Tile, plain[0].Tiles)
	}
	if n := dark(t, plain[0]); n == 0 {
		t.Error("the field's text is not in the plain picture: the test looks at the wrong place")
	}
	if n := dark(t, hidden[0]); n != 0 {
		t.Errorf("%d dark pixels of text are in the picture", n)
	}
	for _, s := range hidden {
		c, _, err := image.DecodeConfig(bytes.NewReader(s.Data))
		if err != nil {
			t.Fatal(err)
		}
		if c.Width != s.Width || c.Height != s.Height || c.Width > 640 || s.Tiles != 3 {
			t.Errorf("tile %d of %d is %dx%d, said %dx%d", s.Tile, s.Tiles, c.Width, c.Height, s.Width, s.Height)
		}
	}
}

// dark counts the dark pixels where the field is.
func dark(t *testing.T, s page.Image) int {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(s.Data))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for y := range 30 {
		for x := range 150 {
			if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0x4000 {
				n++
			}
		}
	}
	return n
}

func TestVerdict(t *testing.T) {
	fields := `<label>Name <input></label><label>City <input></label><label>Age <input></label>`
	tests := []struct{ name, body, want string }{
		{"form", `<h1>Apply</h1>` + fields, ""},
		{"form with the words", `<h1>Report a login problem</h1><p>Were you blocked? Was access denied? Did you get a CAPTCHA or a verification code by email?</p>` + fields, ""},
		{"form that asks for a code", `<h1>Business</h1><p>We will e-mail you.</p><label>Security code on the card <input></label><label>City <input></label>`, ""},
		{"hidden CAPTCHA badge", `<h1>Apply</h1><div class=grecaptcha-badge><iframe title=reCAPTCHA src="about:blank?recaptcha" width=256 height=60></iframe></div>` + fields, ""},
		{"sign-in box in the header", `<form><input aria-label=User><input type=password aria-label=Password></form><h1>Apply</h1><form>` + fields + `</form>`, ""},
		{"denied", `<h1>Access Denied</h1><p>You don't have permission to access this server. Reference #18.2`, "blocked"},
		{"checked", `<h1>Just a moment...</h1><p>Checking your browser</p>`, "blocked"},
		{"CAPTCHA frame", `<h1>Apply</h1>` + fields + `<iframe title="reCAPTCHA" width=304 height=78></iframe>`, "captcha"},
		{"CAPTCHA box", `<h1>Apply</h1>` + fields + `<div class=h-captcha style="width:300px;height:74px;background:#eee"></div>`, "captcha"},
		{"slider", `<h1>Security check</h1><p>Slide the puzzle piece to verify</p>`, "captcha"},
		{"sign-in", `<h1>Sign in</h1><form><label>User <input></label><label>Password <input type=password></label></form>`, "login"},
		{"code", `<h1>Check your phone</h1><p>We sent a code by text message to your phone.</p><label>Verification code <input></label>`, "otp"},
		{"marked code", `<label>Code <input autocomplete=one-time-code></label>`, "otp"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			place, err := show(t, tt.body).Place(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if place.Verdict.Kind != tt.want {
				t.Errorf("verdict %+v, want %q", place.Verdict, tt.want)
			}
		})
	}
	v := visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusForbidden) }))
	if place, err := v.Place(v.ctx); err != nil || place.Verdict.Kind != page.VerdictBlocked || place.Status != 403 {
		t.Errorf("%+v, %v", place, err)
	}
}

func TestErrors(t *testing.T) {
	fields := []page.Target{{Selector: "#name"}, {Selector: "[name=status]"}, {Selector: "#month"}}
	v := visit(t, pool, form(`<div class="usa-alert usa-alert--error"><h2>2 errors</h2><ul><li>Enter a name</li></ul></div>
		<form action=/next><label for=name>Name</label><span class=usa-error-message id=ne>Enter a name</span><input id=name aria-describedby=ne aria-invalid=true>
		<fieldset><legend>Status</legend><p class=govuk-error-message>Choose a status</p><label><input type=radio name=status value=a>A</label><label><input type=radio name=status value=b>B</label></fieldset>
		<fieldset role=group><legend>Born</legend><div><label>Month <input id=month></label><label>Day <input id=day></label><div class=field-error>Enter a real date</div></div></fieldset>
		<p role=alert class=success>Saved</p><p class=error-message hidden>not shown</p><button type=button>Go</button></form>`))
	step, err := v.Advance(v.ctx, page.Target{Selector: "#none", Text: "Go"}, page.Proof{Fields: fields})
	if err != nil || step.Moved {
		t.Fatalf("%+v, %v", step, err)
	}
	want := []page.FormError{
		{Text: "Enter a name", Label: "Name", Selector: "#name", FieldIndex: 0},
		{Text: "Choose a status", Label: "Status", Selector: `input[name="status"][value="a"]`, FieldIndex: 1},
		{Text: "Enter a real date", Label: "Day", Selector: "#day", FieldIndex: 2},
	}
	same(t, "errors of the step", want, step.Errors)
	got, err := v.Errors(v.ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "errors", want, got)
}

// TestErrorsThatAreLinks: a plain box of errors that leads to the fields is a
// summary of them, and a message with a link to help is still one message.
func TestErrorsThatAreLinks(t *testing.T) {
	v := show(t, `<h1>About you</h1><form><div class=error><p>Please correct:</p><p><a href="#town">Enter a town</a></p><p><a href="#name">Enter a name</a></p></div>
		<p><label>Name <input id=name></label></p><p><label>Town <input id=town></label></p>
		<p><label>Born <input id=born></label> <span class=error>Enter a year, see <a href="#help">how</a></span></p><p id=help>Help</p></form>`)
	got, err := v.Errors(v.ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	about := map[string]string{}
	for _, e := range got {
		about[e.Text] = e.Selector
	}
	same(t, "errors", map[string]string{"Enter a town": "#town", "Enter a name": "#name", "Enter a year, see how": "#born"}, about)
}

// TestErrorsBeforeTheirFields: a message between a label and its field is about
// that field, also where other questions stand in the same fieldset; and where a
// summary links to a field is surer than what a message is near to.
func TestErrorsBeforeTheirFields(t *testing.T) {
	v := show(t, `<h1>About you</h1><div class=usa-alert--error><ul><li><a href="#nick">Enter a nickname</a></li></ul></div><form><fieldset><legend>Name</legend>
		<label for=given>Given name</label><div class=usa-hint>As on your card</div><span class=usa-error-message>Enter a given name</span><input id=given>
		<label for=middle>Middle name</label><input id=middle>
		<label for=family>Family name</label><div class=usa-hint>As on your card</div><span class=usa-error-message>Enter a family name</span><input id=family>
		<input id=other aria-label=Other><span class=usa-error-message>Enter a nickname</span><i></i><b></b><input id=nick aria-label=Nickname></fieldset></form>`)
	got, err := v.Errors(v.ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	about := map[string]string{}
	for _, e := range got {
		about[e.Text] = e.Selector
	}
	same(t, "errors", map[string]string{"Enter a given name": "#given", "Enter a family name": "#family", "Enter a nickname": "#other"}, about)
	fields := []page.Target{{Selector: "#other"}, {Selector: "#nick"}}
	step, err := v.Advance(v.ctx, page.Target{Selector: "h1"}, page.Proof{Fields: fields})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range step.Errors {
		if e.Text == "Enter a nickname" && e.FieldIndex != 1 {
			t.Errorf("the summary is about the nickname: %+v", e)
		}
	}
}
