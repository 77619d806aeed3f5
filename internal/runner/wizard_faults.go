package runner

import (
	"errors"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

func invalidID(err error) error {
	return fault.New(fault.Invalid, "invalid_wizard_id", "wizard_id: "+err.Error(),
		"Take a wizard_id from federalrunner_list_wizards: lower-case letters, digits and hyphens.")
}

// unknownWizard tells a wizard that is not there from one that is broken.
func (s *Server) unknownWizard(id string, err error) error {
	var bad *wizard.InvalidError
	var broken wizard.Broken
	if errors.As(err, &bad) || errors.As(err, &broken) {
		return fault.New(fault.Failed, "wizard_invalid", "The wizard "+id+" cannot be used: "+err.Error(),
			"Correct its file (legwork wizards check "+id+") or discover it again.")
	}
	entries, _ := s.wizards.List()
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.Wizard.WizardID)
	}
	return fault.New(fault.NotFound, "wizard_not_found", "There is no wizard "+id+".",
		"Known wizards: "+strings.Join(ids, ", ")+". Take one of these.").WithCause(err)
}
