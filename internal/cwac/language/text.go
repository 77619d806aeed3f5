package language

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Text makes the text that is measured of the title and the HTML of an article:
// headings, paragraphs and list items, each made a sentence. Tables and drawings are
// left out; a picture is a paragraph of its alternative text. A paragraph within a
// list item counts twice, as it does for CWAC.
//
// The HTML is that of a document, serialised: elements are nested as they are
// written, and nothing is mended.
func Text(title, content string) string {
	content = content[:min(len(content), maxContent)]
	t := texts{tokens: html.NewTokenizer(strings.NewReader(content))}
	t.tokens.SetMaxBuf(maxText)
	t.read()
	var b strings.Builder
	b.WriteString(sentence(title))
	b.WriteByte(' ')
	for _, block := range t.blocks {
		b.WriteString(sentence(block.String()))
		b.WriteByte(' ')
		if b.Len() > maxText {
			break
		}
	}
	return b.String()
}

// sentence gives a text a capital and an end.
func sentence(text string) string {
	text = trim(text)
	if _, size := utf8.DecodeRuneInString(text); size > 0 {
		text = capital(text[:size]) + text[size:]
	}
	text = strings.TrimSuffix(text, ":")
	if text == "" || !strings.ContainsRune(".!?", rune(text[len(text)-1])) {
		text += "."
	}
	return text
}

var blockElements = []string{"p", "li", "h1", "h2", "h3", "h4", "h5", "h6"}

var hiddenElements = []string{"svg", "table", "script", "style", "template"}

var voidElements = []string{
	"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
	"basefont", "bgsound", "command", "frame", "image", "isindex", "keygen", "menuitem", "nextid", "spacer",
}

// maxContent bounds the HTML that is read: each text in it is looked for in all the
// elements around it, however little text there is.
const maxContent = 8 * maxText

// maxDepth bounds the elements that are within each other.
const maxDepth = 2000

// texts collects the text of blocks. A text belongs to every block that it is in.
type texts struct {
	tokens *html.Tokenizer
	open   []element
	hidden int // open elements of which nothing counts
	held   int // bytes of all blocks
	blocks []*strings.Builder
}

type element struct {
	name   string
	block  *strings.Builder // nil: not a block
	hidden bool
}

func (t *texts) read() {
	for t.held < 4*maxText {
		switch t.tokens.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			if t.hidden == 0 {
				t.add(string(t.tokens.Text()))
			}
		case html.StartTagToken:
			t.start(t.tokens.Token())
		case html.SelfClosingTagToken:
			token := t.tokens.Token()
			t.start(token)
			if !slices.Contains(voidElements, token.Data) {
				t.end(token.Data)
			}
		case html.EndTagToken:
			name, _ := t.tokens.TagName()
			t.end(string(name))
		}
	}
}

func (t *texts) add(text string) {
	for _, e := range t.open {
		if e.block != nil {
			e.block.WriteString(text)
			t.held += len(text)
		}
	}
}

func (t *texts) start(token html.Token) {
	if token.Data == "img" && t.hidden == 0 {
		t.picture(token)
	}
	if slices.Contains(voidElements, token.Data) || len(t.open) >= maxDepth {
		return
	}
	e := element{name: token.Data, hidden: slices.Contains(hiddenElements, token.Data)}
	if e.hidden {
		t.hidden++
	} else if t.hidden == 0 && slices.Contains(blockElements, token.Data) {
		e.block = &strings.Builder{}
		t.blocks = append(t.blocks, e.block)
	}
	t.open = append(t.open, e)
}

// picture adds the alternative text to the blocks around, and as a block.
func (t *texts) picture(token html.Token) {
	for _, a := range token.Attr {
		if a.Key != "alt" {
			continue
		}
		t.add(a.Val)
		b := &strings.Builder{}
		b.WriteString(a.Val)
		t.held += len(a.Val)
		t.blocks = append(t.blocks, b)
		return
	}
}

// end closes the innermost element of the name, and what is open within it.
func (t *texts) end(name string) {
	for i := len(t.open) - 1; i >= 0; i-- {
		if t.open[i].name != name {
			continue
		}
		for _, e := range t.open[i:] {
			if e.hidden {
				t.hidden--
			}
		}
		t.open = t.open[:i]
		return
	}
}
