package crawl

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// sitemapReader takes the addresses out of a sitemap: XML of sitemaps.org, RSS, Atom
// or plain text, packed with gzip or not, whatever its name or type says.
type sitemapReader struct {
	most        int   // addresses that are taken
	bytes       int64 // that are read, unpacked
	pages, maps []string
}

var (
	errFull      = errors.New("more addresses than are taken")
	errNoSitemap = errors.New("no sitemap is there")
	errPage      = errors.New("a page, not a sitemap")
)

func (s *sitemapReader) read(body []byte) error {
	var in io.Reader = bytes.NewReader(body)
	if bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("not gzip: %w", err)
		}
		defer func() { _ = z.Close() }() // it holds nothing
		in = z
	}
	bounded := &io.LimitedReader{R: in, N: s.bytes + 1}
	text := bufio.NewReader(bounded)
	if head, _ := text.Peek(3); string(head) == "\xef\xbb\xbf" {
		_, _ = text.Discard(3)
	}
	head, _ := text.Peek(512)
	var err error
	if strings.HasPrefix(strings.TrimSpace(string(head)), "<") {
		err = s.readXML(text)
	} else {
		err = s.readText(text)
	}
	if bounded.N == 0 && !errors.Is(err, errFull) {
		return fmt.Errorf("longer than %d bytes unpacked: the rest was not read", s.bytes)
	}
	return err
}

func (s *sitemapReader) take(list *[]string, value string) error {
	value = strings.TrimSpace(value)
	if value == "" {
		return nil
	}
	if len(s.pages)+len(s.maps) >= s.most {
		return errFull
	}
	*list = append(*list, value)
	return nil
}

// readXML goes through the elements. Entities are those of XML itself only; a
// document that declares others is not well-formed to it, and none is expanded.
func (s *sitemapReader) readXML(in io.Reader) error {
	d := xml.NewDecoder(in)
	d.CharsetReader = latin
	var path []string
	var text strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("not well-formed: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(path) == 0 && strings.EqualFold(t.Name.Local, "html") {
				return errPage
			}
			if len(path) > 20 {
				return errors.New("nested too deep")
			}
			path = append(path, t.Name.Local)
			text.Reset()
			err = s.atomLink(path, t)
		case xml.CharData:
			if text.Len() <= maxAddress {
				text.Write(t[:min(len(t), maxAddress+1)])
			}
		case xml.EndElement:
			err = s.element(path, text.String())
			path = path[:len(path)-1]
			text.Reset()
		}
		if err != nil {
			return err
		}
	}
}

// element takes the value of an element that holds an address: <loc> of a page or
// of another sitemap, never that of an image or a video, and <link> of RSS.
func (s *sitemapReader) element(path []string, text string) error {
	if len(path) < 2 {
		return nil
	}
	switch path[len(path)-2] + ">" + path[len(path)-1] {
	case "url>loc", "item>link":
		return s.take(&s.pages, text)
	case "sitemap>loc":
		return s.take(&s.maps, text)
	}
	return nil
}

func (s *sitemapReader) atomLink(path []string, t xml.StartElement) error {
	if len(path) < 2 || path[len(path)-2] != "entry" || t.Name.Local != "link" {
		return nil
	}
	href, rel := "", "alternate"
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "href":
			href = a.Value
		case "rel":
			rel = a.Value
		}
	}
	if rel != "alternate" {
		return nil
	}
	return s.take(&s.pages, href)
}

// readText reads a sitemap of one address a line.
func (s *sitemapReader) readText(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 2*maxAddress)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		if scheme := schemeOf(line); scheme != "http" && scheme != "https" {
			return errors.New("neither XML nor a list of addresses")
		}
		if err := s.take(&s.pages, line); err != nil {
			return err
		}
	}
	return lines.Err()
}

// latin reads the encodings of one byte a letter that sitemaps still declare.
func latin(charset string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return in, nil
	case "iso-8859-1", "latin1", "windows-1252", "iso-8859-15":
		return &latinReader{in: bufio.NewReader(in)}, nil
	}
	return nil, fmt.Errorf("encoding %.40q", charset)
}

// latinReader turns ISO 8859-1 into UTF-8. Addresses have none of the few letters
// in which the related encodings differ.
type latinReader struct {
	in   *bufio.Reader
	rest []byte
}

// Read implements io.Reader.
func (r *latinReader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(r.rest) == 0 {
			b, err := r.in.ReadByte()
			if err != nil {
				return n, err
			}
			r.rest = []byte(string(rune(b)))
		}
		c := copy(p[n:], r.rest)
		n, r.rest = n+c, r.rest[c:]
	}
	return n, nil
}
