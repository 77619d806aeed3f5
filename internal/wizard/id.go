package wizard

import (
	"errors"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// ErrInvalidID says that a text cannot be the id of a wizard.
var ErrInvalidID = errors.New("invalid wizard id")

// maxIDLength keeps ids usable as file names everywhere.
const maxIDLength = 100

var (
	idPattern      = lazyregexp.New(`^[a-z0-9-]+$`)
	fieldIDPattern = lazyregexp.New(`^[a-z_][a-z0-9_]*$`)
)

// NormalizeID accepts an id with or without ".json" at its end and returns the
// form without. Anything that could leave the store's folder is refused.
func NormalizeID(id string) (string, error) {
	name := strings.TrimSuffix(strings.TrimSpace(id), ".json")
	if len(name) > maxIDLength {
		return "", fmt.Errorf("%w: it has %d characters; the limit is %d", ErrInvalidID, len(name), maxIDLength)
	}
	if !idPattern.MatchString(name) {
		return "", fmt.Errorf("%w %q: use lower-case letters, digits and hyphens, like fsa-estimator", ErrInvalidID, name)
	}
	return name, nil
}
