package engine

import (
	"net/url"
	"os"
	"path/filepath"

	"github.com/legwork-mcp/legwork/internal/cwac/crawl"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Inputs are what a CWAC command line names.
type Inputs struct {
	Config  results.Config
	Sites   []results.Site
	Skipped []results.SkippedRow
	NoHead  []string
	Remarks []string // on the configuration, for people
	OutDir  string   // the folder for results
}

// configName is what CWAC takes as the name of a configuration.
var configName = lazyregexp.New(`^[a-zA-Z0-9_.-]+$`)

// Load reads what CWAC's command line names: the configuration of that name in
// ROOT/config, and the base URL files that it names. root is CWAC's working folder.
func Load(root, name string) (Inputs, error) {
	if name == "" {
		name = "config_default.json"
	}
	if !configName.MatchString(name) || name == "." || name == ".." {
		return Inputs{}, fault.New(fault.Invalid, "config_name", "ValueError: config_filename must be alphanumeric, with underscores, dots and hyphens.",
			"Name a file of the folder config, without the folder.")
	}
	path := filepath.Join(root, "config", name)
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return Inputs{}, fault.New(fault.NotFound, "config_missing", "FileNotFoundError: [Errno 2] No such file or directory: './config/"+name+"'.",
			"Name a file of the folder config, and start in the folder that holds it.")
	}
	in := Inputs{OutDir: filepath.Join(root, "results")}
	var err error
	if in.Config, err = results.LoadConfig(path); err != nil {
		return Inputs{}, err
	}
	in.Remarks = in.Config.Misspelt()
	visit, err := results.InBaseURLs(root, in.Config.VisitPath)
	if err != nil {
		return Inputs{}, err
	}
	read, err := results.LoadSites(visit)
	if err != nil {
		return Inputs{}, err
	}
	in.Skipped = read.Skipped
	for _, s := range read.Sites {
		if in.Config.Selects(s) {
			in.Sites = append(in.Sites, s)
		}
	}
	if in.NoHead, err = noHead(root, in.Config.NoHeadPath); err != nil {
		return Inputs{}, err
	}
	return in, nil
}

// noHead reads the addresses that refuse HEAD. The folder need not be there.
func noHead(root, path string) ([]string, error) {
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(root, path)
	}
	if _, err := os.Stat(full); err != nil {
		return nil, nil
	}
	dir, err := results.InBaseURLs(root, path)
	if err != nil {
		return nil, err
	}
	return results.LoadNoHead(dir)
}

// once leaves out base URLs that are the same page as an earlier one: scanned twice, its
// faults would count twice. CWAC scans such a page once too.
func (o Options) once() (sites []results.Site, repeated []results.SkippedRow) {
	first := map[string]string{}
	for _, s := range o.Sites {
		key := crawl.Options{Site: s.URL, Fold: !o.Config.Legwork.Compat, HashRoutes: o.Config.Legwork.HashRoutes}.Key()
		if before, seen := first[key]; seen && key != "" {
			repeated = append(repeated, results.SkippedRow{
				Place: s.Organisation, URL: s.URL, Reason: "this base URL is the same page as " + before + ", which is listed before and scanned once",
			})
			continue
		}
		first[key] = s.URL
		sites = append(sites, s)
	}
	return sites, repeated
}

// spread orders sites so that no host is scanned twice in a row where that can be
// avoided. CWAC draws lots; this order is always the same.
func spread(sites []results.Site) []results.Site {
	byHost := map[string][]results.Site{}
	var hosts []string
	for _, s := range sites {
		host := s.URL
		if u, err := url.Parse(s.URL); err == nil {
			host = u.Host
		}
		if byHost[host] == nil {
			hosts = append(hosts, host)
		}
		byHost[host] = append(byHost[host], s)
	}
	ordered := make([]results.Site, 0, len(sites))
	for round := 0; len(ordered) < len(sites); round++ {
		for _, h := range hosts {
			if round < len(byHost[h]) {
				ordered = append(ordered, byHost[h][round])
			}
		}
	}
	return ordered
}
