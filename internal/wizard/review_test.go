package wizard

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// repairedCheck is the sample wizard with another name, made from a version.
func repairedCheck(t *testing.T, of string) *Wizard {
	t.Helper()
	w := benefitCheck(t)
	w.Name = "Repaired"
	if err := w.MarkRepaired(Repaired{Of: of, At: time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC), Remarks: []string{"look at it"}}); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestProposalRunsOnlyOnceAccepted: until then it is in nobody's way, and the
// wizard that it replaces is kept.
func TestProposalRunsOnlyOnceAccepted(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir, embeddedSource(t))
	embedded, err := s.Get("benefit-check")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Accept("benefit-check"); !errors.Is(err, ErrNotFound) {
		t.Errorf("nothing to accept: %v", err)
	}
	name, err := s.Propose(repairedCheck(t, embedded.Hash), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, ".review", "benefit-check.json"); name != want {
		t.Errorf("it is in %s, want %s", name, want)
	}
	if e, err := s.Get("benefit-check"); err != nil || e.Wizard.Name == "Repaired" {
		t.Errorf("the proposal runs: %v", err)
	}
	if list, broken := s.List(); len(list) != 2 || len(broken) != 0 {
		t.Errorf("listed: %v, broken %v", ids(list), broken)
	}
	if history, err := s.History("benefit-check"); err != nil || len(history) != 0 {
		t.Errorf("the proposal is a version: %v %v", history, err)
	}
	p, err := s.Proposed("benefit-check")
	if err != nil {
		t.Fatal(err)
	}
	made, ok := p.Wizard.Repair()
	if diff := cmp.Diff(Repaired{embedded.Hash, time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC), []string{"look at it"}}, made); diff != "" || !ok {
		t.Errorf("made from (-want +got):\n%s", diff)
	}
	hash, err := s.Accept("benefit-check")
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.Get("benefit-check")
	if err != nil || e.Wizard.Name != "Repaired" || e.Hash != hash || hash != p.Hash || !e.Overrides {
		t.Errorf("accepted: %v %+v", err, e)
	}
	if _, err := s.Proposed("benefit-check"); !errors.Is(err, ErrNotFound) {
		t.Errorf("it is still there: %v", err)
	}
	for _, problem := range Lint(e.Wizard) {
		if strings.Contains(problem.Path, "repair") {
			t.Errorf("its own mark is noted: %v", problem)
		}
	}
	leftovers(t, dir)
}

// TestStaleProposal: the wizard was changed meanwhile, which the repair does not
// know of.
func TestStaleProposal(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	w := benefitCheck(t)
	first, err := s.Save(w, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Propose(repairedCheck(t, first), nil); err != nil {
		t.Fatal(err)
	}
	w.Name = "Changed meanwhile"
	if _, err := s.Save(w, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Accept("benefit-check"); !errors.Is(err, ErrStale) {
		t.Errorf("error = %v", err)
	}
	if e, err := s.Get("benefit-check"); err != nil || e.Wizard.Name != "Changed meanwhile" {
		t.Errorf("%v %v", err, e)
	}
}

// TestBadProposals: what cannot be a wizard of the store is refused, and links
// that lead out of the folder are not followed.
func TestBadProposals(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	if _, err := mustOpen(t, "").Propose(benefitCheck(t), nil); !errors.Is(err, ErrReadOnly) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := s.Propose(&Wizard{WizardID: "../x"}, nil); err == nil {
		t.Error("an invalid wizard is proposed")
	}
	for _, id := range []string{"../benefit-check", "a/b", ""} {
		if _, err := s.Accept(id); !errors.Is(err, ErrInvalidID) {
			t.Errorf("Accept(%q): %v", id, err)
		}
	}
	name, err := s.Propose(benefitCheck(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name, filepath.Join(filepath.Dir(name), "other.json")); err != nil {
		t.Fatal(err)
	}
	var broken Broken
	if _, err := s.Accept("other"); !errors.As(err, &broken) || !strings.Contains(err.Error(), "benefit-check") {
		t.Errorf("another wizard's file: %v", err)
	}
	outside := filepath.Join(t.TempDir(), "benefit-check.json")
	if err := os.WriteFile(outside, readTestdata(t, "v1.2/benefit-check.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, name); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Proposed("benefit-check"); err == nil {
		t.Error("a link that leads out was followed")
	}
}

// TestContractFor: a schema that somebody wrote goes with the repaired wizard.
func TestContractFor(t *testing.T) {
	w := benefitCheck(t)
	generated := mustContract(t, w)
	w.Name = "Renamed"
	again, err := generated.For(w)
	if err != nil || !again.Generated || !strings.Contains(string(again.Schema), "Renamed") {
		t.Errorf("generated: %v", err)
	}
	hand, err := ParseContract(w, []byte(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","title":"By hand","properties":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := hand.For(w)
	if err != nil || kept.Generated || !strings.Contains(string(kept.Schema), "By hand") {
		t.Errorf("written by hand: %v", err)
	}
}

// TestOneOfManyCreates: several programs save a wizard of one id at the same moment;
// one of them has made it, and the others are told.
func TestOneOfManyCreates(t *testing.T) {
	dir := t.TempDir()
	const programs = 8
	errs := make(chan error, programs)
	start := make(chan struct{})
	for i := range programs {
		s := mustOpen(t, dir)
		w := benefitCheck(t)
		w.Name = fmt.Sprint("Of program ", i)
		go func() {
			<-start
			_, err := s.Create(w, nil)
			errs <- err
		}()
	}
	close(start)
	made := 0
	for range programs {
		switch err := <-errs; {
		case err == nil:
			made++
		case !errors.Is(err, ErrExists):
			t.Error(err)
		}
	}
	if versions, err := mustOpen(t, dir).History("benefit-check"); err != nil || made != 1 || len(versions) != 1 {
		t.Errorf("%d were told that they made it; versions %v %v", made, versions, err)
	}
}

// TestOneOfManyAccepts: a wizard that changed while its repair was accepted is not
// replaced by what was made of its older state.
func TestOneOfManyAccepts(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	first, err := s.Save(benefitCheck(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Propose(repairedCheck(t, first), nil); err != nil {
		t.Fatal(err)
	}
	const callers = 8
	errs := make(chan error, callers)
	for range callers {
		go func() {
			_, err := mustOpen(t, dir).Accept("benefit-check")
			errs <- err
		}()
	}
	accepted := 0
	for range callers {
		switch err := <-errs; {
		case err == nil:
			accepted++
		case !errors.Is(err, ErrStale) && !errors.Is(err, ErrNotFound):
			t.Error(err)
		}
	}
	if accepted != 1 {
		t.Errorf("%d accepted the same repair", accepted)
	}
}
