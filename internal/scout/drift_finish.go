package scout

import (
	"slices"
	"time"
)

// finish puts together what was seen on all branches.
func (s *survey) finish(branches bool) *Drift {
	d := s.drift
	for id, f := range s.missing {
		if !s.found[id] || f.Kind == FoundHidden {
			d.add(f)
			continue
		}
		f.Kind = FoundHidden
		f.Message = quoted(f.Label) + " is not shown for some answers for which its condition holds"
		d.add(f)
	}
	for n, f := range s.gone {
		if !s.came[n] {
			d.add(f)
		}
	}
	for i := range s.added {
		d.add(s.added[i].finding(s.was.Page(s.added[i].page)))
	}
	s.tellConditions()
	s.headings()
	d.Pages, d.Fields = len(s.came), len(s.found)
	s.notAsked(branches)
	d.mended, d.at = s.wizard, s.now().UTC().Truncate(time.Second)
	s.mendPages()
	slices.SortStableFunc(d.Findings, func(a, b Finding) int { return a.Page - b.Page })
	return d
}

// notAsked says which pages and fields no branch came by.
func (s *survey) notAsked(branches bool) {
	hint := ""
	if !branches {
		hint = "; --branches goes through the others"
	}
	for _, p := range s.was.OrderedPages() {
		if !s.came[p.PageNumber] {
			if _, gone := s.gone[p.PageNumber]; !gone {
				s.drift.unreached("page %d (%s) was not seen%s", p.PageNumber, p.PageTitle, hint)
			}
			continue
		}
		var ids []string
		for _, it := range itemsOf(p) {
			if _, missing := s.missing[it.id]; !missing && !s.found[it.id] {
				ids = append(ids, it.id)
			}
		}
		if len(ids) > 0 {
			s.drift.unreached("page %d: not asked in the branches that were gone through: %s%s", p.PageNumber, list(ids, 10), hint)
		}
	}
}
