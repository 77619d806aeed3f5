package cli

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// shell runs command lines with a home of their own.
type shell struct {
	home string
	dir  string // of the wizards
}

func newShell(t *testing.T) shell {
	t.Helper()
	home := t.TempDir()
	return shell{home, filepath.Join(home, "wizards")}
}

func (s shell) run(t *testing.T, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	got := Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Environ: []string{
		"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "LEGWORK_WIZARDS_DIR=" + s.dir, "LEGWORK_ALLOW_PRIVATE=1",
	}})
	if got != code {
		t.Fatalf("legwork %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, &out, &errs)
	}
	return out.String(), errs.String()
}

// keep puts a wizard into the folder.
func (s shell) keep(t *testing.T, raw string) {
	t.Helper()
	dir := filepath.Join(s.dir, "wizard-structures")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "housing.json"), []byte(raw), 0o600); err != nil {
		t.Fatal(err)
	}
}

// contains fails for every text that is not there.
func contains(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("it does not say %q:\n%s", w, got)
		}
	}
}

// TestCheckRepairAccept: the form changed over night. The check tells what, the
// repair waits until it is accepted, and the version before is kept.
func TestCheckRepairAccept(t *testing.T) {
	t.Parallel()
	h := &housing{one: pageOne, two: pageTwo}
	srv := httptest.NewServer(h)
	defer srv.Close()
	s := newShell(t)
	s.keep(t, strings.ReplaceAll(housingWizard, "URL", srv.URL))
	out, _ := s.run(t, fault.ExitOK, "wizards", "check", "housing")
	contains(t, out, "ok   housing stopped_before_submit\n")
	s.run(t, fault.ExitNotFound, "wizards", "accept", "housing")

	// Labels that would colour the terminal, or turn the line around.
	swap(t, &h.one, `id="county"`, `id="c7"`, `for="county">County`, "for=\"c7\">County &#27;[31m&#x202e;of residence",
		`<button id="go"`, `<p><label for="phone">Phone</label> <input id="phone" name="phone" required></p><button id="go"`)
	out, _ = s.run(t, fault.ExitFailed, "wizards", "check", "housing")
	contains(t, out, "FAIL housing error", "a run ends with selector_not_found", "BREAKS  page 1, county", `"#county" matches nothing; #c7 works (on the page, stability 95)`,
		"BREAKS  page 1, phone", `"Phone" (text, required, #phone)`, "County [31mof residence")
	unarmed(t, out)
	out, _ = s.run(t, fault.ExitFailed, "wizards", "check", "housing", "--json")
	var all []checked
	if err := json.Unmarshal([]byte(out), &all); err != nil || len(all) != 1 || len(all[0].Drift.Findings) != 3 || all[0].Repair != nil {
		t.Errorf("as JSON: %v\n%s", err, out)
	}
	unarmed(t, out)

	out, _ = s.run(t, fault.ExitFailed, "wizards", "check", "housing", "--repair")
	review := filepath.Join(s.dir, ".review", "housing.json")
	contains(t, out, review, "legwork wizards accept housing", `~ pages[1].fields[county].selector: "#county" -> "#c7"`, `+ pages[1].fields[phone]: "Phone"`, "check: page 1, phone")
	unarmed(t, out)
	if raw, err := os.ReadFile(review); err != nil || strings.ContainsAny(string(raw), "\x1b\u202e") || bytes.Contains(raw, []byte(`\u001b`)) {
		t.Errorf("the proposal: %v\n%s", err, raw)
	}
	out, _ = s.run(t, fault.ExitOK, "wizards", "show", "housing", "--json")
	if strings.Contains(out, "#c7") {
		t.Error("the proposal runs without having been accepted")
	}
	if len(h.sent) > 0 {
		t.Errorf("the form was submitted: %q", h.sent)
	}

	out, _ = s.run(t, fault.ExitOK, "wizards", "accept", "housing")
	contains(t, out, "housing runs as version sha256:")
	if _, err := os.Stat(review); !os.IsNotExist(err) {
		t.Errorf("the proposal is still there: %v", err)
	}
	s.run(t, fault.ExitNotFound, "wizards", "accept", "housing")
	out, _ = s.run(t, fault.ExitOK, "wizards", "check", "housing", "--branches")
	contains(t, out, "ok   housing")
	out, _ = s.run(t, fault.ExitFailed, "wizards", "diff", "housing")
	contains(t, out, "#c7")
	example, _ := s.run(t, fault.ExitOK, "wizards", "show", "housing", "--example")
	data := filepath.Join(s.home, "data.json")
	if err := os.WriteFile(data, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ = s.run(t, fault.ExitOK, "run", "housing", "--data", data)
	contains(t, out, runner.StatusSuccess, "120")
}

// unarmed fails when a text has anything that a terminal acts on.
func unarmed(t *testing.T, s string) {
	t.Helper()
	if strings.ContainsAny(s, "\x1b\u202e\u009b") {
		t.Errorf("the output is no plain text: %q", s)
	}
}

// TestProposals: one of an older state of the wizard is refused, one that was
// changed by hand is taken as it is, and one that is broken says where.
func TestProposals(t *testing.T) {
	t.Parallel()
	h := &housing{one: pageOne, two: pageTwo}
	swap(t, &h.one, `id="county"`, `id="c7"`, `for="county"`, `for="c7"`)
	srv := httptest.NewServer(h)
	defer srv.Close()
	s := newShell(t)
	raw := strings.ReplaceAll(housingWizard, "URL", srv.URL)
	s.keep(t, raw)
	s.run(t, fault.ExitFailed, "wizards", "check", "housing", "--repair")
	s.keep(t, strings.Replace(raw, "Housing help", "Help with housing", 1))
	_, errs := s.run(t, fault.ExitFailed, "wizards", "accept", "housing")
	contains(t, errs, "has changed since", "wizards check --repair housing")
	s.keep(t, raw)
	review := filepath.Join(s.dir, ".review", "housing.json")
	proposal, err := os.ReadFile(review)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(review, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Replace(string(proposal), `"field_type": "select"`, `"field_type": "selekt"`, 1))
	_, errs = s.run(t, fault.ExitInvalid, "wizards", "accept", "housing")
	contains(t, errs, review, "field_type")
	write(strings.Replace(string(proposal), `"Housing help"`, `"Housing, by hand"`, 1))
	s.run(t, fault.ExitOK, "wizards", "accept", "housing")
	out, _ := s.run(t, fault.ExitOK, "wizards", "show", "housing")
	contains(t, out, "Housing, by hand")
}

// TestRepairNotProven: the form asks something new whose answer nobody can invent.
// The draft is kept, apart from what can be accepted.
func TestRepairNotProven(t *testing.T) {
	t.Parallel()
	h := &housing{one: pageOne, two: pageTwo}
	swap(t, &h.one, `<button id="go"`, `<p><label for="word">Word</label> <input id="word" name="word" required></p>
<script>word.oninput = () => word.setCustomValidity(word.value === "x9" ? "" : "It is another word."); word.setCustomValidity("It is another word.")</script><button id="go"`)
	srv := httptest.NewServer(h)
	defer srv.Close()
	s := newShell(t)
	s.keep(t, strings.ReplaceAll(housingWizard, "URL", srv.URL))
	out, _ := s.run(t, fault.ExitFailed, "wizards", "check", "housing", "--repair")
	draft := filepath.Join(s.home, "discoveries", "housing", "repair.json")
	contains(t, out, "NOT PROVEN", "does not fit its form", draft)
	s.run(t, fault.ExitNotFound, "wizards", "accept", "housing")
	raw, err := os.ReadFile(draft)
	if err != nil {
		t.Fatal(err)
	}
	byHand, err := wizard.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	byHand.Field("word").ExampleValue = json.RawMessage(`"x9"`)
	if raw, err = byHand.Marshal(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(draft, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(t, fault.ExitOK, "wizards", "check", draft, "--branches")
}

// TestRepairOfFiles: a wizard file that was named by its path is left alone; its
// repair is written beside it.
func TestRepairOfFiles(t *testing.T) {
	t.Parallel()
	h := &housing{one: pageOne, two: pageTwo}
	swap(t, &h.one, `id="county"`, `id="c7"`, `for="county"`, `for="c7"`)
	srv := httptest.NewServer(h)
	defer srv.Close()
	s := newShell(t)
	file := filepath.Join(s.home, "form.json")
	raw := strings.ReplaceAll(housingWizard, "URL", srv.URL)
	if err := os.WriteFile(file, []byte(raw), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := s.run(t, fault.ExitFailed, "wizards", "check", file, "--repair")
	beside := filepath.Join(s.home, "form.review.json")
	contains(t, out, beside)
	if got, err := os.ReadFile(file); err != nil || string(got) != raw {
		t.Errorf("the file was changed: %v", err)
	}
	repaired, err := os.ReadFile(beside)
	if err != nil {
		t.Fatal(err)
	}
	w, err := wizard.Parse(repaired)
	if err != nil || w.Field("county").Selector != "#c7" {
		t.Errorf("%v\n%s", err, repaired)
	}
	s.run(t, fault.ExitOK, "wizards", "check", beside, "--branches")
	s.run(t, fault.ExitInvalid, "wizards", "check", file, "--repair", "--no-run")
}
