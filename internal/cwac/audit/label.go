package audit

import (
	"image"
	"image/draw"
)

// glyphs are the digits, five rows of three pixels each: numbers are all that is ever
// written into a picture.
var glyphs = [10][5]uint8{
	{7, 5, 5, 5, 7}, {2, 6, 2, 2, 7}, {7, 1, 7, 4, 7}, {7, 1, 3, 1, 7}, {5, 5, 7, 1, 1},
	{7, 4, 7, 1, 7}, {7, 4, 7, 5, 7}, {7, 1, 2, 2, 2}, {7, 5, 7, 5, 7}, {7, 5, 7, 1, 7},
}

const (
	glyphScale  = 3 // pixels of the picture for one of a glyph
	glyphWidth  = 3*glyphScale + glyphScale
	glyphHeight = 5 * glyphScale
	labelBorder = 4
)

// labelSize is how much room a number takes.
func labelSize(text string) image.Point {
	return image.Pt(len(text)*glyphWidth-glyphScale+2*labelBorder, glyphHeight+2*labelBorder)
}

// drawLabel writes a number of digits, light on dark.
func drawLabel(img *image.NRGBA, at image.Rectangle, text string) {
	draw.Draw(img, at, image.NewUniform(ink), image.Point{}, draw.Src)
	for i := range len(text) {
		left := at.Min.X + labelBorder + i*glyphWidth
		for row, bits := range glyphs[text[i]-'0'] {
			for column := range 3 {
				if bits>>(2-column)&1 == 0 {
					continue
				}
				x, y := left+column*glyphScale, at.Min.Y+labelBorder+row*glyphScale
				draw.Draw(img, image.Rect(x, y, x+glyphScale, y+glyphScale), image.NewUniform(light), image.Point{}, draw.Src)
			}
		}
	}
}
