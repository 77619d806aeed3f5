package page

import "context"

// Pair is a term and its value.
type Pair struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Link is a download that the page offers.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// Reading is the text of a page, its main content before its navigation.
type Reading struct {
	URL     string `json:"url"`
	Title   string `json:"title"`
	Heading string `json:"heading"`
	// Text is at most as long as asked for; TextLength is the true length.
	Text       string       `json:"text"`
	TextLength int          `json:"length"`
	Pairs      []Pair       `json:"pairs"`
	Tables     [][][]string `json:"tables"`
	// Amounts are the figures that the page makes big.
	Amounts []Pair `json:"amounts"`
	Links   []Link `json:"links"`
}

// readingLimit is the length of the text when no other is asked for.
const readingLimit = 20000

// Read reads the page for a person or a model: at most limit characters of text,
// the main content first, with the frames that are shown.
func (p *Page) Read(ctx context.Context, limit int) (Reading, error) {
	if limit <= 0 {
		limit = readingLimit
	}
	arg := map[string]any{"max": limit}
	var out Reading
	if _, err := p.pierceIf(ctx, p.tab.Main()); err != nil {
		return out, err
	}
	if err := p.read(ctx, p.tab.Main(), call{"read", arg}, &out); err != nil {
		return out, err
	}
	main := p.tab.Main()
	for _, f := range p.tab.Frames() {
		if f.ID == main {
			continue
		}
		var part struct {
			Reading
			Seen bool `json:"seen"`
		}
		if err := p.invoke(ctx, f.ID, call{"read", arg}, &part); err != nil {
			if ctx.Err() != nil {
				return out, err
			}
			continue // a frame that went away or does not answer has no part in the result
		}
		if part.Seen {
			out.add(part.Reading, limit)
		}
	}
	return out, nil
}

// add takes in what a frame of the page says.
func (r *Reading) add(part Reading, limit int) {
	if part.Text != "" {
		if room := limit - len([]rune(r.Text)) - 2; room > 0 {
			text := []rune(part.Text)
			r.Text += "\n\n" + string(text[:min(room, len(text))])
		}
		r.TextLength += part.TextLength + 2
	}
	r.Pairs = append(r.Pairs, part.Pairs...)
	r.Tables = append(r.Tables, part.Tables...)
	r.Amounts = append(r.Amounts, part.Amounts...)
	r.Links = append(r.Links, part.Links...)
	if r.Heading == "" {
		r.Heading = part.Heading
	}
}
