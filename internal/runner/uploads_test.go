package runner

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

func TestReadUploads(t *testing.T) {
	w := &wizard.Wizard{Pages: []wizard.Page{{PageNumber: 1, Fields: []wizard.Field{{FieldID: "cv", Traits: wizard.Traits{Format: "file"}}}}}}
	folder := fstest.MapFS{
		"cv.pdf":      {Data: []byte("%PDF")},
		"sub/a.txt":   {Data: []byte("a")},
		"huge.bin":    {Data: make([]byte, largestUpload+1)},
		"sub/dir/b.x": {Data: nil},
	}
	for _, c := range []struct {
		value any
		name  string // of the file that is read
		wrong string
	}{
		{"cv.pdf", "cv.pdf", ""},
		{"sub/a.txt", "a.txt", ""},
		{"none.pdf", "", "not there"},
		{"../cv.pdf", "", "below the uploads folder"},
		{"/etc/passwd", "", "below the uploads folder"},
		{"huge.bin", "", "10 MB"},
		{"sub", "", "readable"},
	} {
		got, err := readUploads(folder, w, wizard.Answers{"cv": c.value})
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) || !strings.Contains(err.Error(), TypeFile) {
				t.Errorf("%v: %v, want %q", c.value, err, c.wrong)
			}
			continue
		}
		if f := got[c.value.(string)]; err != nil || f.Name != c.name || len(f.Data) == 0 {
			t.Errorf("%v: %+v %v", c.value, f, err)
		}
	}
	if _, err := readUploads(nil, w, wizard.Answers{"cv": "cv.pdf"}); err == nil {
		t.Error("a path without an uploads folder is read")
	}
	if got, err := readUploads(nil, w, wizard.Answers{"cv": map[string]any{"name": "x"}}); err != nil || len(got) != 0 {
		t.Errorf("a file inside the data: %v %v", got, err)
	}
}
