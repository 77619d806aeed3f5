package scout

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"html/template"
	"slices"
	"sync"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

//go:embed review.html.tmpl
var reviewPage string

var reviewTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("review").Parse(reviewPage)) })

// Review is the discovery as one HTML page without scripts: every step with its
// fields outlined and named, the conditions, and what a person should check.
func Review(d *Discovery) ([]byte, error) {
	var b bytes.Buffer
	var pages []reviewStep
	for i := range d.Wizard.Pages {
		pages = append(pages, stepOfReview(d, &d.Wizard.Pages[i]))
	}
	err := reviewTemplate().Execute(&b, map[string]any{
		"W": d.Wizard, "Proven": d.Proven, "Proofs": d.Proofs, "Coverage": d.Coverage, "Remarks": d.Remarks, "Pages": pages, "Lasts": d.Lasts, "Submitted": d.Submitted,
	})
	return b.Bytes(), err
}

// reviewStep is one step of the review with its pictures.
type reviewStep struct {
	P     *wizard.Page
	Tiles []reviewTile
}

type reviewTile struct {
	Src   template.URL
	Boxes []reviewBox
}

// reviewBox is an outline, in per cent of its picture.
type reviewBox struct {
	Name                     string
	Left, Top, Width, Height float64
}

func stepOfReview(d *Discovery, p *wizard.Page) reviewStep {
	out := reviewStep{P: p}
	i := slices.IndexFunc(d.Sights, func(s Sight) bool { return s.Page == p.PageNumber })
	if i < 0 {
		return out
	}
	s := d.Sights[i]
	top := 0.0
	for _, t := range s.Tiles {
		scale := float64(t.Width) / s.Width
		height := float64(t.Height) / scale
		// our own encoder's bytes: safe as a data address
		tile := reviewTile{Src: template.URL("data:" + t.MIME + ";base64," + base64.StdEncoding.EncodeToString(t.Data))}
		for _, f := range p.Fields {
			if b, ok := s.Places[f.FieldID]; ok && b.W > 0 && b.Y+b.H > top && b.Y < top+height {
				tile.Boxes = append(tile.Boxes, outline(f.FieldID, b, page.Box{Y: top, W: s.Width, H: height}))
			}
		}
		out.Tiles = append(out.Tiles, tile)
		top += height
	}
	return out
}

// outline is what of a field is on a picture: component libraries keep the native
// input of a drawn one far outside of the page.
func outline(name string, b, pic page.Box) reviewBox {
	left, right := within(b.X, pic.W), within(b.X+b.W, pic.W)
	top, bottom := within(b.Y-pic.Y, pic.H), within(b.Y+b.H-pic.Y, pic.H)
	return reviewBox{name, percent(left, pic.W), percent(top, pic.H), percent(right-left, pic.W), percent(bottom-top, pic.H)}
}

func within(v, most float64) float64 { return max(0, min(v, most)) }

func percent(part, whole float64) float64 { return float64(int(10000*part/whole)) / 100 }

// picture takes a sight of a step as it stands. A step has one: the one with the
// most questions on it.
func (w *walker) picture(ctx context.Context, n *node, shown []*known) {
	if !w.pictures || n.sight != nil && len(n.sight.Places) >= len(shown) {
		return
	}
	var targets, hide []page.Target
	for _, k := range shown {
		t := input(k.control, k.id).Target
		targets = append(targets, t)
		if private(k.control) {
			hide = append(hide, t)
		}
	}
	shots, err := w.page.Shots(ctx, page.ShotOptions{Quality: reviewQuality, MaxWidth: reviewWidth, Hide: hide})
	if err != nil || len(shots) == 0 {
		return // the review goes without
	}
	boxes, err := w.page.Boxes(ctx, targets)
	if err != nil {
		return
	}
	s := &Sight{Tiles: shots, Width: float64(w.width), Places: map[string]page.Box{}}
	for i, k := range shown {
		s.Places[k.id] = boxes[i]
	}
	n.sight = s
}

// How the pictures of the review look.
const (
	reviewQuality = 60
	reviewWidth   = 1000
)
