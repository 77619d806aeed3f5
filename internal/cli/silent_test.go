package cli

import (
	"bytes"
	"log"
	"testing"
)

// TestLibrariesSayNothing: Go's HTTP client tells the standard logger what a server
// sent unasked.
func TestLibrariesSayNothing(t *testing.T) {
	was := log.Writer()
	defer log.SetOutput(was)
	var heard bytes.Buffer
	log.SetOutput(&heard)
	Main([]string{"version"}, Streams{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Environ: []string{"HOME=" + t.TempDir()}})
	log.Print("words of a stranger")
	if heard.Len() > 0 {
		t.Errorf("%s", heard.String())
	}
}
