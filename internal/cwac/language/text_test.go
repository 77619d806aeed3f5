package language_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/language"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// What BeautifulSoup's html.parser and CWAC's rules make of an article.
func TestText(t *testing.T) {
	for _, c := range []struct{ name, title, html, want string }{
		{"nothing", "", "", ". "},
		{"title and paragraph", "my page", "<p> hello </p>", "My page. Hello. "},
		{"every block is a sentence", "T", "<h1>a:</h1><h6>b!</h6><li>c?</li><p>d.</p><div>no block</div>", "T. A. B! C? D. "},
		{"a paragraph in a list item counts twice", "T", "<ul><li><p>one</p></li></ul>", "T. One. One. "},
		{"tables and drawings are left out", "T", "<p>a<svg><text>b</text></svg><table><tr><td><p>c</p></td></tr></table>d</p>", "T. Ad. "},
		{"a picture is its alternative text", "T", `<p>a <img alt="b &amp; c"> d<img></p><table><img alt=x></table>`, "T. A b & c d. B & c. "},
		{"an empty alternative text is an empty sentence", "T", `<img alt="">`, "T. . "},
		{"entities and spaces", "T", "<p>&nbsp;ﬁne\u001f &lt;b&gt;</p>", "T. FIne\u001f <b>. "},
		{"comments, styles and scripts", "T", "<p>a<!-- b --><style>c</style><script>d</script></p>", "T. A. "},
		{"paragraphs are nested as written", "T", "<p>a<p>b</p>c</p>", "T. Abc. B. "},
		{"an end without a beginning", "T", "</p></table><p>a</b></p>b", "T. A. "},
		{"elements that are left open", "T", "<p>a<li>b", "T. Ab. B. "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, language.Text(c.title, c.html)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestHostileText: no text makes the measuring fail or grow without bound.
func TestHostileText(t *testing.T) {
	long := func(s string) string { return strings.Repeat(s, 3<<20/len(s)) }
	for name, html := range map[string]string{
		"deep":        strings.Repeat("<p>x", 200_000),
		"deep ends":   strings.Repeat("<p>x", 100_000) + strings.Repeat("</li>", 100_000),
		"one token":   "<p title='" + long("a") + "'>x</p>",
		"one word":    "<p>" + long("a") + "</p>",
		"marks":       "<p>" + long("a.!?)'") + "</p>",
		"dots":        "<p>" + long(".") + "</p>",
		"spaced dots": "<p>" + long(". ") + "</p>",
		"quotes":      "<p>" + long(`'"`) + "</p>",
		"dashes":      "<p>" + long("--a") + "</p>",
		"not UTF-8":   "<p>" + long("\xff. A\xc3") + "</p>",
	} {
		t.Run(name, func(t *testing.T) {
			text := language.Text("T", html)
			if len(text) > 5<<20 {
				t.Errorf("the text has %d bytes", len(text))
			}
			if l := language.Measure(text); l.Skipped == "" && (l.Sentences < 10 || l.WordsPerSentence <= 0) {
				t.Errorf("figures: %+v", l)
			}
		})
	}
}

func TestWhyThereAreNoFigures(t *testing.T) {
	long := "<p>" + strings.Repeat("A good word in a row of words is better than none at all here. ", 20) + "</p>"
	for _, c := range []struct {
		name    string
		article language.Article
		want    string
	}{
		{"other language", language.Article{Lang: "mi", Readable: true, Content: long}, language.NotEnglish},
		{"no language", language.Article{Readable: true, Content: long}, language.NotEnglish},
		{"a language that begins alike", language.Article{Lang: "enm", Readable: true, Content: long}, language.NotEnglish},
		{"no article", language.Article{Lang: "en-NZ"}, language.NotReadable},
		{"short", language.Article{Lang: "EN-nz", Readable: true, Content: "<p>Hello.</p>"}, language.TooShort},
		{"few sentences", language.Article{Lang: "en", Readable: true, Content: "<p>" + strings.Repeat("word ", 300) + "</p>"}, language.TooShort},
		{"few words", language.Article{Lang: "en", Readable: true, Content: strings.Repeat("<p>Word.</p>", 50)}, language.TooShort},
		{"enough", language.Article{Lang: "EN-nz", Readable: true, Content: long}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.article.Measure()
			if got.Skipped != c.want {
				t.Errorf("skipped: %q, want %q", got.Skipped, c.want)
			}
			if c.want != "" && !cmp.Equal(got, results.Language{Skipped: c.want}) {
				t.Errorf("figures of a text that was skipped: %+v", got)
			}
		})
	}
}

func TestHardestSentences(t *testing.T) {
	easy := strings.Repeat("The cat sat on the red mat all day. ", 30)
	hard := "Organisational responsibilities necessitate considerable administrative preparation beforehand, unfortunately."
	heading := "Administrative responsibilities."
	l := language.Measure(easy + heading + " " + hard + " " + strings.Repeat("Notwithstanding everything previously mentioned ", 40) + ".")
	if len(l.Hardest) != 3 {
		t.Fatalf("hardest: %q", l.Hardest)
	}
	if n := len([]rune(l.Hardest[0])); n != 401 {
		t.Errorf("the hardest has %d characters", n)
	}
	if diff := cmp.Diff([]string{hard, "The cat sat on the red mat all day."}, l.Hardest[1:]); diff != "" {
		t.Error(diff)
	}
}

// TestLongMarkup: the time for markup without text has a bound too.
func TestLongMarkup(t *testing.T) {
	if text := language.Text("T", strings.Repeat("<b></b>", 5<<20/7)+"<p>beyond</p>"); strings.Contains(text, "Beyond") {
		t.Error("all of it was read")
	}
}
