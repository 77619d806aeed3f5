package results

import "strconv"

// Viewport is one window size of a scan.
type Viewport struct {
	Name   string `json:"name"` // such as "small"; part of the audit id
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// String is the value of the viewport_size column: the text of a Python dict. It is
// empty for the zero viewport, of audits that look at no window.
func (v Viewport) String() string {
	if v.Width == 0 && v.Height == 0 {
		return ""
	}
	return "{'width': " + strconv.Itoa(v.Width) + ", 'height': " + strconv.Itoa(v.Height) + "}"
}

// Site is one row of the base URL files: where a crawl begins, and whose it is.
type Site struct {
	Organisation string `json:"organisation"`
	URL          string `json:"url"`
	Sector       string `json:"sector"`
}

// View is one page at one viewport: the common columns of every audit file.
type View struct {
	Site     Site     `json:"site"`
	BaseURL  string   `json:"base_url"` // as the column has it; in "visit" mode scheme and host only
	Title    string   `json:"page_title"`
	URL      string   `json:"url"`
	Viewport Viewport `json:"viewport"`
	PageID   int      `json:"page_id"` // counts pages of the whole run, from 1
}

// AuditID names the view within its run, and its screenshot: "12_small". Without a
// viewport it is the number of the page.
func (v View) AuditID() string {
	if v.Viewport.Name == "" {
		return strconv.Itoa(v.PageID)
	}
	return strconv.Itoa(v.PageID) + "_" + v.Viewport.Name
}
