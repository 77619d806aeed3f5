package cli

import (
	"os"
	"testing"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// TestWithoutAScopeOnlyTheLocalUserIsAuthorized: a name gives nobody a scope.
func TestWithoutAScopeOnlyTheLocalUserIsAuthorized(t *testing.T) {
	t.Parallel()
	a := &app{std: Streams{Err: os.Stderr, Environ: []string{"HOME=" + t.TempDir()}}}
	kit, err := a.open()
	if err != nil {
		t.Fatal(err)
	}
	defer kit.close(t.Context())
	authorize := kit.toolPolicy().Authorize
	for _, b := range kit.tools() {
		for _, subject := range []string{"", "auth0|someone", "Local"} {
			err := authorize(tool.WithCaller(t.Context(), auth.Principal{Subject: subject}), b.Spec)
			if err == nil || fault.From(err).Type != "insufficient_scope" {
				t.Errorf("%q may use %s: %v", subject, b.Spec.Name, err)
			}
		}
		if err := authorize(tool.WithCaller(t.Context(), auth.Local()), b.Spec); err != nil {
			t.Errorf("the local user may not use %s: %v", b.Spec.Name, err)
		}
	}
}
