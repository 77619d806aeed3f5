package language

import (
	"embed"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

//go:embed readability/*.js
var readabilityFiles embed.FS

// Article is what [ArticleFunction] returns of a page.
type Article struct {
	Lang     string `json:"lang"`     // of the root element
	Readable bool   `json:"readable"` // whether Readability finds an article
	Title    string `json:"title"`
	Content  string `json:"content"` // HTML of the article
}

// ArticleFunction is a JavaScript function without arguments that returns the
// [Article] of the document that it runs in, by Mozilla's Readability, as CWAC does.
// It works on a copy of the document and changes nothing. It is to run in an
// isolated world, so that the page can not lend it other functions.
func ArticleFunction() string {
	var b strings.Builder
	b.WriteString("function () {\n")
	for _, name := range []string{"Readability.js", "Readability-readerable.js"} {
		text, err := readabilityFiles.ReadFile("readability/" + name)
		if err != nil {
			panic(err) // the embedded list above names it
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	b.WriteString(articleScript)
	return b.String()
}

const articleScript = `
const none = { lang: '', readable: false, title: '', content: '' };
if (!document.documentElement) return none;
none.lang = document.documentElement.lang || '';
if (!/^en(-|$)/i.test(none.lang)) return none;
const copy = document.cloneNode(true);
if (!isProbablyReaderable(copy)) return none;
const article = new Readability(copy).parse();
if (!article) return none;
return { lang: none.lang, readable: true, title: article.title || '', content: article.content || '' };
}`

// English reports whether CWAC would measure a page of this language.
func (a Article) English() bool {
	lang := strings.ToLower(a.Lang)
	return lang == "en" || strings.HasPrefix(lang, "en-")
}

// Measure gives the figures of the article, or why there are none.
func (a Article) Measure() results.Language {
	switch {
	case !a.English():
		return results.Language{Skipped: NotEnglish}
	case !a.Readable:
		return results.Language{Skipped: NotReadable}
	}
	return Measure(Text(a.Title, a.Content))
}
