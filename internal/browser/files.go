package browser

import (
	"context"
	"fmt"
	"os"

	"github.com/chromedp/cdproto/dom"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// SetFiles calls fn in a frame, where it returns a file input, and gives that
// input the files at these paths, as if a person had chosen them.
func (t *Tab) SetFiles(ctx context.Context, frame FrameID, fn string, arg any, paths []string) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	for _, path := range paths {
		// The browser would report success and read nothing.
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			return fault.New(fault.Invalid, "", "A file to upload cannot be read.",
				"Check that the file exists and is readable.").WithCause(err)
		}
	}
	h, err := t.hold(ctx, frame, fn, arg)
	if err != nil {
		return err
	}
	defer h.letGo()
	if h.id == "" {
		return fmt.Errorf("setting files: %w", errNoElement)
	}
	_, err = call(ctx, h.world.session, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, ObjectID: h.id})
	return explain(ctx, err, "giving files to the page")
}
