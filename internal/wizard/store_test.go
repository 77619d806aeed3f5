package wizard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// embeddedSource has the sample wizard and a broken one.
func embeddedSource(t testing.TB) Source {
	t.Helper()
	return Source{Practice: true, FS: fstest.MapFS{
		"wizard-structures/benefit-check.json": {Data: readTestdata(t, "v1.2/benefit-check.json")},
		"wizard-structures/fsa-estimator.json": {Data: readTestdata(t, "v1.1/fsa-estimator.json")},
		"data-schemas/fsa-estimator-schema.json": {
			Data: readTestdata(t, "v1.1/fsa-estimator-schema.json"),
		},
	}}
}

func mustOpen(t testing.TB, dir string, sources ...Source) *Store {
	t.Helper()
	s, err := OpenStore(dir, sources...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ids(entries []Entry) []string {
	var list []string
	for _, e := range entries {
		list = append(list, e.Wizard.WizardID)
	}
	return list
}

func TestStoreReadsEmbeddedWizards(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "not-there-yet"), embeddedSource(t))
	entries, broken := s.List()
	if diff := cmp.Diff([]string{"benefit-check", "fsa-estimator"}, ids(entries)); diff != "" || len(broken) > 0 {
		t.Errorf("broken %v, (-want +got):\n%s", broken, diff)
	}
	e, err := s.Get("fsa-estimator.json")
	if err != nil {
		t.Fatal(err)
	}
	if !e.Practice || e.Contract.Generated || e.Overrides || e.Hash == "" || e.Hash == e.Wizard.Hash() {
		t.Errorf("entry: %+v", e)
	}
	for id, want := range map[string]string{
		"fsa-estimatr": `no wizard "fsa-estimatr"; did you mean "fsa-estimator"?`, "zzz": `no wizard "zzz"`,
		"benefit": `no wizard "benefit"; did you mean "benefit-check"?`,
	} {
		if _, err := s.Get(id); !errors.Is(err, ErrNotFound) || err.Error() != want {
			t.Errorf("Get(%q): %v, want %s", id, err, want)
		}
	}
	for _, id := range []string{"../fsa-estimator", "a/b", "/etc/passwd", ""} {
		if _, err := s.Get(id); !errors.Is(err, ErrInvalidID) {
			t.Errorf("Get(%q): %v", id, err)
		}
	}
	if _, err := os.Stat(s.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("reading created the folder")
	}
}

func TestSaveOverridesAndKeepsVersions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wizards")
	s := mustOpen(t, dir, embeddedSource(t))
	w := benefitCheck(t)
	first, err := s.Save(w, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Name = "Changed"
	second, err := s.Save(w, mustContract(t, w))
	if err != nil {
		t.Fatal(err)
	}
	if first == second {
		t.Error("another content has the same version")
	}
	e, err := s.Get("benefit-check")
	if err != nil {
		t.Fatal(err)
	}
	if e.Wizard.Name != "Changed" || !e.Overrides || e.Practice || e.Hash != second || e.ModTime.IsZero() {
		t.Errorf("entry: %+v", e)
	}
	history, err := s.History("benefit-check")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, v := range history {
		got[v.Hash] = v.Current
	}
	if diff := cmp.Diff(map[string]bool{first: false, second: true}, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	for _, name := range []string{first, strings.TrimPrefix(first, hashPrefix)[:10]} {
		old, err := s.GetVersion("benefit-check", name)
		if err != nil {
			t.Fatal(err)
		}
		if old.Wizard.Name != "Benefit Check" || old.Hash != first {
			t.Errorf("version %s is %q", name, old.Wizard.Name)
		}
	}
	for _, name := range []string{"", "sha256:abc", "sha256:ffffffffffff", "../../x"} {
		if _, err := s.GetVersion("benefit-check", name); !errors.Is(err, ErrNotFound) {
			t.Errorf("GetVersion(%q): %v", name, err)
		}
	}
	entries, broken := s.List()
	if len(entries) != 2 || len(broken) != 0 || !entries[0].Overrides {
		t.Errorf("entries %v, broken %v", ids(entries), broken)
	}
	leftovers(t, dir)
}

// leftovers fails when a temporary file was left behind.
func leftovers(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".tmp") {
			t.Errorf("%s was left behind", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSaveRefusesInvalidWizards(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	w := benefitCheck(t)
	w.WizardID = "../evil"
	var invalid *InvalidError
	if _, err := s.Save(w, nil); !errors.As(err, &invalid) {
		t.Errorf("error = %v", err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) > 0 {
		t.Errorf("files %v, %v", files, err)
	}
	if _, err := mustOpen(t, "").Save(benefitCheck(t), nil); !errors.Is(err, ErrReadOnly) {
		t.Errorf("error = %v", err)
	}
}

func TestWrittenSchemaSurvivesSave(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	w := mustParse(t, readTestdata(t, "v1.1/fsa-estimator.json"))
	w.Field("parent_income").VisibleWhen = &Condition{FieldID: "parent_filed_taxes", Value: json.RawMessage(`"yes"`)}
	schema := readTestdata(t, "v1.1/fsa-estimator-schema.json")
	c, err := ParseContract(w, schema)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := s.Save(w, c)
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.Get("fsa-estimator")
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Save(e.Wizard, e.Contract)
	if err != nil {
		t.Fatal(err)
	}
	if e.Hash != hash || again != hash {
		t.Errorf("versions %s, %s, %s", hash, e.Hash, again)
	}
	if diff := cmp.Diff(string(c.Schema), string(e.Contract.Schema)); diff != "" {
		t.Errorf("the contract changed:\n%s", diff)
	}
}

// A file that somebody edited is kept before it is replaced, even a broken one.
func TestSaveKeepsHandEdits(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	w := benefitCheck(t)
	if _, err := s.Save(w, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "wizard-structures", "benefit-check.json")
	for _, content := range []string{strings.Replace(string(readTestdata(t, "v1.2/benefit-check.json")), `"Benefit Check"`, `"By Hand"`, 1), `{broken`} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Save(w, nil); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, ".history", "benefit-check", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found["by hand"] = found["by hand"] || strings.Contains(string(data), "By Hand")
		found["broken"] = found["broken"] || string(data) == "{broken"
	}
	if diff := cmp.Diff(map[string]bool{"by hand": true, "broken": true}, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStoreReportsBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	structures := filepath.Join(dir, "wizard-structures")
	good := string(readTestdata(t, "v1.2/benefit-check.json"))
	for name, content := range map[string]string{
		"wizard-structures/cut-off.json":          `{"wizard_id":`,
		"wizard-structures/other-name.json":       good,
		"wizard-structures/Bad Name.json":         good,
		"wizard-structures/no-pages.json":         `{"wizard_id":"no-pages"}`,
		"wizard-structures/benefit-check.json":    good,
		"wizard-structures/notes.txt":             "x",
		"wizard-structures/bad-schema.json":       strings.Replace(good, `"benefit-check"`, `"bad-schema"`, 1),
		"data-schemas/bad-schema-schema.json":     `{"type":"array"}`,
		"wizard-structures/folder.json/inner.txt": "x",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "outside.json")
	if err := os.WriteFile(outside, []byte(good), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(structures, "leads-out.json")); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, dir)
	entries, broken := s.List()
	if diff := cmp.Diff([]string{"benefit-check"}, ids(entries)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got := map[string]string{}
	for _, b := range broken {
		got[filepath.Base(b.Path)] = b.Problems[0].Message
		if len(b.Problems) == 0 || b.Problems[0].Message == "" {
			t.Errorf("%s has no reason", b.Path)
		}
	}
	for name, reason := range map[string]string{
		"cut-off.json": "ends too early", "other-name.json": "named other-name.json", "Bad Name.json": "lower-case", "no-pages.json": "required",
		"bad-schema.json": "data schema", "leads-out.json": "escapes",
	} {
		if !strings.Contains(got[name], reason) {
			t.Errorf("%s: %q, want %q in it", name, got[name], reason)
		}
	}
	if len(broken) != 6 {
		t.Errorf("%d broken files: %v", len(broken), got)
	}
	for _, id := range []string{"cut-off", "leads-out"} {
		var failure Broken
		if _, err := s.Get(id); !errors.As(err, &failure) {
			t.Errorf("Get(%s): %v", id, err)
		}
	}
}

func TestStoreSeesChangedFiles(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	if _, err := s.Save(benefitCheck(t), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get("benefit-check"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "wizard-structures", "benefit-check.json")
	content := strings.Replace(string(readTestdata(t, "v1.2/benefit-check.json")), `"Benefit Check"`, `"Benefit Check, edited"`, 1)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := s.Get("benefit-check")
	if err != nil {
		t.Fatal(err)
	}
	if e.Wizard.Name != "Benefit Check, edited" {
		t.Errorf("name = %q", e.Wizard.Name)
	}
}

func TestVersionsThatWereChangedAreRefused(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	hash, err := s.Save(benefitCheck(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, filepath.FromSlash(versionPath("benefit-check", hash, ".json")))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), "practice.localhost", "other.localhost", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.GetVersion("benefit-check", hash); err == nil || !strings.Contains(err.Error(), "cannot be trusted") {
		t.Errorf("error = %v", err)
	}
}

// Writers of two processes, here two stores, must not mix their files.
func TestConcurrentSaves(t *testing.T) {
	dir := t.TempDir()
	data := readTestdata(t, "v1.2/benefit-check.json")
	const writers, rounds = 4, 5
	errs := make([]error, writers)
	var group sync.WaitGroup
	for n := range writers {
		group.Go(func() {
			s, err := OpenStore(dir)
			if err != nil {
				errs[n] = err
				return
			}
			for round := range rounds {
				w, err := Parse(data)
				if err != nil {
					errs[n] = err
					return
				}
				w.Name = fmt.Sprintf("writer %d round %d", n, round)
				if _, err := s.Save(w, nil); err != nil {
					errs[n] = err
					return
				}
				if _, err := s.Get(w.WizardID); err != nil {
					errs[n] = fmt.Errorf("a reader saw half a file: %w", err)
					return
				}
				s.List()
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	history, err := mustOpen(t, dir).History("benefit-check")
	if err != nil {
		t.Fatal(err)
	}
	if len(history) != writers*rounds {
		t.Errorf("%d versions, want %d", len(history), writers*rounds)
	}
	leftovers(t, dir)
}

// Save must wait for another writer and keep what that one wrote. The many looks
// at the folder give a Save that does not wait the time to run ahead.
func TestSaveWaitsForTheLock(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	w := benefitCheck(t)
	if _, err := s.Save(w, nil); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	unlock, err := lock(root)
	if err != nil {
		t.Fatal(err)
	}
	w.Name = "Saved second"
	done := make(chan error, 1)
	go func() {
		_, err := s.Save(w, nil)
		done <- err
	}()
	for range 20_000 {
		if _, err := root.Stat(structurePath(w.WizardID)); err != nil {
			t.Fatal(err)
		}
	}
	other := strings.Replace(string(readTestdata(t, "v1.2/benefit-check.json")), `"Benefit Check"`, `"Written first"`, 1)
	if err := writeFile(root, structurePath(w.WizardID), []byte(other)); err != nil {
		t.Fatal(err)
	}
	unlock()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	e, err := s.Get(w.WizardID)
	if err != nil {
		t.Fatal(err)
	}
	if e.Wizard.Name != "Saved second" {
		t.Errorf("name = %q", e.Wizard.Name)
	}
	if _, err := s.GetVersion(w.WizardID, mustParse(t, []byte(other)).Hash()); err != nil {
		t.Errorf("what the other writer wrote is lost: %v", err)
	}
}

func TestOpenStoreRefusesAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStore(path); err == nil {
		t.Error("a file is a folder")
	}
}
