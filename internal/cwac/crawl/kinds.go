package crawl

import (
	"mime"
	"path"
	"strings"
)

// kind is what an address leads to.
type kind int

const (
	kindUnknown kind = iota
	kindPage
	kindDocument // people read it, and an accessibility audit can: PDF, office files
	kindOther
)

// documents and others are file suffixes that pages do not have. A path such as
// "/style.css.html" or "/v1.2" is no match.
var (
	documents = suffixes("pdf doc docx docm dot dotx odt rtf xls xlsx xlsm xlsb ods ppt pptx pps ppsx odp epub")
	others    = suffixes("png jpg jpeg jpe gif webp avif bmp ico icns tif tiff svg svgz heic psd eps ai raw " +
		"mp3 wav ogg oga m4a aac flac wma mid mp4 m4v mov avi wmv mkv webm ogv mpg mpeg flv 3gp vtt srt " +
		"woff woff2 ttf otf eot css js mjs map json jsonld xml rss atom xsl xsd wsdl txt csv tsv ics vcf kml kmz gpx geojson " +
		"zip gz tgz bz2 xz 7z rar tar jar war exe msi dmg pkg deb rpm apk iso img bin dll so swf key pem crt p12 asc sig torrent py sh bat sql")
)

func suffixes(list string) map[string]bool {
	set := map[string]bool{}
	for s := range strings.FieldsSeq(list) {
		set["."+s] = true
	}
	return set
}

func kindBySuffix(a address) kind {
	suffix := strings.ToLower(path.Ext(a.u.Path))
	switch {
	case documents[suffix]:
		return kindDocument
	case others[suffix]:
		return kindOther
	}
	return kindUnknown
}

// kindByType judges a Content-Type. An address without one is unknown.
func kindByType(contentType string) kind {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(contentType, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	switch {
	case media == "":
		return kindUnknown
	case media == "text/html", media == "application/xhtml+xml":
		return kindPage
	case media == "application/pdf", media == "application/x-pdf", media == "application/msword", media == "application/rtf", media == "text/rtf",
		media == "application/epub+zip",
		strings.HasPrefix(media, "application/vnd.ms-"), strings.HasPrefix(media, "application/vnd.openxmlformats-officedocument."),
		strings.HasPrefix(media, "application/vnd.oasis.opendocument."):
		return kindDocument
	}
	return kindOther
}
