package tool

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// envelope is kept free for the JSON-RPC message around a result and for what
// the protocol adds to it.
const envelope = 1 << 10

// fit makes the result and keeps it within budget bytes on the wire, whatever
// the handler returned. The last line of the text says what is gone. A
// dropped member of the structured content keeps it valid, since the published
// output schema requires none.
func (r *reply) fit(budget int) *mcp.CallToolResult {
	budget -= envelope
	if r.atMost() <= budget || r.size() <= budget {
		return r.result()
	}
	c := *r
	if sizeOf(c.text)+sizeOf(c.structured) > budget*2/3 {
		c.cutStructured(budget / 3)
		c.cutText(budget / 3)
	}
	c.dropImages(budget)
	if c.size() > budget {
		c.note("%d of %d links are left out.", len(c.links), len(c.links))
		c.links = nil
	}
	return c.result()
}

// note adds a sentence to the last line of the text.
func (r *reply) note(format string, args ...any) {
	r.notes = append(r.notes[:len(r.notes):len(r.notes)], fmt.Sprintf(format, args...))
}

// fullText is the text with the line that says what was cut.
func (r *reply) fullText() string {
	if len(r.notes) == 0 {
		return r.text
	}
	return r.text + "\n[Cut to fit the size limit of a result: " + strings.Join(r.notes, " ") +
		" Ask for less in one call to see the rest.]"
}

// cutStructured removes the largest members until the rest fits.
func (r *reply) cutStructured(limit int) {
	if sizeOf(r.structured) <= limit {
		return
	}
	n, err := parseJSON(r.structured)
	if err != nil || n.kind != '{' {
		r.structured = json.RawMessage(`{"cut":"the structured result was too large"}`)
		r.note("The structured result is left out.")
		return
	}
	room := limit - 1<<10 // for the names of what is gone
	var gone []string
	for total := sizeOf(n.json()); total > room && len(n.members) > 0; total = sizeOf(n.json()) {
		largest := 0
		for i, m := range n.members {
			if len(m.value.raw) > len(n.members[largest].value.raw) {
				largest = i
			}
		}
		gone = append(gone, n.members[largest].name)
		n.members = append(n.members[:largest:largest], n.members[largest+1:]...)
	}
	list := strings.Join(gone, ", ")
	if len(list) > 300 {
		list = fmt.Sprintf("%d members", len(gone))
	}
	raw, _ := marshal("left out of the structured result, too large: " + list) // a string always marshals
	n.members = append(n.members, member{"cut", &node{kind: '"', raw: raw}})
	r.structured = n.json()
	r.note("The structured result lacks %s.", list)
}

// cutText keeps the start of the text.
func (r *reply) cutText(limit int) {
	if sizeOf(r.text) <= limit {
		return
	}
	whole := len(r.text)
	n := sort.Search(whole, func(i int) bool { return sizeOf(r.text[:i]) > limit }) - 1
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(r.text[n]) {
		n--
	}
	r.text = r.text[:n]
	r.note("The text stops after %d of %d bytes.", n, whole)
}

// dropImages removes pictures, the last first, until the result fits.
func (r *reply) dropImages(budget int) {
	all := len(r.images)
	// 200 bytes are for the sentence below.
	for len(r.images) > 0 && r.size()+200 > budget {
		r.images = r.images[:len(r.images)-1]
	}
	if dropped := all - len(r.images); dropped > 0 {
		r.note("%d of %d images are left out.", dropped, all)
	}
}

// atMost is no less than size, and needs no look at what the result says: an
// escape takes six bytes. Of what is not text alone it knows nothing.
func (r *reply) atMost() int {
	if len(r.images)+len(r.links)+len(r.notes) > 0 {
		return math.MaxInt
	}
	return envelope + 6*(len(r.text)+len(r.structured))
}

// size is the most that the result takes on the wire. Pictures are counted, not
// encoded: there may be many.
func (r *reply) size() int {
	total := 0
	for _, i := range r.images {
		total += base64.StdEncoding.EncodedLen(len(i.Data)) + sizeOf(i.MIME) + 64
	}
	bare := *r
	bare.images = nil
	return total + sizeOf(bare.result())
}

// sizeOf is the size of a value as the SDK writes it: with HTML escapes, which
// make a page's markup up to six times larger.
func sizeOf(v any) int {
	if raw, ok := v.(json.RawMessage); ok && raw == nil {
		return 0
	}
	if raw, ok := v.([]byte); ok {
		v = json.RawMessage(raw)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(raw)
}
