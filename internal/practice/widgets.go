package practice

import (
	"embed"
	"io/fs"
	"net/http"
)

// Widgets returns the wizard files and cases of the widget pages:
// wizard-structures/*.json and cases/*.json.
func Widgets() fs.FS { return embed.FS{} }

// widgetRoutes adds the widget pages to the site.
func widgetRoutes(mux *http.ServeMux, rec *recorder) {}
