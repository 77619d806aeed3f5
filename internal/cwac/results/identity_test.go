package results

import "testing"

// The values are those that runs of CWAC wrote.
func TestIssueIDIsTheOneOfCWAC(t *testing.T) {
	html := `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`
	for v, want := range map[Viewport]string{{"medium", 1280, 800}: "fac089e95f", {"small", 320, 450}: "41bf309b2b"} {
		if got := IssueID("http://127.0.0.1:8765/", "image-alt", html, v); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
}

func TestFingerprint(t *testing.T) {
	base := Finding{Audit: AuditAxe, Rule: "link-name", HTML: `<a id="more" class="btn big" href="/news?p=1"></a>`, Target: "//main[@id='main']/ul/li[3]/a"}
	with := func(change func(*Finding)) Finding {
		f := base
		change(&f)
		return f
	}
	html := func(text string) Finding { return with(func(f *Finding) { f.HTML = text }) }
	target := func(text string) Finding { return with(func(f *Finding) { f.Target = text }) }
	same := map[string]Finding{
		"another page, viewport and count": with(func(f *Finding) { f.View.URL, f.View.Viewport.Width, f.Count, f.IssueID = "x", 1280, 5, "y" }),
		"another query":                    html(`<a id="more" class="btn big" href="/news?p=2#top"></a>`),
		"another white space":              html("<a  id='more'\n class=\"btn   big\" href=\"/news\"></a>"),
		"a class of a style tool":          html(`<a id="more" class="btn css-1q2w3e4 sc-bZkLmX big" href="/news"></a>`),
		"another sibling":                  target("//main[@id='main']/ul/li[12]/a"),
		"another place of the landmark":    target("/html/body/div[2]/div/main[@id='main']/ul/li/a"),
		"a made id around it":              target("//main[@id='main']/ul[@id='mui-48213']/li[3]/a"),
	}
	for name, f := range same {
		if Fingerprint(f) != Fingerprint(base) {
			t.Errorf("%s: differs: %s %s", name, stableHTML(f.HTML), stablePath(f.Target))
		}
	}
	differ := map[string]Finding{
		"another rule":    with(func(f *Finding) { f.Rule = "image-alt" }),
		"another audit":   with(func(f *Finding) { f.Audit = AuditHTML }),
		"another element": html(`<img id="more" class="btn big" href="/news">`),
		"another class":   html(`<a id="more" class="btn small" href="/news"></a>`),
		"another address": html(`<a id="more" class="btn big" href="/about"></a>`),
		"another place":   target("//footer[@id='foot']/ul/li[3]/a"),
		"another depth":   target("//main[@id='main']/div/ul/li[3]/a"),
	}
	for name, f := range differ {
		if Fingerprint(f) == Fingerprint(base) {
			t.Errorf("%s: is the same", name)
		}
	}
	if a, b := html(`<input value="1" id=":r1:">`), html(`<input value="2" id=":r2:">`); Fingerprint(a) != Fingerprint(b) {
		t.Errorf("ids of React: %s, %s", stableHTML(a.HTML), stableHTML(b.HTML))
	}
}

// Both engines give an element the same fingerprint where CWAC keeps all of it.
func TestFingerprintsOfViewportsAgree(t *testing.T) {
	r, err := Open("testdata/contract-c-default-plugins")
	if err != nil {
		t.Fatal(err)
	}
	prints := map[string]map[string]bool{}
	total := 0
	for f, err := range r.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		key := f.View.URL + f.Rule + f.HTML + f.Target
		if prints[key] == nil {
			prints[key] = map[string]bool{}
		}
		prints[key][f.Fingerprint] = true
		total++
	}
	for key, set := range prints {
		if len(set) != 1 || set[""] {
			t.Errorf("%s: %v", key, set)
		}
	}
	if total == 0 {
		t.Error("no findings")
	}
}
