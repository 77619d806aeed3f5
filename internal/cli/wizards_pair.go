package cli

import (
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// pair finds the two wizards to compare.
func (c wizardsDiffCmd) pair(k *kit) (was, is *wizard.Wizard, err error) {
	first, err := k.wizard(c.Old)
	if err != nil {
		return nil, nil, err
	}
	if c.New != "" {
		second, err := k.wizard(c.New)
		if err != nil {
			return nil, nil, err
		}
		return first.Wizard, second.Wizard, nil
	}
	versions, err := k.store.History(first.Wizard.WizardID)
	if err != nil {
		return nil, nil, err
	}
	for _, v := range versions { // the newest first
		if v.Current {
			continue
		}
		before, err := k.store.GetVersion(first.Wizard.WizardID, v.Hash)
		if err != nil {
			return nil, nil, err
		}
		return before.Wizard, first.Wizard, nil
	}
	return nil, nil, fault.New(fault.NotFound, "no_history", first.Wizard.WizardID+" has no earlier version in the store.", "Name a second wizard to compare with.")
}
