package markup

import (
	"bytes"
	"compress/zlib"
	"io"
	"math"
	"strconv"
)

// Bounds of reading a file. Beyond them the rest is not read, and a note says so.
const (
	maxPDFBytes    = 128 << 20
	maxPDFObjects  = 300_000
	maxPDFItems    = 4_000_000 // objects within objects
	maxPDFWork     = 256 << 20 // bytes read, some of them more than once
	maxPDFUnpacked = 64 << 20  // bytes of all object streams
	maxPDFStream   = 16 << 20  // bytes of one
)

// pdfFile is a file as its objects. They are found by reading the file from its
// beginning, not by its cross-reference table: so a file with a broken table, or one
// that was changed by appending, is read as well. The last of several objects with
// one number counts.
type pdfFile struct {
	objects  map[int]any
	places   map[int]int // where in the file each object is
	trailer  pdfDict     // of all trailers; later ones win
	streams  map[int][]byte
	fonts    bool
	pictures bool
	unpacked int
	left     int  // items that may still be read
	work     int  // bytes that were read
	limited  bool // a bound was met
	packed   []pdfPack
}

// pdfPack is a stream of objects (7.5.7).
type pdfPack struct {
	dict  pdfDict
	data  []byte
	place int
}

func readPDF(data []byte) *pdfFile {
	f := &pdfFile{objects: map[int]any{}, places: map[int]int{}, trailer: pdfDict{}, streams: map[int][]byte{}, left: maxPDFItems}
	f.limited = len(data) > maxPDFBytes
	f.scan(data[:min(len(data), maxPDFBytes)])
	// what is packed in an encrypted file is encrypted
	if f.trailer["Encrypt"] == nil {
		for _, p := range f.packed {
			f.unpack(p)
		}
	}
	return f
}

// scan reads "12 0 obj" and "trailer" wherever they are, but not within streams.
func (f *pdfFile) scan(data []byte) {
	l := f.lexer(data, 0)
	for ; l.at < len(data); l.at++ {
		if f.left <= 0 || f.work > maxPDFWork {
			f.limited = true
			return
		}
		switch rest := data[l.at:]; {
		case rest[0] == 't' && bytes.HasPrefix(rest, []byte("trailer")):
			l.at += len("trailer")
			if object, ok := f.read(l); ok {
				f.addTrailer(object)
			}
			l.at--
		case rest[0] == 'o' && bytes.HasPrefix(rest, []byte("obj")):
			number, ok := objectNumber(data, l.at)
			l.at += len("obj")
			if ok {
				f.readObject(l, number)
			}
			l.at--
		}
	}
}

func (f *pdfFile) lexer(text []byte, at int) *lexer { return &lexer{text: text, at: at, left: &f.left} }

// read reads an object. Where there is none the lexer stays.
func (f *pdfFile) read(l *lexer) (any, bool) {
	start := l.at
	object, err := l.object(0)
	f.work += l.at - start
	if err != nil {
		l.at = start
	}
	return object, err == nil
}

func (f *pdfFile) addTrailer(object any) {
	d, _ := object.(pdfDict)
	for _, key := range []pdfName{"Root", "Info", "Encrypt"} {
		if d[key] != nil {
			f.trailer[key] = d[key]
		}
	}
}

// objectNumber reads backwards the two numbers before "obj".
func objectNumber(data []byte, at int) (int, bool) {
	_, at, ok := numberBefore(data, at)
	if !ok {
		return 0, false
	}
	n, _, ok := numberBefore(data, at)
	return n, ok
}

func numberBefore(data []byte, at int) (n, start int, ok bool) {
	end := at
	for end > 0 && at-end < 10 && isPDFSpace(data[end-1]) {
		end--
	}
	start = end
	for start > 0 && end-start < 10 && data[start-1] >= '0' && data[start-1] <= '9' {
		start--
	}
	n, err := strconv.Atoi(string(data[start:end]))
	return n, start, err == nil
}

func (f *pdfFile) readObject(l *lexer, number int) {
	place := l.at
	object, ok := f.read(l)
	if !ok {
		return
	}
	f.keep(number, object, place)
	dict, ok := object.(pdfDict)
	if !ok {
		return
	}
	data, ok := f.stream(l, dict)
	if !ok {
		return
	}
	switch dict["Type"] {
	case pdfName("XRef"):
		f.addTrailer(dict)
	case pdfName("ObjStm"):
		f.packed = append(f.packed, pdfPack{dict, data, place})
	case pdfName("Metadata"):
		f.streams[number] = data
	}
}

// keep takes an object, unless one with the number stands later in the file.
func (f *pdfFile) keep(number int, object any, place int) {
	last, known := f.places[number]
	if !known && len(f.objects) >= maxPDFObjects {
		f.limited = true
		return
	}
	if known && last > place {
		return
	}
	f.objects[number], f.places[number] = object, place
	d, _ := object.(pdfDict)
	f.fonts = f.fonts || d["Type"] == pdfName("Font")
	f.pictures = f.pictures || d["Subtype"] == pdfName("Image")
}

// stream takes the data of a stream after its dictionary. Its length can be that of
// an object that comes later, so without a length that is right the next "endstream"
// ends it.
func (f *pdfFile) stream(l *lexer, dict pdfDict) ([]byte, bool) {
	l.space()
	if !bytes.HasPrefix(l.text[l.at:], []byte("stream")) {
		return nil, false
	}
	l.at += len("stream")
	if l.at < len(l.text) && l.text[l.at] == '\r' {
		l.at++
	}
	if l.at < len(l.text) && l.text[l.at] == '\n' {
		l.at++
	}
	rest := l.text[l.at:]
	if length, ok := f.number(dict["Length"]); ok && length <= len(rest) {
		if after := bytes.TrimLeft(rest[length:min(length+8, len(rest))], "\r\n "); bytes.HasPrefix(after, []byte("endst")) {
			l.at += length
			return rest[:length], true
		}
	}
	end := bytes.Index(rest, []byte("endstream"))
	if end < 0 {
		end = len(rest)
	}
	l.at += end
	return rest[:end], true
}

func (f *pdfFile) number(object any) (int, bool) {
	n, ok := f.resolve(object).(float64)
	if !ok || !(n >= 0 && n <= math.MaxInt32) { // no number is neither
		return 0, false
	}
	return int(n), true
}

// resolve follows references.
func (f *pdfFile) resolve(object any) any {
	for range 10 {
		ref, ok := object.(pdfRef)
		if !ok {
			return object
		}
		object = f.objects[int(ref)]
	}
	return nil
}

func (f *pdfFile) dict(object any) pdfDict {
	d, _ := f.resolve(object).(pdfDict)
	return d
}

// unpack reads the objects of an object stream.
func (f *pdfFile) unpack(p pdfPack) {
	text := f.inflate(p.dict, p.data)
	first, okFirst := f.number(p.dict["First"])
	count, okCount := f.number(p.dict["N"])
	if !okFirst || !okCount || first > len(text) {
		return
	}
	head := f.lexer(text[:first], 0)
	for range min(count, maxPDFObjects) {
		if f.left <= 0 || f.work > maxPDFWork {
			f.limited = true
			return
		}
		head.space()
		number, errNumber := strconv.Atoi(head.word())
		head.space()
		offset, errOffset := strconv.Atoi(head.word())
		if errNumber != nil || errOffset != nil || offset < 0 || offset > len(text)-first {
			return
		}
		if object, ok := f.read(f.lexer(text, first+offset)); ok {
			f.keep(number, object, p.place)
		}
	}
}

// inflate decodes a stream, if it is packed at all, within the bounds. What came
// before an error counts.
func (f *pdfFile) inflate(dict pdfDict, data []byte) []byte {
	filter := f.resolve(dict["Filter"])
	if list, ok := filter.([]any); ok && len(list) == 1 {
		filter = f.resolve(list[0])
	}
	if list, ok := filter.([]any); filter == nil || ok && len(list) == 0 {
		return data
	}
	if filter != pdfName("FlateDecode") && filter != pdfName("Fl") {
		return nil
	}
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	bound := min(maxPDFStream, maxPDFUnpacked-f.unpacked)
	out, _ := io.ReadAll(io.LimitReader(z, int64(bound)))
	f.unpacked += len(out)
	f.limited = f.limited || len(out) == bound
	return out
}
