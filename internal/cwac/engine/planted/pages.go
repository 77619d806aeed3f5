package planted

// Fault is what is wrong with a page, and how often.
type Fault struct {
	// Rule is axe-core's name of the rule, or "reflow" or "focus".
	Rule  string
	Nodes int
	// Note says what is special, such as where the fault hides.
	Note string
	// Best marks a best practice, which no success criterion demands.
	Best bool
	// Hidden marks a fault in a closed shadow root, which a script of the page cannot
	// enter and CWAC does not see.
	Hidden bool
	// Late marks a fault that comes two seconds after the page.
	Late bool
	// Framed marks a fault inside a frame.
	Framed bool
}

// The names of the faults that are not axe-core's.
const (
	RuleReflow = "reflow"
	RuleFocus  = "focus"
)

// Page is one page of the site.
type Page struct {
	Name   string // the path is "/" + Name + ".html"
	Faults []Fault

	body string
	bare frame
}

// frame says how a page differs from the others outside of its main part.
type frame struct {
	noLang, noTitle bool
	viewport        string // instead of the usual tag
	head            string // at the end of the head
	before          string // at the start of the body
}

// picture is a GIF of one pixel.
const picture = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

// Pages are the pages that the navigation of the site links to, in its order.
func Pages() []Page { return append(written(), scripted()...) }

// written are the pages whose faults are in their markup.
func written() []Page {
	return []Page{
		{Name: "index", body: `<p>Welcome. This page has no planted faults.</p><p><a href="/old">Old address</a> <a href="/gone.html">A missing page</a> <a href="/files/report.pdf">Annual report (PDF)</a> <a href="mailto:a@example.org">Mail us</a> <a href="#main">Back to main</a> <a href="https://example.org/">Elsewhere</a> <a href="/private/secret.html">Private page</a> <a href="/download">Download without extension</a> <a href="/nohead.html">Page that refuses HEAD</a> <a href="/about.html?utm_source=x">About with query</a> <a href="/ABOUT.html">Upper case about</a></p>`},
		{Name: "about", body: `<article>` + prose() + `</article>`},
		{
			Name:   "images",
			body:   `<img src="` + picture + `"><img src="` + picture + `"><div role="img" style="width:9px;height:9px"></div><form><input type="image" src="` + picture + `"></form><img src="` + picture + `" alt="">`,
			Faults: []Fault{{Rule: "image-alt", Nodes: 2}, {Rule: "role-img-alt", Nodes: 1}, {Rule: "input-image-alt", Nodes: 1}},
		},
		{
			Name:   "contrast",
			body:   `<p style="color:#999">Grey one on white</p><p style="color:#aaa">Grey two</p><p style="background:#ffd;color:#cc9">Yellow three</p><p style="color:#777;font-size:24px">Large but passing text</p>`,
			Faults: []Fault{{Rule: "color-contrast", Nodes: 3}},
		},
		{
			Name:   "forms",
			body:   `<form><input type="text" name="a"><input type="email" name="b" placeholder="mail"><textarea name="c"></textarea><select name="d"><option>1</option></select><label>Name <input autocomplete="not-a-token" name="e"></label></form>`,
			Faults: []Fault{{Rule: "label", Nodes: 2, Note: "the placeholder of the second input counts as its name"}, {Rule: "select-name", Nodes: 1}, {Rule: "autocomplete-valid", Nodes: 1}},
		},
		{
			Name:   "links",
			body:   `<a href="/about.html"></a><a href="/about.html"><img src="` + picture + `" alt=""></a><p style="color:#111">Text with <a href="/about.html" style="color:#222;text-decoration:none">an unmarked link</a> inside it.</p>`,
			Faults: []Fault{{Rule: "link-name", Nodes: 2}, {Rule: "link-in-text-block", Nodes: 1}},
		},
		{
			Name:   "headings",
			body:   `<h2></h2><h4>Skipped level</h4><p><b style="font-size:28px">Looks like a heading</b></p><p>Body text under it.</p>`,
			Faults: []Fault{{Rule: "empty-heading", Nodes: 1, Best: true}, {Rule: "heading-order", Nodes: 1, Best: true}},
		},
		{
			Name: "lang", bare: frame{noLang: true},
			body:   `<p>No language. <span lang="xx-bogus">bad tag</span></p>`,
			Faults: []Fault{{Rule: "html-has-lang", Nodes: 1}, {Rule: "valid-lang", Nodes: 1}},
		},
		{Name: "title", bare: frame{noTitle: true}, body: `<p>No title element.</p>`, Faults: []Fault{{Rule: "document-title", Nodes: 1}}},
		{
			Name:   "tables",
			body:   `<table><tr><th scope="col" id="h1">A</th><th scope="col">B</th></tr><tr><td headers="nope">1</td><td>2</td></tr></table>`,
			Faults: []Fault{{Rule: "td-headers-attr", Nodes: 1}},
		},
		{
			Name:   "lists",
			body:   `<ul><div>not an item</div><li>ok</li></ul><li>orphan</li><dl><p>bad</p><dt>t</dt><dd>d</dd></dl><dt>orphan term</dt>`,
			Faults: []Fault{{Rule: "list", Nodes: 1}, {Rule: "listitem", Nodes: 1}, {Rule: "definition-list", Nodes: 1}, {Rule: "dlitem", Nodes: 1}},
		},
		{
			Name: "aria",
			body: `<div role="checkbox" tabindex="0">no state</div><div role="bogus">x</div><button aria-expanded="maybe">m</button><div aria-hidden="true"><button>hidden focus</button></div><div role="slider" tabindex="0" aria-label="v"></div><ul role="list"><li aria-level="9x">y</li></ul><button aria-foo="1">z</button>`,
			Faults: []Fault{
				{Rule: "aria-required-attr", Nodes: 2}, {Rule: "aria-roles", Nodes: 1}, {Rule: "aria-valid-attr-value", Nodes: 1},
				{Rule: "aria-hidden-focus", Nodes: 1}, {Rule: "aria-valid-attr", Nodes: 1},
			},
		},
	}
}

// scripted are the pages whose faults come with frames, components, scripts or the
// window.
func scripted() []Page {
	return []Page{
		{
			Name:   "iframe",
			body:   `<iframe src="/frames/inner.html" width="200" height="100"></iframe><iframe title="named" src="/frames/inner.html" width="200" height="100"></iframe>`,
			Faults: []Fault{{Rule: "frame-title", Nodes: 1}, {Rule: "image-alt", Nodes: 2, Framed: true, Note: "one inside each frame"}},
		},
		{
			Name:   "shadow",
			body:   `<open-box></open-box><closed-box></closed-box><script>class O extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<button></button><img src="` + picture + `">'}}class C extends HTMLElement{connectedCallback(){this.attachShadow({mode:'closed'}).innerHTML='<button></button>'}}customElements.define('open-box',O);customElements.define('closed-box',C)</script>`,
			Faults: []Fault{{Rule: "button-name", Nodes: 1}, {Rule: "button-name", Nodes: 1, Hidden: true, Note: "in a closed shadow root"}, {Rule: "image-alt", Nodes: 1}},
		},
		{
			Name:   "details",
			body:   `<details><summary>More</summary><img src="` + picture + `"><p style="color:#bbb">faint text inside details</p></details>`,
			Faults: []Fault{{Rule: "image-alt", Nodes: 1, Note: "in a closed details element"}, {Rule: "color-contrast", Nodes: 1, Note: "in a closed details element"}},
		},
		{
			Name:   "spa",
			body:   `<div id="app"><p>Loading</p></div><script>setTimeout(()=>{document.getElementById('app').innerHTML='<img src="` + picture + `">'},50);setTimeout(()=>{const d=document.createElement('div');d.innerHTML='<button></button><a href="/spa-only.html">Only in the app</a>';document.getElementById('app').append(d)},2000)</script>`,
			Faults: []Fault{{Rule: "image-alt", Nodes: 1, Note: "after 50 ms"}, {Rule: "button-name", Nodes: 1, Late: true, Note: "after 2 s"}},
		},
		{Name: "overflow", body: `<div style="width:800px;background:#eee">A fixed 800 pixel box that overflows a phone.</div>`, Faults: []Fault{{Rule: RuleReflow, Nodes: 1}}},
		{
			Name: "focus", bare: frame{head: `<style>.nf:focus{outline:none;box-shadow:none}</style>`},
			body:   `<p><a class="nf" href="/about.html">one</a> <a class="nf" href="/forms.html">two</a> <a href="/links.html">three</a> <button class="nf">four</button></p>`,
			Faults: []Fault{{Rule: RuleFocus, Nodes: 3}},
		},
		{
			Name: "cookie", bare: frame{before: `<div id="cb" style="position:fixed;inset:auto 0 0 0;height:70%;background:#222;color:#333;z-index:99"><p>We use cookies</p><button></button></div>`},
			body:   `<p>Text behind the banner.</p>`,
			Faults: []Fault{{Rule: "color-contrast", Nodes: 1, Note: "in the banner"}, {Rule: "button-name", Nodes: 1, Note: "in the banner"}},
		},
		{
			Name: "viewport", bare: frame{viewport: `<meta name="viewport" content="width=device-width, user-scalable=no, maximum-scale=1">`},
			body:   `<button></button><div id="dup">a</div><div id="dup">b</div><marquee>moving</marquee>`,
			Faults: []Fault{{Rule: "meta-viewport", Nodes: 1}, {Rule: "button-name", Nodes: 1}, {Rule: "marquee", Nodes: 1}},
		},
	}
}

// aside are the pages that the navigation does not link to.
func aside() []Page {
	return []Page{
		{Name: "orphan", body: `<p>Only in the sitemap.</p>`},
		{Name: "nohead", body: `<p>Server answers 405 to HEAD.</p>`},
		{Name: "spa-only", body: `<p>Linked after two seconds.</p>`},
		{Name: "secret", body: `<p>Disallowed.</p>`},
	}
}
