package scout

import (
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// maxOffered bounds how long a list may be whose options are compared from look to
// look.
const maxOffered = 300

// offer notes which options a closed list had in this look.
func (l *look) offer(k *known, c page.Control) {
	if c.Kind != page.KindSelect && c.Kind != page.KindRadio || len(c.Options) > maxOffered {
		return
	}
	if l.offered == nil {
		l.offered = map[string]map[string]bool{}
	}
	l.offered[k.id] = map[string]bool{}
	for _, o := range choosable(c.Options) {
		l.offered[k.id][optionValue(o)] = true
	}
}

// conditionsOf writes down for which earlier answers a list has which options. It
// is all or nothing: one option that nothing explains leaves the list as it is.
func (n *node) conditionsOf(k *known, f *wizard.Field, earlier []string) {
	found := make([]*wizard.Condition, len(f.Options))
	for i, o := range f.Options {
		var moments []moment
		for _, l := range n.looks {
			if had, ok := l.offered[k.id]; ok && l.shown[k.id] && (!n.slow || l.calm) {
				moments = append(moments, moment{l.answers, had[o.Value]})
			}
		}
		var ok bool
		if found[i], ok = explain(moments, earlier); !ok {
			return
		}
	}
	for i := range f.Options {
		f.Options[i].AvailableWhen = found[i]
	}
}
