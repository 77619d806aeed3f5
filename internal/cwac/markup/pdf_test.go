package markup_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/markup"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// The parts of a small tagged file.
const (
	catalogue = "<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 5 0 R/Lang(en-NZ)/ViewerPreferences<</DisplayDocTitle true>>>>"
	pages     = "<</Type/Pages/Kids[3 0 R]/Count 1>>"
	onePage   = "<</Type/Page/Parent 2 0 R/Resources<</Font<</F 4 0 R>>>>>>"
	font      = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
	tree      = "<</Type/StructTreeRoot/K[]>>"
	info      = "<</Title(A report)>>"
)

// file writes objects one after the other, numbered from 1, and a trailer.
func file(trailer string, objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	fmt.Fprintf(&b, "trailer\n%s\nstartxref\n0\n%%%%EOF\n", trailer)
	return b.Bytes()
}

const plainTrailer = "<</Root 1 0 R/Info 6 0 R/Size 7>>"

func deflate(text string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

// packed is a file whose objects are in an object stream, with the trailer in a
// cross-reference stream.
func packed(objects ...string) []byte {
	head, body := "", ""
	for i, o := range objects {
		head += fmt.Sprintf("%d %d ", i+1, len(body))
		body += o + "\n"
	}
	data := deflate(head + body)
	return fmt.Appendf(nil, "%%PDF-1.5\n20 0 obj\n<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream\nendobj\n"+
		"21 0 obj <</Type/XRef/Root 1 0 R/Info 6 0 R/W[1 2 1]/Length 4>>\nstream\n\x01\x02\x03\x04\nendstream\nendobj\nstartxref\n9\n%%%%EOF", len(objects), len(head), len(data), data)
}

func swapped(old, new string) string { return strings.Replace(catalogue, old, new, 1) }

func TestPDF(t *testing.T) {
	whole := []string{catalogue, pages, onePage, font, tree, info}
	with := func(i int, object string, more ...string) []string {
		out := append([]string{}, whole...)
		out[i-1] = object
		return append(out, more...)
	}
	xmp := `<x><dc:title><rdf:Alt><rdf:li xml:lang="x-default">From &amp; XMP</rdf:li></rdf:Alt></dc:title></x>`
	metadata := fmt.Sprintf("<</Type/Metadata/Length %d>>\nstream\n%s\nendstream", len(xmp), xmp)
	encrypted := func(r, p int) string {
		return fmt.Sprintf("<</Root 1 0 R/Info 6 0 R/Encrypt<</Filter/Standard/R %d/P %d>>>>", r, p)
	}
	for _, c := range []struct {
		name string
		data []byte
		want []string
		fact string
		is   any
	}{
		{"whole", file(plainTrailer, whole...), nil, "title", "A report"},
		{"packed in streams", packed(whole...), nil, "lang", "en-NZ"},
		{"not tagged", file(plainTrailer, with(1, swapped("/StructTreeRoot 5 0 R", ""))...), []string{"pdf-untagged"}, "tagged", false},
		{"does not say that it is tagged", file(plainTrailer, with(1, swapped("Marked true", "Marked false"))...), []string{"pdf-untagged"}, "tagged", false},
		{"a structure tree that is not there", file(plainTrailer, with(5, "null")...), []string{"pdf-untagged"}, "tagged", false},
		{"no language", file(plainTrailer, with(1, swapped("/Lang(en-NZ)", ""))...), []string{"pdf-lang"}, "lang", ""},
		{"an empty language", file(plainTrailer, with(1, swapped("(en-NZ)", "()"))...), []string{"pdf-lang"}, "lang", ""},
		{"no title", file(plainTrailer, with(6, "<</Title( )>>")...), []string{"pdf-title"}, "title", ""},
		{"a title in the metadata", file(plainTrailer, with(1, swapped("/Lang", "/Metadata 7 0 R/Lang"), metadata)...), nil, "title", "From & XMP"},
		{"a title in UTF-16", file(plainTrailer, with(6, "<</Title<FEFF004D0101>>>")...), nil, "title", "Mā"},
		{"a title with escapes", file(plainTrailer, with(6, `<</Title(a\(b\)\101\
(c)\n)>>`)...), nil, "title", "a(b)A(c)"},
		{"the name of the file is shown", file(plainTrailer, with(1, swapped("true>>>>", "false>>>>"))...), []string{"pdf-display-title"}, "display_title", false},
		{"pictures without text", file(plainTrailer, with(4, "<</Type/XObject/Subtype/Image>>")...), []string{"pdf-scanned"}, "text", false},
		{"neither text nor pictures", file(plainTrailer, with(4, "null")...), nil, "text", false},
		{"protected, readable", file(encrypted(3, -1), whole...), nil, "extract", true},
		{"protected, not readable", file(encrypted(3, -1-1<<9), whole...), []string{"pdf-no-extract"}, "extract", false},
		{"protected by the oldest revision", file(encrypted(2, -1-1<<4), whole...), []string{"pdf-no-extract"}, "extract", false},
		{"protected by the newest revision", file(encrypted(6, -1-1<<9), whole...), nil, "extract", true},
		{"changed by appending", append(file(plainTrailer, with(1, swapped("/Lang(en-NZ)", ""))...), file(plainTrailer, whole...)...), nil, "lang", "en-NZ"},
		{"packed, changed by appending", append(packed(whole...), file("<</Root 1 0 R>>", swapped("/Lang(en-NZ)", ""))...), []string{"pdf-lang"}, "lang", ""},
		{"no trailer", bytes.Replace(file(plainTrailer, with(1, swapped("/Lang", "/Metadata 7 0 R/Lang"), metadata)...), []byte("trailer"), []byte("tr"), 1), nil, "pages", 1},
		{"junk before it", append([]byte("HTTP/1.1 200 OK\r\n\r\n"), file(plainTrailer, whole...)...), nil, "version", "1.7"},
		{"the end is missing", file(plainTrailer, whole...)[:200], []string{"pdf-untagged", "pdf-title"}, "lang", "en-NZ"},
		{"only a header", []byte("%PDF-1.4\n%EOF"), []string{"pdf-malformed"}, "version", "1.4"},
		{"a web page", []byte("<!DOCTYPE html><p>Not found"), []string{"pdf-malformed"}, "version", nil},
		{"nothing", nil, []string{"pdf-malformed"}, "version", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := markup.CheckPDF(c.data)
			var rules []string
			for _, f := range got.Findings {
				rules = append(rules, f.Rule)
				if f.Audit != results.AuditPDF || f.Help == "" || f.HelpURL == "" || f.Impact == "" || f.Summary == "" || f.Count != 1 {
					t.Errorf("incomplete: %+v", f)
				}
			}
			if diff := cmp.Diff(c.want, rules); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.is, got.Facts[c.fact]); diff != "" {
				t.Errorf("%s: %s", c.fact, diff)
			}
		})
	}
}

// TestPDFOfABrowser: testdata/browser.pdf was printed by Chromium and packed by qpdf,
// testdata/encrypted.pdf is the same with AES-256.
func TestPDFOfABrowser(t *testing.T) {
	read := func(name string) markup.Report {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return markup.CheckPDF(data)
	}
	got := read("browser.pdf")
	want := map[string]any{
		"version": "1.5", "pages": 1, "tagged": true, "title": "Opening hours", "lang": "en-NZ",
		"display_title": true, "encrypted": false, "extract": true, "text": true, "outline": false,
	}
	if diff := cmp.Diff(want, got.Facts); diff != "" || len(got.Findings)+len(got.Notes) > 0 {
		t.Errorf("%s%+v %+v", diff, got.Findings, got.Notes)
	}
	got = read("encrypted.pdf")
	want = map[string]any{"version": "1.7", "tagged": true, "display_title": true, "encrypted": true, "extract": true, "outline": false}
	if diff := cmp.Diff(want, got.Facts); diff != "" || len(got.Findings) > 0 || len(got.Notes) != 1 || got.Notes[0].Kind != "encrypted" {
		t.Errorf("%s%+v %+v", diff, got.Findings, got.Notes)
	}
}

// TestHostilePDF: files that are made to be slow or large are read in bounds.
func TestHostilePDF(t *testing.T) {
	bomb := deflate(strings.Repeat("\x00", 40<<20))
	stream := func(data string) string {
		return fmt.Sprintf("<</Type/ObjStm/N 99/First 9/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream", len(data), data)
	}
	var same strings.Builder // many objects, all at one place, which is large
	for i := range 50_000 {
		fmt.Fprintf(&same, "%d 0 ", i+100)
	}
	shared := deflate(same.String() + "(" + strings.Repeat("x", 1<<20) + ")")
	for name, c := range map[string]struct {
		data []byte
		note bool
	}{
		"bombs":             {file(plainTrailer, stream(bomb), stream(bomb), stream(bomb)), true},
		"open strings":      {[]byte("%PDF-1.4 " + strings.Repeat("1 0 obj(", 1<<19)), true},
		"open arrays":       {[]byte("%PDF-1.4 1 0 obj" + strings.Repeat("[", 1<<20)), false},
		"open dictionaries": {[]byte("%PDF-1.4 " + strings.Repeat("1 0 obj<</A", 1<<18)), false},
		"many objects":      {[]byte("%PDF-1.4 " + strings.Repeat("1 0 obj[0 0 0 0 0 0 0 0]", 1<<19)), true},
		"one large place": {file(plainTrailer, fmt.Sprintf("<</Type/ObjStm/N 50000/First %d/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream",
			same.Len(), len(shared), shared)), true},
		"a ring of references": {file("<</Root 1 0 R>>", "2 0 R", "1 0 R"), false},
		"odd numbers":          {file("<</Root 1 0 R/Encrypt<</P 1e308/R nan>>>>", "<</Type/Catalog/Pages<</Count -1>>>>", "<</Length 1e300>>stream\nx"), false},
		"odd names":            {[]byte("%PDF-1.4 1 0 obj/" + strings.Repeat("#41", 1<<19)), false},
	} {
		t.Run(name, func(t *testing.T) {
			got := markup.CheckPDF(c.data)
			if limited := len(got.Notes) > 0 && got.Notes[0].Kind == "size_limit"; limited != c.note {
				t.Errorf("notes: %+v", got.Notes)
			}
			if len(got.Findings) == 0 {
				t.Error("no finding")
			}
		})
	}
}

func FuzzPDF(f *testing.F) {
	f.Add(file(plainTrailer, catalogue, pages, onePage, font, tree, info))
	f.Add(packed(catalogue, pages, onePage, font, tree, info))
	f.Add([]byte("%PDF-1.4 1 0 obj<</A#4(\\7)/B<a>/C[1 0 R 2 .5 true null]>>stream\nendstream trailer<</Root 1 0 R/Encrypt<</P -1>>>>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := markup.CheckPDF(data)
		if got.Facts == nil || len(got.Rules) == 0 {
			t.Error("no facts or rules")
		}
	})
}

// TestPDFWithoutANumber: what reads as a number and is none counts nothing.
func TestPDFWithoutANumber(t *testing.T) {
	got := markup.CheckPDF([]byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count nan>>endobj\ntrailer<</Root 1 0 R>>"))
	if n, known := got.Facts["pages"]; known {
		t.Errorf("it has %v pages", n)
	}
}
