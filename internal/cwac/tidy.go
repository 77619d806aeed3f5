package cwac

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// abandoned is how old a temporary file is that belongs to no scan any more.
const abandoned = 24 * time.Hour

// tidy looks after what earlier servers left: scans whose supervisor has died are
// buried, records past their retention forgotten, and temporary files of no running
// scan removed. What cannot be done is logged, and no call fails for it.
func (s *Server) tidy() {
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
	for _, root := range s.roots() {
		for _, dir := range []string{"config", filepath.Join("base_urls", "visit")} {
			s.sweep(filepath.Join(root, dir), busy)
		}
	}
}

// sweep removes old temporary files of scans from a folder.
func (s *Server) sweep(dir string, busy map[string]bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // it comes with the first scan
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".json")
		info, err := e.Info()
		if err != nil || !strings.HasPrefix(name, tempPrefix) || busy[name] || s.clock().Sub(info.ModTime()) < abandoned {
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
