package planted

import (
	"strconv"
	"strings"
)

// prose is text that is long enough for the measures of readability.
func prose() string {
	sentences := []string{
		"The agency publishes clear guidance for people who use its website every day.",
		"Accessible documentation considerably improves comprehension for unfamiliar readers.",
		"We tested the forms with people who rely on a keyboard, a screen reader, or a magnifier.",
		"Organisations frequently underestimate the administrative responsibilities associated with remediation.",
		"Short words help. Long sentences that continue through several subordinate clauses, without giving the reader any opportunity to pause, are harder to follow.",
		"Please call us if you cannot find the page you need.",
	}
	paragraphs := make([]string, 24)
	for i := range paragraphs {
		paragraphs[i] = "<p>" + sentences[i%6] + " " + sentences[(i+2)%6] + "</p>"
	}
	return strings.Join(paragraphs, "\n")
}

// navigation links to every page of the list.
func navigation(pages []Page) string {
	var b strings.Builder
	b.WriteString(`<nav aria-label="Main"><ul>`)
	for _, p := range pages {
		b.WriteString(`<li><a href="/` + p.Name + `.html">` + p.Name + ` page</a></li>`)
	}
	b.WriteString(`</ul></nav>`)
	return b.String()
}

const style = `<style>body{font:16px/1.5 sans-serif;margin:1rem;color:#111;background:#fff}nav ul{padding:0;list-style:none}nav a{color:#003a8c}img{max-width:100%}</style>`

// render is the whole document of a page.
func (p Page) render(navigation string) string {
	lang, title, viewport := ` lang="en-NZ"`, "<title>Bench - "+p.Name+"</title>", `<meta name="viewport" content="width=device-width, initial-scale=1">`
	if p.bare.noLang {
		lang = ""
	}
	if p.bare.noTitle {
		title = ""
	}
	if p.bare.viewport != "" {
		viewport = p.bare.viewport
	}
	return "<!DOCTYPE html>\n<html" + lang + `><head><meta charset="utf-8">` + "\n" + viewport + "\n" + title + style + p.bare.head + "</head>\n<body>" +
		p.bare.before + "<header>" + navigation + `</header><main id="main"><h1>` + p.Name + "</h1>" + p.body + "</main><footer><p>Footer text.</p></footer></body></html>"
}

// inner is the document in the frames.
const inner = `<!DOCTYPE html><html lang="en"><head><title>Inner</title></head><body><main><h1>Inner</h1><img src="` + picture + `"></main></body></html>`

// numbered is one of the many pages of a large site. Each has a list of links to
// the ten after it and one picture without a text.
func numbered(i, n int) string {
	links := make([]Page, 0, 10)
	for next := i + 1; next <= min(i+10, n); next++ {
		links = append(links, Page{Name: "page" + strconv.Itoa(next)})
	}
	p := Page{Name: "page" + strconv.Itoa(i), body: `<p>One of many pages.</p><img src="` + picture + `">`}
	return p.render(navigation(links))
}
