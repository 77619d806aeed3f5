package cli

import "github.com/legwork-mcp/legwork/internal/tool"

// ServerPolicy is what every call of the servers passes.
func ServerPolicy() tool.Policy { return (&kit{}).toolPolicy() }
