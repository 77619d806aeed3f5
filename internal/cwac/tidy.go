package cwac

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// tidyPeriod is how often a server looks after what was left: scans get too old also
// while it runs.
const tidyPeriod = 6 * time.Hour

// abandoned is how old a temporary file is that belongs to no scan any more.
const abandoned = 24 * time.Hour

// tidy looks after what was left, with the first call and then from time to time.
func (s *Server) tidy() {
	s.tidying.Lock()
	defer s.tidying.Unlock()
	if now := s.clock(); s.tidied.IsZero() || now.Sub(s.tidied) >= tidyPeriod {
		s.tidied = now
		s.tidyAll()
	}
}

// tidyAll looks at everything: scans whose supervisor has died are buried, records
// past their retention forgotten, and temporary files of no running scan removed. What
// cannot be done is logged, and no call fails for it.
func (s *Server) tidyAll() {
	all, err := s.reg.all()
	if err != nil {
		s.log.Warn("looking at earlier scans", "error", err)
		return
	}
	busy := map[string]bool{}
	for _, rec := range all {
		state, err := s.reg.state(rec)
		if err != nil {
			s.log.Warn("looking at a scan", "scan", rec.ID, "error", err)
			continue
		}
		if !state.Over() {
			busy[tempPrefix+rec.ID[:8]] = true
			continue
		}
		if keep := s.set.Retention; keep > 0 && s.clock().Sub(state.Ended) > keep {
			if err := s.forget(&scan{id: rec.ID, rec: rec, state: state, dir: resultsOf(rec, state)}); err != nil {
				s.log.Warn("removing an old scan", "scan", rec.ID, "error", err)
			}
		}
	}
	if _, err := results.Bury(filepath.Join(s.o.Dir, "results"), process.Named); err != nil {
		s.log.Warn("ending the records of scans that were cut off", "error", err)
	}
	for _, root := range s.roots() {
		for _, dir := range []string{"config", filepath.Join("base_urls", "visit")} {
			s.sweep(filepath.Join(root, dir), busy)
		}
	}
}

// tempPattern is what those files are called: an installation may have others of its
// owner that begin alike.
var tempPattern = lazyregexp.New("^" + tempPrefix + "[0-9a-f]{8}$")

// sweep removes old temporary files of scans from a folder.
func (s *Server) sweep(dir string, busy map[string]bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // it comes with the first scan
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".json")
		info, err := e.Info()
		if err != nil || !tempPattern.MatchString(name) || busy[name] || s.clock().Sub(info.ModTime()) < abandoned {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			s.log.Warn("removing a temporary file", "error", err)
		}
	}
}

// forget removes a scan of this server's own folder with its results. Those in the
// folder of an installation are that installation's.
func (s *Server) forget(x *scan) error {
	var err error
	if x.dir != "" && filepath.Dir(x.dir) == filepath.Join(s.o.Dir, "results") {
		err = os.RemoveAll(x.dir)
	}
	return errors.Join(err, s.reg.remove(x.id))
}
