package media

import (
	"bytes"
	"encoding/binary"
)

var exifMark = []byte("Exif\x00\x00")

// findEXIF returns the TIFF structure that a picture carries, or nil.
func findEXIF(data []byte, typ string) []byte {
	switch typ {
	case "image/jpeg":
		return exifOfJPEG(data)
	case "image/png":
		return exifOfPNG(data)
	case "image/webp":
		return exifOfWebP(data)
	}
	return nil
}

// exifOfJPEG walks the segments before the picture (ITU T.81, B.1.1; Exif 2.32,
// 4.7.2).
func exifOfJPEG(data []byte) []byte {
	for at := 2; at+4 <= len(data) && data[at] == 0xff; {
		marker, size := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
		if marker == 0xff { // a fill byte
			at++
			continue
		}
		if marker == 0xda || size < 2 || at+2+size > len(data) {
			return nil
		}
		body := data[at+4 : at+2+size]
		if marker == 0xe1 && bytes.HasPrefix(body, exifMark) {
			return body[len(exifMark):]
		}
		at += 2 + size
	}
	return nil
}

// exifOfPNG walks the chunks (PNG 3, 11.3.3.4).
func exifOfPNG(data []byte) []byte {
	for at := 8; at+12 <= len(data); {
		size := int(binary.BigEndian.Uint32(data[at:]))
		if size > len(data)-at-12 {
			return nil
		}
		if string(data[at+4:at+8]) == "eXIf" {
			return data[at+8 : at+8+size]
		}
		at += 12 + size
	}
	return nil
}

// exifOfWebP walks the chunks (RFC 9649, 2.7).
func exifOfWebP(data []byte) []byte {
	for at := 12; at+8 <= len(data); {
		size := int(binary.LittleEndian.Uint32(data[at+4:]))
		if size > len(data)-at-8 {
			return nil
		}
		if string(data[at:at+4]) == "EXIF" {
			return bytes.TrimPrefix(data[at+8:at+8+size], exifMark)
		}
		at += 8 + size + size%2
	}
	return nil
}
