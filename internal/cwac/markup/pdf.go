package markup

import (
	"bytes"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

const (
	techniques = "https://www.w3.org/WAI/WCAG22/Techniques/pdf/"
	aboutPDF   = "A document must be as accessible as the page that links to it (EN 301 549, clause 10)."
)

// pdfRules are the demands of the audit. Their sources are WCAG's techniques for PDF
// and PDF/UA-1 (ISO 14289-1:2014).
var pdfRules = map[string]rule{
	"pdf-malformed":     {serious, "The file must be a PDF that can be read", aboutPDF, "https://www.iso.org/standard/51502.html"},
	"pdf-untagged":      {serious, "The document must be tagged", "Tags give structure and reading order to assistive technology (PDF/UA-1, 7.1).", "https://www.iso.org/standard/64599.html"},
	"pdf-title":         {serious, "The document must have a title", "Technique PDF18, criterion 2.4.2.", techniques + "PDF18"},
	"pdf-display-title": {moderate, "The title must be shown instead of the file name", "Technique PDF18, criterion 2.4.2 (DisplayDocTitle).", techniques + "PDF18"},
	"pdf-lang":          {serious, "The document must have a language", "Technique PDF16, criterion 3.1.1.", techniques + "PDF16"},
	"pdf-no-extract":    {serious, "Protection must leave the text to assistive technology", "PDF/UA-1, 7.16: the tenth bit of the permissions must be set.", "https://www.iso.org/standard/64599.html"},
	"pdf-scanned":       {"critical", "The document must have text, not only pictures of it", "Technique PDF7, criterion 1.1.1.", techniques + "PDF7"},
}

// CheckPDF reads from a file what people who use assistive technology depend on. Its
// facts are version, pages, tagged, title, display_title, lang, encrypted, extract
// (assistive technology may read it), text (there is any) and outline (bookmarks).
//
// What is encrypted is not decrypted: then a note says what is not known.
func CheckPDF(data []byte) Report {
	p := pdfAudit{Report: Report{Rules: slices.Sorted(maps.Keys(pdfRules)), Facts: map[string]any{}}}
	at := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-"))
	if at < 0 {
		p.fault("pdf-malformed", "The file does not begin with %PDF-.")
		return p.Report
	}
	p.Facts["version"] = version(data[at+len("%PDF-"):])
	p.file = readPDF(data[at:])
	if p.file.limited {
		p.Notes = append(p.Notes, note(results.AuditPDF, "size_limit", "The file has more objects than are read; figures can be wrong."))
	}
	p.judgeEncryption()
	root := p.file.dict(p.file.trailer["Root"])
	if root == nil {
		root = p.catalog()
	}
	switch {
	case root != nil:
		p.judge(root)
	case p.Facts["encrypted"] == true:
		p.Notes = append(p.Notes, note(results.AuditPDF, "encrypted", "The structure is encrypted: tags, title and language are not known."))
	default:
		p.fault("pdf-malformed", "The file has no catalogue.")
	}
	return p.Report
}

// version is what the header says, such as 1.7.
func version(data []byte) string {
	return string(regexp.MustCompile(`^[0-9.]{0,5}`).Find(data))
}

type pdfAudit struct {
	Report
	file *pdfFile
}

func (p *pdfAudit) fault(name, summary string) {
	r := pdfRules[name]
	p.Findings = append(p.Findings, results.Finding{
		Audit: results.AuditPDF, Rule: name, Impact: r.impact, Help: r.help, Description: r.about, HelpURL: r.url, Summary: summary, Count: 1,
	})
}

// catalog finds the root of a file whose trailer is lost: the one of the highest
// number, which was written last.
func (p *pdfAudit) catalog() pdfDict {
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(p.file.objects))) {
		if d, ok := p.file.objects[n].(pdfDict); ok && d["Type"] == pdfName("Catalog") {
			return d
		}
	}
	return nil
}

// judgeEncryption reads the permissions (ISO 32000-1, 7.6.3.2, table 22). In the
// oldest revision the fifth bit is for all extraction. PDF 2.0 allows it for
// accessibility always, so revision 6 is not judged.
func (p *pdfAudit) judgeEncryption() {
	encrypt := p.file.dict(p.file.trailer["Encrypt"])
	p.Facts["encrypted"] = encrypt != nil
	p.Facts["extract"] = true
	if encrypt == nil {
		return
	}
	revision, _ := p.file.resolve(encrypt["R"]).(float64)
	permissions, known := p.file.resolve(encrypt["P"]).(float64)
	bits := uint32(int64(permissions))
	allowed := bits&(1<<9) != 0
	if revision < 3 {
		allowed = bits&(1<<4) != 0
	}
	if known && revision < 6 && !allowed {
		p.Facts["extract"] = false
		p.fault("pdf-no-extract", "The permissions of the file forbid to take text out of it, even for accessibility.")
	}
}

func (p *pdfAudit) judge(root pdfDict) {
	f := p.file
	p.judgeTags(root)
	p.Facts["outline"] = f.dict(f.dict(root["Outlines"])["First"]) != nil
	if pages, ok := f.number(f.dict(root["Pages"])["Count"]); ok {
		p.Facts["pages"] = pages
	}
	if whole := p.Facts["encrypted"] == false || len(f.packed) == 0; whole {
		p.Facts["text"] = f.fonts
		if !f.fonts && f.pictures && !f.limited {
			p.fault("pdf-scanned", "The file has pictures but uses no font: its pages have no text.")
		}
	}
	if !p.hidden(root["ViewerPreferences"]) {
		display, _ := f.resolve(f.dict(root["ViewerPreferences"])["DisplayDocTitle"]).(bool)
		p.Facts["display_title"] = display
		if !display {
			p.fault("pdf-display-title", "DisplayDocTitle is not set: readers show the name of the file.")
		}
	}
	p.judgeTexts(root)
}

// hidden reports whether an object is packed in an encrypted stream: then it is not
// known, and no fault.
func (p *pdfAudit) hidden(object any) bool {
	ref, ok := object.(pdfRef)
	return ok && p.Facts["encrypted"] == true && p.file.objects[int(ref)] == nil
}

func (p *pdfAudit) judgeTags(root pdfDict) {
	if p.hidden(root["MarkInfo"]) {
		return
	}
	marked, _ := p.file.resolve(p.file.dict(root["MarkInfo"])["Marked"]).(bool)
	tree := p.file.dict(root["StructTreeRoot"]) != nil || p.hidden(root["StructTreeRoot"])
	p.Facts["tagged"] = marked && tree
	switch {
	case !tree:
		p.fault("pdf-untagged", "The file has no structure tree.")
	case !marked:
		p.fault("pdf-untagged", "The file has a structure tree, but does not say that it is tagged (MarkInfo).")
	}
}

// judgeTexts judges language and title. In an encrypted file whether there are any is
// all that can be said.
func (p *pdfAudit) judgeTexts(root pdfDict) {
	lang, title := p.file.text(root["Lang"]), p.title(root)
	if p.Facts["encrypted"] == true {
		lang, title = given(root["Lang"]), given(p.file.dict(p.file.trailer["Info"])["Title"])
		if p.hidden(p.file.trailer["Info"]) || root["Metadata"] != nil {
			title = "unknown"
		}
		p.Notes = append(p.Notes, note(results.AuditPDF, "encrypted", "Texts of the file are encrypted: its title and language are not known, at most whether it has them."))
	} else {
		p.Facts["lang"], p.Facts["title"] = cut(lang, 100), cut(title, 500)
	}
	if lang == "" {
		p.fault("pdf-lang", "The catalogue has no Lang.")
	}
	if title == "" {
		p.fault("pdf-title", "Neither the metadata nor the information dictionary has a title.")
	}
}

func given(object any) string {
	if object == nil {
		return ""
	}
	return "given"
}

// xmpTitle is the title in the metadata (XMP, ISO 16684-1, dc:title), in the first
// language that it is given in.
var xmpTitle = lazyregexp.New(`(?s)<dc:title\b[^>]*>\s*<rdf:Alt\b[^>]*>\s*<rdf:li\b[^>]*>([^<]*)</rdf:li>`)

func (p *pdfAudit) title(root pdfDict) string {
	if ref, ok := root["Metadata"].(pdfRef); ok {
		text := p.file.inflate(p.file.dict(ref), p.file.streams[int(ref)])
		if m := xmpTitle.FindSubmatch(text); m != nil {
			if title := strings.TrimSpace(html.UnescapeString(string(m[1]))); title != "" {
				return title
			}
		}
	}
	return strings.TrimSpace(p.file.text(p.file.dict(p.file.trailer["Info"])["Title"]))
}

// text is a text string (7.9.2.2): UTF-16 or UTF-8 with a mark, or else
// PDFDocEncoding, which is read as Latin-1.
func (f *pdfFile) text(object any) string {
	s, _ := f.resolve(object).(pdfString)
	text := string(s)
	if rest, ok := strings.CutPrefix(text, "\xfe\xff"); ok {
		units := make([]uint16, 0, len(rest)/2)
		for i := 0; i+1 < len(rest); i += 2 {
			units = append(units, uint16(rest[i])<<8|uint16(rest[i+1]))
		}
		return string(utf16.Decode(units))
	}
	if rest, ok := strings.CutPrefix(text, "\xef\xbb\xbf"); ok && utf8.ValidString(rest) {
		return rest
	}
	runes := make([]rune, 0, len(text))
	for i := range len(text) {
		runes = append(runes, rune(text[i]))
	}
	return string(runes)
}
