package browser

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

func (t *firefoxTab) screenshot(ctx context.Context, s Shot) ([]byte, error) {
	v, err := t.page()
	if err != nil {
		return nil, err
	}
	p := bidi.ScreenshotParams{Context: bidi.ContextID(v.main), Origin: "viewport", Format: &bidi.ImageFormat{Type: "image/png"}}
	if s.Format == "jpeg" && s.Scale == 1 {
		p.Format = &bidi.ImageFormat{Type: "image/jpeg", Quality: float64(s.Quality) / 100}
	}
	if s.Clip != nil {
		p.Origin = "document"
		p.Clip = &bidi.ClipBox{Type: "box", X: s.Clip.X, Y: s.Clip.Y, Width: s.Clip.W, Height: s.Clip.H}
	}
	res, err := bidi.Start(t.process.conn, bidi.CaptureScreenshot, p).WaitOr(ctx, t.quit)
	if err != nil {
		return nil, explain(ctx, t.read(err), "taking a screenshot")
	}
	if s.Scale == 1 {
		return res.Data, nil
	}
	data, err := rescaled(res.Data, s)
	return data, explain(ctx, err, "shrinking a screenshot")
}

// rescaled draws a PNG picture in another size, in the format that was asked for.
func rescaled(data []byte, s Shot) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	size := from.Bounds().Size()
	to := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(size.X)*s.Scale+0.5)), max(1, int(float64(size.Y)*s.Scale+0.5))))
	draw.ApproxBiLinear.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	if s.Format == "png" {
		err = png.Encode(&out, to)
	} else {
		err = jpeg.Encode(&out, to, &jpeg.Options{Quality: s.Quality})
	}
	return out.Bytes(), err
}

func (t *firefoxTab) resize(ctx context.Context, size Size) error {
	v, err := t.page()
	if err != nil {
		return err
	}
	if size.Scrollbars != t.engine.options.Scrollbars {
		return unsupported(EngineFirefox, "show or hide scrollbars while it runs")
	}
	_, err = bidi.Start(t.process.conn, bidi.SetViewport, bidi.ViewportParams{
		Context: bidi.ContextID(v.main), Viewport: bidi.Viewport{Width: size.Width, Height: size.Height}, PixelRatio: 1,
	}).WaitOr(ctx, t.quit)
	return explain(ctx, t.read(err), "changing the size of the page")
}
