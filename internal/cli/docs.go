package cli

import (
	"os"
	"path/filepath"

	"github.com/legwork-mcp/legwork/internal/docgen"
)

type docsCmd struct {
	Out string `default:"." type:"path" help:"Root of the source tree."`
}

// Run writes every generated document.
func (c docsCmd) Run(a *app) error {
	kit, err := a.open()
	if err != nil {
		return err
	}
	for name, content := range kit.documents() {
		path := filepath.Join(c.Out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := writeFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// documents are the generated files by their path in the source tree.
func (k *kit) documents() map[string][]byte {
	local := docgen.Connection{
		Name: "legwork", Command: "legwork", Args: []string{"stdio"}, URL: "http://127.0.0.1:8080/",
	}
	var servers []docgen.Server
	for _, s := range k.servers() {
		servers = append(servers, docgen.Server{Name: s.name, Title: s.title, Tools: s.tools})
	}
	return map[string][]byte{
		"docs/reference/tools.md":   docgen.Reference(servers),
		"docs/reference/clients.md": docgen.Clients(local),
	}
}
