package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"time"

	xdraw "golang.org/x/image/draw"
)

// screenshot shows the viewport, or scrolls to show a part of the document and puts
// the pieces together: the driver takes pictures of the viewport only, as PNG.
func (t *webkitTab) screenshot(ctx context.Context, s Shot) ([]byte, error) {
	var picture image.Image
	var err error
	if s.Clip == nil {
		if err = t.Call(ctx, Function{Source: scrollSource}, nil); err == nil {
			picture, err = t.picture(ctx)
		}
	} else {
		picture, err = t.clipped(ctx, *s.Clip)
	}
	if err != nil {
		return nil, explain(ctx, err, "taking a screenshot")
	}
	return encode(scaled(picture, s.Scale), s)
}

func (t *webkitTab) picture(ctx context.Context) (image.Image, error) {
	data, err := t.pictureData(ctx)
	for again := 0; err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) && again < pictureTries; again++ {
		data, err = t.pictureData(ctx)
	}
	if err != nil {
		return nil, err
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("reading the driver's picture: %w", err)
	}
	return picture, nil
}

// The browser takes a picture when it next draws the page, and now and then waits for
// that for ever. It takes the next one all the same.
const (
	pictureLimit = 5 * time.Second
	pictureTries = 3
)

func (t *webkitTab) pictureData(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, pictureLimit)
	defer cancel()
	var data []byte
	err := t.within(ctx, "", func(ctx context.Context) error {
		var err error
		data, err = t.session.Screenshot(ctx)
		return err
	})
	return data, err
}

// scrollSource scrolls as far as it goes, and tells where the page is then and how
// large its viewport. The first frame is about to be drawn when it is told of, and has
// been when the second one is: what the page did before is in the picture.
const scrollSource = `function (to) {
	if (to) window.scrollTo({ left: to.X, top: to.Y, behavior: 'instant' });
	return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
		() => done({ X: scrollX, Y: scrollY, W: innerWidth, H: innerHeight }))));
}`

// tileLimit bounds how many pieces one picture is put together from.
const tileLimit = 100

// clipped shows a rectangle of the document. What is outside of it stays white.
func (t *webkitTab) clipped(ctx context.Context, clip Rect) (image.Image, error) {
	var home, at Rect
	if err := t.Call(ctx, Function{Source: scrollSource}, &home); err != nil {
		return nil, err
	}
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(math.Ceil(clip.W))), max(1, int(math.Ceil(clip.H)))))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	inside := clip.X >= home.X && clip.Y >= home.Y && clip.X+clip.W <= home.X+home.W && clip.Y+clip.H <= home.Y+home.H
	if inside {
		return out, t.tile(ctx, out, clip, home)
	}
	defer func() { _ = t.Call(ctx, Function{Source: scrollSource, Arg: home}, nil) }()
	tiles := 0
	for y := clip.Y; y < clip.Y+clip.H; y += home.H {
		for x := clip.X; x < clip.X+clip.W; x += home.W {
			if tiles++; tiles > tileLimit {
				return nil, unsupported(t.process.kind.name, "take a picture of so large a part of a page")
			}
			if err := t.Call(ctx, Function{Source: scrollSource, Arg: Rect{X: x, Y: y}}, &at); err != nil {
				return nil, err
			}
			if err := t.tile(ctx, out, clip, at); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// tile puts what the viewport shows at its place in the picture.
func (t *webkitTab) tile(ctx context.Context, out draw.Image, clip, at Rect) error {
	picture, err := t.picture(ctx)
	if err != nil {
		return err
	}
	to := picture.Bounds().Add(image.Pt(int(math.Round(at.X-clip.X)), int(math.Round(at.Y-clip.Y))))
	draw.Draw(out, to, picture, picture.Bounds().Min, draw.Src)
	return nil
}

// scaled shrinks a picture; 1 leaves it as it is.
func scaled(picture image.Image, scale float64) image.Image {
	if scale == 1 {
		return picture
	}
	size := picture.Bounds().Size()
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(math.Round(float64(size.X)*scale))), max(1, int(math.Round(float64(size.Y)*scale)))))
	xdraw.ApproxBiLinear.Scale(out, out.Bounds(), picture, picture.Bounds(), xdraw.Src, nil)
	return out
}

func encode(picture image.Image, s Shot) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if s.Format == "png" {
		err = png.Encode(&b, picture)
	} else {
		err = jpeg.Encode(&b, picture, &jpeg.Options{Quality: s.Quality})
	}
	if err != nil {
		return nil, fmt.Errorf("encoding a picture: %w", err)
	}
	return b.Bytes(), nil
}
