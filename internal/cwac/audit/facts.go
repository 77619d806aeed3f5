package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Link is one a or area element with an address.
type Link struct {
	Href string `json:"href"` // absolute; empty when it cannot be resolved
	Raw  string `json:"raw"`  // as written; of a frame, absolute
	Text string `json:"text"`
	Rel  string `json:"rel"`
}

// Facts are what a crawler and a report want to know of a page beside its faults.
type Facts struct {
	Links       []Link `json:"links"` // of the page, its open shadow roots and its frames of the same origin, each address of a document once
	Canonical   string `json:"canonical"`
	Lang        string `json:"lang"`
	Title       string `json:"title"`
	Robots      string `json:"robots"` // of <meta name=robots>
	Description string `json:"description"`
	Refresh     string `json:"refresh"` // of <meta http-equiv=refresh>
	Base        string `json:"base"`
	URL         string `json:"url"`
	ContentType string `json:"contentType"`
	Text        string `json:"text"` // the beginning of what a person reads
	Elements    int    `json:"elements"`
	Details     int    `json:"details"` // closed ones
	Frames      int    `json:"frames"`
	Signature   string `json:"signature"` // pages of one template share it
}

// textSample is how many characters of text tell a block or an error page.
const textSample = 4000

// Facts reads all of it in one call a document.
func (p *Page) Facts(ctx context.Context) (Facts, error) {
	var got struct {
		Facts
		Skeleton string `json:"skeleton"`
	}
	if err := p.invoke(ctx, request{Name: "facts", Arg: map[string]any{"text": textSample}}, &got); err != nil {
		return Facts{}, err
	}
	f := got.Facts
	sum := sha256.Sum256([]byte(got.Skeleton))
	f.Signature = hex.EncodeToString(sum[:8])
	if f.Frames == 0 {
		return f, nil
	}
	main := p.Tab.Main()
	all, cancel := context.WithTimeout(ctx, framesLimit)
	defer cancel()
	for _, frame := range p.Tab.Frames() {
		if frame.ID != main && all.Err() == nil && sameOrigin(frame.URL, f.URL) {
			f.Links = append(f.Links, p.frameLinks(all, frame.ID)...)
		}
	}
	return f, nil
}

func (p *Page) frameLinks(ctx context.Context, frame browser.FrameID) []Link {
	var got Facts
	short, cancel := context.WithTimeout(ctx, frameLimit)
	defer cancel()
	if err := p.invoke(short, request{Frame: frame, Name: "facts", Arg: map[string]any{"frame": true}}, &got); err != nil {
		return nil // a frame that is gone or silent has no links to follow
	}
	for i, l := range got.Links {
		if l.Href != "" {
			got.Links[i].Raw = l.Href // the page's own base is another one
		}
	}
	return got.Links
}

func sameOrigin(a, b string) bool {
	x, err := url.Parse(a)
	if err != nil {
		return false
	}
	y, err := url.Parse(b)
	return err == nil && x.Scheme == y.Scheme && x.Host == y.Host
}

// Element is one match of a selector.
type Element struct {
	HTML     string       `json:"outer"` // with its content, bounded
	Target   string       `json:"xpath"`
	Selector string       `json:"selector"`
	Box      *results.Box `json:"box"`
}

// The most that Elements returns.
const (
	maxElements     = 500
	maxElementBytes = 20_000
)

// Elements are what a CSS selector finds in the page and its open shadow roots, at
// most 500, and how many there are.
func (p *Page) Elements(ctx context.Context, selector string) ([]Element, int, error) {
	var got struct {
		Total int       `json:"total"`
		List  []Element `json:"list"`
	}
	arg := map[string]any{"selector": selector, "max": maxElements, "bytes": maxElementBytes}
	err := p.invoke(ctx, request{Name: "elements", Arg: arg}, &got)
	if syntaxError(err) {
		return nil, 0, fault.New(fault.Invalid, "", "The selector of the element audit is no CSS selector: "+bounded(selector, 80)+".",
			"Correct the selector.")
	}
	return got.List, got.Total, err
}
