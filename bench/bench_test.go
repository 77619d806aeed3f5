package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/practice"
)

const engine = "/usr/lib/chromium/chromium-headless-shell"

// rivals starts both scripts against a practice site.
func rivals(t *testing.T) *benchmark {
	t.Helper()
	clients := filepath.Join("..", "build", "clients")
	node := filepath.Join(clients, "node")
	if _, err := exec.LookPath(node); err != nil {
		node = "node"
	}
	floor := filepath.Join(t.TempDir(), "floor")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", floor, "./floor").CombinedOutput(); err != nil {
		t.Fatalf("building the floor: %v\n%s", err, out)
	}
	s, err := startSite(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := &benchmark{site: s, options: options{
		only: "playwright,floor", floor: floor, node: node, clients: clients, script: filepath.Join("playwright", "run.mjs"),
		browser: engine, keep: t.TempDir(), quality: 50, parallel: 2,
	}}
	t.Cleanup(func() {
		if err := errors.Join(b.stop(), s.close()); err != nil {
			t.Error(err)
		}
	})
	if err := b.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestScriptsAreRightAndTakeTheSamePictures(t *testing.T) {
	b := rivals(t)
	if err := b.warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := range wantPictures {
		var sizes [][2]int
		for _, c := range b.contenders {
			w, h, _, err := measurePicture(filepath.Join(b.keep, c.name(), string(rune('1'+n))+".jpg"))
			if err != nil {
				t.Fatal(err)
			}
			sizes = append(sizes, [2]int{w, h})
		}
		if sizes[0] != sizes[1] || sizes[0][0] != 1280 {
			t.Errorf("picture %d: sizes %v", n+1, sizes)
		}
	}
	for _, c := range b.contenders {
		if err := b.atOnce(t.Context(), c); err != nil {
			t.Errorf("%s, two at once: %v", c.name(), err)
		}
	}
	if err := b.site.unique(b.runs); err != nil {
		t.Error(err)
	}
}

func TestWrongRunFails(t *testing.T) {
	b := rivals(t)
	for _, c := range b.contenders {
		j := b.job("")
		j.Data = map[string]any{}
		for k, v := range b.site.data {
			j.Data[k] = v
		}
		j.Data["parent_income"] = "120001"
		if _, err := b.execute(t.Context(), c, j); err == nil {
			t.Errorf("%s: an income that is a dollar off passed", c.name())
		}
	}
}

func TestSame(t *testing.T) {
	given := map[string]any{"state": "Ohio", "family_size": 5, "none": true}
	for _, c := range []struct {
		name string
		sub  practice.Submission
		ok   bool
	}{
		{"equal, with an empty box", practice.Submission{Data: map[string]any{"state": "Ohio", "family_size": "5", "none": true, "other": false}}, true},
		{"missing", practice.Submission{Data: map[string]any{"state": "Ohio", "none": true}}, false},
		{"different", practice.Submission{Data: map[string]any{"state": "Iowa", "family_size": "5", "none": true}}, false},
		{"box too many", practice.Submission{Data: map[string]any{"state": "Ohio", "family_size": "5", "none": true, "other": true}}, false},
		{"text too many", practice.Submission{Data: map[string]any{"state": "Ohio", "family_size": "5", "none": true, "other": "x"}}, false},
		{"not asked", practice.Submission{Data: map[string]any{"state": "Ohio", "family_size": "5", "none": true}, Extra: map[string]any{"x": "1"}}, false},
	} {
		if err := same(given, c.sub); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestSeries(t *testing.T) {
	s := series{}
	for i, foreign := range []float64{0, 0.5, 0.1, 0, 0.14} {
		s = append(s, sample{wall: time.Duration(10-i) * time.Second, foreign: foreign})
	}
	if got := s.undisturbed(); got != 4 {
		t.Errorf("%d undisturbed, not 4", got)
	}
	got := s.clean().spread(wall)
	want := spread{6 * time.Second, 7500 * time.Millisecond, 10 * time.Second}
	if got != want {
		t.Errorf("spread %v, not %v", got, want)
	}
	if n := len(s[:3].clean()); n != 3 {
		t.Errorf("of three samples with two good ones %d are kept, not all", n)
	}
}

func TestTree(t *testing.T) {
	procs := table{
		1: {parent: 0, cpu: time.Second}, 10: {parent: 1, cpu: 2 * time.Second},
		11: {parent: 10, cpu: 4 * time.Second}, 12: {parent: 11, cpu: 8 * time.Second}, 20: {parent: 1, cpu: 16 * time.Second},
	}
	if diff := cmp.Diff([]int{10, 11, 12}, procs.tree(10)); diff != "" {
		t.Error(diff)
	}
	if got := procs.cpu(10); got != 14*time.Second {
		t.Errorf("tree used %v, not 14s", got)
	}
}

func TestEnginesAreNamed(t *testing.T) {
	b := &benchmark{options: options{engines: "chromium,netscape"}}
	if err := b.start(t.Context()); err == nil || !strings.Contains(err.Error(), `no engine "netscape"`) {
		t.Errorf("got %v", err)
	}
}
