package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// Listing is a list of the server with all of its pages.
type Listing struct {
	Pages []*Exchange
	// Items are the members of the list as they came, malformed ones included.
	Items []json.RawMessage
	// Shape says why a page has no items: "" when each has an array, or the JSON that
	// stands there instead, such as null.
	Shape string
	// Stopped says why the pages were not read to their end: a cursor that came twice,
	// too many pages or bytes. Cursor is where.
	Stopped string
	Cursor  string
}

// lists are the requests that come in pages, with the name of their list.
var lists = map[string]string{
	"tools/list": "tools", "resources/list": "resources", "resources/templates/list": "resourceTemplates", "prompts/list": "prompts",
	"tasks/list": "tasks", // of the legacy era
}

// mostItems is how many items of a list are looked at: a list within the limit of its
// bytes could have millions, and each costs many times its bytes when it is read.
const mostItems = 100_000

// List reads all pages of a list (MCP 2025-11-25, Pagination). A server that gives a
// cursor twice would go on for ever: the reading stops there. The listing has what was
// read also when it fails.
func (c *Conn) List(ctx context.Context, method string, params any, o CallOptions) (*Listing, error) {
	raw, err := marshal(params)
	name := lists[method]
	if err != nil || name == "" {
		return &Listing{}, &Error{Kind: Misused, Method: method, Detail: "This is no list, or its params are no JSON.", Cause: err}
	}
	l := &Listing{}
	seen := map[string]bool{}
	var size int64
	for {
		ex, err := c.Call(ctx, method, raw, o)
		l.Pages = append(l.Pages, ex)
		if err != nil {
			return l, err
		}
		page := field(ex.Result, name)
		all, isArray := items(page)
		if !isArray {
			l.Shape = string(page[:min(len(page), shown)])
			if page == nil {
				l.Shape = "absent"
			}
		}
		l.Items = append(l.Items, all...)
		size += int64(len(ex.Response))
		if len(l.Items) > mostItems {
			l.Items, l.Stopped = slices.Clone(l.Items[:mostItems]), fmt.Sprintf("there are more than %d items", mostItems)
			return l, nil
		}
		next := field(ex.Result, "nextCursor")
		if next == nil || isNull(next) {
			return l, nil
		}
		l.Cursor = string(next)
		switch {
		case seen[l.Cursor]:
			l.Stopped = "the cursor came before"
		case size > c.opt.Limits.Stream:
			l.Stopped = fmt.Sprintf("the pages have more than %d bytes", c.opt.Limits.Stream)
		case len(l.Pages) >= c.opt.Limits.Pages:
			l.Stopped = fmt.Sprintf("there are more than %d pages", c.opt.Limits.Pages)
		default:
			seen[l.Cursor] = true
			raw = with(raw, []member{{"cursor", next}})
			continue
		}
		return l, nil
	}
}
