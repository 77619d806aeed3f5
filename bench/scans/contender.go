package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
)

// contender is one way to check the pages.
type contender struct {
	name      string
	viewports int
	command   []string
	env       []string
	pages     func() (int, error) // that it has checked, after a run
	folder    string              // where it writes its results as it goes; empty: nobody knows how far it is
	codes     []int               // exit codes of a run that found faults
	pause     time.Duration       // between two looks at its memory
	samples   []sample
}

// contenders are Legwork in its ways, and the others. The others check a list of
// pages; Legwork finds as many by itself.
func contenders(o options, folder, base string) []*contender {
	var urls []string
	for _, p := range planted.Pages() {
		urls = append(urls, base+"/"+p.Name+".html")
	}
	at := place{o, folder, base}
	most := []string{"--max-links", fmt.Sprint(len(urls))}
	both := append([]string{"--viewport", "320x450", "--viewport", "1280x800"}, most...)
	axe := append([]string{"--plugins", "axe"}, both...)
	one := append([]string{"--plugins", "axe", "--viewport", "1280x800"}, most...)
	return []*contender{
		legworkScan("legwork, axe, two viewports", at, axe...),
		legworkScan("legwork, axe, one viewport", at, one...),
		legworkScan("legwork, axe, two viewports, in chromium", at, append([]string{"--set", "browser_engine=chromium"}, axe...)...),
		legworkScan("legwork, its usual audits, two viewports", at, both...),
		axeCLI(o, folder, urls),
		pa11yCI(o, folder, urls),
	}
}

// place is where a scan finds its program, keeps its results and finds the pages.
type place struct {
	options
	folder, base string
}

func legworkScan(name string, at place, args ...string) *contender {
	out := filepath.Join(at.folder, strings.Map(func(r rune) rune {
		if r == ' ' || r == ',' {
			return '_'
		}
		return r
	}, name))
	c := &contender{name: name, viewports: strings.Count(strings.Join(args, " "), "--viewport"), codes: []int{0}, folder: out}
	c.command = append([]string{at.legwork, "scan", at.base + "/index.html", "--out", out, "--fail-on", "none"}, args...)
	c.pages = func() (int, error) {
		defer os.RemoveAll(out)
		found, err := filepath.Glob(filepath.Join(out, "*", "scan.json"))
		if err != nil || len(found) != 1 {
			return 0, fmt.Errorf("%d results in %s (%v)", len(found), out, err)
		}
		return scanned(filepath.Dir(found[0]))
	}
	return c
}

// scanned counts the pages of a results folder.
func scanned(dir string) (n int, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, "pages.jsonl"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		var page struct{ State string }
		if err := json.Unmarshal([]byte(line), &page); err != nil {
			return 0, err
		}
		if page.State == "scanned" {
			n++
		}
	}
	return n, nil
}

// done is how many pages it has finished by now; addresses that it has given up are
// counted too.
func (c *contender) done() int {
	found, err := filepath.Glob(filepath.Join(c.folder, "*", "pages.jsonl"))
	if c.folder == "" || err != nil || len(found) != 1 {
		return 0
	}
	raw, _ := os.ReadFile(found[0]) // one that is not there yet has no line
	return bytes.Count(raw, []byte("\n"))
}

// quietly keeps a browser from doing anything but showing pages.
var quietly = []string{"no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"}

func axeCLI(o options, folder string, urls []string) *contender {
	out := filepath.Join(folder, "axe.json")
	command := append([]string{filepath.Join(o.peers, "node_modules/.bin/axe")}, urls...)
	command = append(command, "--chromedriver-path", o.chrome, "--chrome-path", o.chromium,
		"--chrome-options="+strings.Join(quietly, ","), "--dir", folder, "--save", "axe.json", "--no-reporter")
	return &contender{name: "@axe-core/cli, one viewport", viewports: 1, command: command, codes: []int{0, 1}, pages: func() (int, error) {
		defer os.Remove(out)
		var results []json.RawMessage
		raw, err := os.ReadFile(out)
		if err == nil {
			err = json.Unmarshal(raw, &results)
		}
		return len(results), err
	}}
}

func pa11yCI(o options, folder string, urls []string) *contender {
	config, out := filepath.Join(folder, "pa11y.json"), filepath.Join(folder, "pa11y-results.json")
	args := []string{"--headless"}
	for _, a := range quietly {
		args = append(args, "--"+a)
	}
	c := &contender{name: "pa11y-ci with axe, one viewport", viewports: 1, codes: []int{0, 2}}
	c.command = []string{filepath.Join(o.peers, "node_modules/.bin/pa11y-ci"), "-c", config}
	raw, err := json.Marshal(map[string]any{
		"defaults": map[string]any{
			"runners": []string{"axe"}, "standard": "WCAG2AA", "timeout": 30000, "concurrency": 1,
			"reporters":          []any{[]any{"json", map[string]string{"fileName": out}}},
			"chromeLaunchConfig": map[string]any{"executablePath": o.chromium, "args": args},
		},
		"urls": urls,
	})
	if err == nil {
		err = os.WriteFile(config, raw, 0o600)
	}
	c.pages = func() (int, error) {
		if err != nil {
			return 0, err
		}
		defer os.Remove(out)
		var results struct{ Results map[string]any }
		raw, err := os.ReadFile(out)
		if err == nil {
			err = json.Unmarshal(raw, &results)
		}
		return len(results.Results), err
	}
	return c
}
