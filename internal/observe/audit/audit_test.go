package audit_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe/audit"
)

func options(path string) audit.Options {
	now := time.Date(2026, 1, 15, 14, 0, 0, 123456789, time.UTC)
	return audit.Options{Path: path, Clock: func() time.Time { now = now.Add(time.Second); return now }}
}

func open(t *testing.T, o audit.Options) *audit.Log {
	t.Helper()
	l, err := audit.Open(o)
	if err != nil {
		t.Fatalf("%v: %v", err, fault.From(err).Cause)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func call(n int) audit.Entry {
	return audit.Entry{
		Event: audit.EventEnd, Subject: "p-1", Client: "inspector", Tool: "federalrunner_execute_wizard", Effect: "destroy",
		RequestID: fmt.Sprint("r", n), Outcome: "ok", DurationMS: 1200, IDs: map[string]string{"wizard_id": "fsa", "run_id": fmt.Sprint("run", n)},
	}
}

func add(t *testing.T, l *audit.Log, from, to int) {
	t.Helper()
	for n := from; n <= to; n++ {
		if err := l.Append(call(n), audit.Written); err != nil {
			t.Fatal(err)
		}
	}
}

// verified checks every file of a log and returns how many entries they have.
func verified(t *testing.T, path string) (int, string) {
	t.Helper()
	files, err := audit.Rotated(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []io.Reader
	for _, name := range append(files, path) {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, bytes.NewReader(raw))
	}
	n, head, err := audit.Verify(io.MultiReader(all...))
	if err != nil {
		t.Fatal(err)
	}
	return n, head
}

func TestEntriesAreLinesOfOneChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "audit.jsonl")
	l := open(t, options(path))
	add(t, l, 1, 3)
	n, head := verified(t, path)
	if seq, now := l.Head(); n != 3 || seq != 3 || head != now || len(head) != 64 {
		t.Errorf("%d entries with the head %s, the log says %d and %s", n, head, seq, now)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(raw), "\n")
	// The line as the documentation describes it, hashed here again.
	body, hash, _ := strings.Cut(first, `,"hash":"`)
	sum := sha256.Sum256([]byte(body + "}"))
	want := `{"seq":1,"time":"2026-01-15T14:00:01.123456789Z","event":"end","subject":"p-1","client":"inspector",` +
		`"tool":"federalrunner_execute_wizard","effect":"destroy","request_id":"r1","outcome":"ok","duration_ms":1200,` +
		`"ids":{"run_id":"run1","wizard_id":"fsa"},"prev":"` + strings.Repeat("0", 64) + `"`
	if diff := cmp.Diff([]string{want, hex.EncodeToString(sum[:]) + `"}`}, []string{body, hash}); diff != "" {
		t.Errorf("the first line (-want +got):\n%s", diff)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read it: %v %v", info.Mode(), err)
	}
}

func TestChangesShow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, options(path))
	add(t, l, 1, 5)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(raw), "\n"), "\n")
	lines[4] += "\n"
	edit := func(i int, old, new string) func([]string) []string {
		return func(l []string) []string { l[i] = strings.Replace(l[i], old, new, 1); return l }
	}
	tests := map[string]struct {
		change func([]string) []string
		line   int
	}{
		"another subject":             {edit(2, "p-1", "p-2"), 3},
		"another time":                {edit(2, "14:00", "13:00"), 3},
		"another hash":                {edit(2, `"hash":"`, `"hash":"0`), 3},
		"hash in capitals":            {func(l []string) []string { l[2] = strings.ToUpper(l[2]); return l }, 3},
		"a line changed and hashed":   {rehashed(2, "p-1", "p-2"), 4},
		"the first changed, hashed":   {rehashed(0, "p-1", "p-2"), 2},
		"the last numbered anew":      {rehashed(4, `"seq":5`, `"seq":7`), 5},
		"a line removed":              {func(l []string) []string { return append(l[:2], l[3:]...) }, 3},
		"two lines change places":     {func(l []string) []string { l[1], l[2] = l[2], l[1]; return l }, 2},
		"a line twice":                {func(l []string) []string { return append(l[:3], l[2:]...) }, 4},
		"a line of somebody else":     {func(l []string) []string { l[1] = "{}\n"; return l }, 2},
		"no line":                     {func(l []string) []string { l[1] = "\n" + l[1]; return l }, 2},
		"spaces":                      {edit(2, `,"event"`, `, "event"`), 3},
		"a member more":               {edit(2, `,"event"`, `,"extra":1,"event"`), 3},
		"a member twice":              {edit(2, `,"event"`, `,"seq":3,"event"`), 3},
		"torn":                        {func(l []string) []string { l[4] = l[4][:20]; return l }, 5},
		"an end like Windows":         {edit(2, "\n", "\r\n"), 3},
		"a line without end":          {func(l []string) []string { l[3] = strings.Repeat("x", 1<<20) + "\n"; return l }, 4},
		"a first that has one before": {edit(0, strings.Repeat("0", 64), strings.Repeat("1", 64)), 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.Join(tt.change(append([]string(nil), lines...)), "")
			n, _, err := audit.Verify(strings.NewReader(text))
			var broken *audit.BrokenError
			if !errors.As(err, &broken) || broken.Line != tt.line || n != tt.line-1 {
				t.Errorf("%d good lines, then %v, want line %d", n, err, tt.line)
			}
		})
	}
	n, head, err := audit.Verify(strings.NewReader(strings.Join(lines[:3], "")))
	if _, now := l.Head(); err != nil || n != 3 || head == now {
		t.Errorf("lines cut off at the end do not show against the head: %d, %v", n, err)
	}
	if n, _, err := audit.Verify(strings.NewReader(strings.Join(lines[2:], ""))); err != nil || n != 3 {
		t.Errorf("a log without its oldest lines: %d, %v", n, err)
	}
}

// rehashed changes a line and gives it a hash that is right for what it says.
func rehashed(i int, old, new string) func([]string) []string {
	return func(lines []string) []string {
		body, _, _ := strings.Cut(strings.Replace(lines[i], old, new, 1), `,"hash":"`)
		sum := sha256.Sum256([]byte(body + "}"))
		lines[i] = body + `,"hash":"` + hex.EncodeToString(sum[:]) + "\"}\n"
		return lines
	}
}

func TestARestartContinuesTheChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	for run := range 3 {
		l := open(t, options(path))
		add(t, l, 2*run+1, 2*run+2)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if l.Append(call(9), audit.Written) == nil {
			t.Error("a closed log takes an entry")
		}
	}
	if n, _ := verified(t, path); n != 6 {
		t.Errorf("%d entries, want 6", n)
	}
}

func TestATornLineIsMovedAside(t *testing.T) {
	for name, before := range map[string]int{"the first line": 0, "a later line": 2} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			l := open(t, options(path))
			add(t, l, 1, before)
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			const torn = `{"seq":3,"time":"2026-01-15T14:00` + "\x00\x00"
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString(torn); err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
			l = open(t, options(path))
			add(t, l, 3, 3)
			if n, _ := verified(t, path); n != before+2 {
				t.Errorf("%d entries, want %d", n, before+2)
			}
			kept, err := os.ReadFile(fmt.Sprintf("%s.torn-%d", path, before+1))
			if err != nil || string(kept) != torn {
				t.Errorf("kept %q, %v", kept, err)
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var note audit.Entry
			line := strings.Split(string(raw), "\n")[before]
			if err := json.Unmarshal([]byte(line), &note); err != nil || note.Event != audit.EventNote || !strings.Contains(note.Note, "torn line of 35 bytes") {
				t.Errorf("the note is %s, %v", line, err)
			}
		})
	}
}

func TestAnEndThatSomebodyWroteIsRefused(t *testing.T) {
	for name, end := range map[string]string{"a line": "hello\n", "an entry with a wrong hash": `{"seq":3,"time":"2026-01-15T14:00:00Z","event":"end","prev":"","hash":"00"}` + "\n", "no lines at all": strings.Repeat("x", 1<<18)} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			if err := os.WriteFile(path, []byte(end), 0o600); err != nil {
				t.Fatal(err)
			}
			if l, err := audit.Open(options(path)); err == nil {
				_ = l.Close()
				t.Fatal("it goes on")
			}
			raw, err := os.ReadFile(path)
			if err != nil || string(raw) != end {
				t.Errorf("the file was changed: %.60q, %v", raw, err)
			}
		})
	}
}

func TestOneWriterAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, options(path))
	if _, err := audit.Open(options(path)); fault.From(err) == nil || fault.From(err).Type != "audit_in_use" {
		t.Errorf("a second writer: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, options(path))
}

func TestAFolderThatCannotBeUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Open(options(filepath.Join(path, "audit.jsonl"))); fault.From(err) == nil || fault.From(err).Type != "audit_unavailable" {
		t.Errorf("%v", err)
	}
}

func TestRotationCarriesTheChainOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	o := options(path)
	o.MaxBytes = 1000
	for run := range 3 { // restarts between
		l := open(t, o)
		add(t, l, run*10+1, run*10+10)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	files, err := audit.Rotated(path)
	if err != nil || len(files) < 5 {
		t.Fatalf("%d full files, %v", len(files), err)
	}
	if n, _ := verified(t, path); n != 30 {
		t.Errorf("%d entries, want 30", n)
	}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.Size() > 1000+600 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}

// A crash after the full file was renamed and before the new one has a line.
func TestARestartDuringARotation(t *testing.T) {
	for name, prepare := range map[string]func(path string) error{
		"no new file":       func(string) error { return nil },
		"an empty new file": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a torn first line": func(path string) error { return os.WriteFile(path, []byte(`{"se`), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			l := open(t, options(path))
			add(t, l, 1, 4)
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.Rename(path, path+".000000000004"), prepare(path)); err != nil {
				t.Fatal(err)
			}
			l = open(t, options(path))
			add(t, l, 5, 5)
			if n, _ := verified(t, path); n < 5 {
				t.Errorf("%d entries", n)
			}
			if seq, _ := l.Head(); seq < 5 {
				t.Errorf("the log begins again: %d", seq)
			}
		})
	}
}

func TestManyAppendAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	o := options(path)
	o.MaxBytes = 5000
	l := open(t, o)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for n := range 25 {
				if err := l.Append(call(n), audit.Written); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n, _ := verified(t, path); n != 200 {
		t.Errorf("%d entries, want 200", n)
	}
}

// What comes from tokens and clients can be anything.
func TestHostileTextStaysInItsPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, options(path))
	forged := "x\n" + `{"seq":2,"event":"end"}` + "\r\n\u2028\x00\xff<&>\U0001F4D2"
	many := map[string]string{}
	for i := range 100 {
		many[fmt.Sprint(i, strings.Repeat("帳", 10000))] = strings.Repeat("\x01", 100000)
	}
	for _, e := range []audit.Entry{
		{Event: audit.EventEnd, Subject: forged, Client: forged, Tool: forged, IDs: map[string]string{forged: forged}},
		{Event: audit.EventEnd, Subject: strings.Repeat("\"", 1<<20), RequestID: strings.Repeat("帳", 1<<16), IDs: many},
		{Event: audit.EventEnd, Seq: 77, Prev: "x", Hash: "y"},
	} {
		if err := l.Append(e, audit.Synced); err != nil {
			t.Fatal(err)
		}
	}
	if n, _ := verified(t, path); n != 3 {
		t.Errorf("%d entries, want 3", n)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, options(path))
}

func FuzzVerify(f *testing.F) {
	path := filepath.Join(f.TempDir(), "audit.jsonl")
	l, err := audit.Open(options(path))
	if err != nil {
		f.Fatal(err)
	}
	for n := range 3 {
		if err := l.Append(call(n), audit.Written); err != nil {
			f.Fatal(err)
		}
	}
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	_ = l.Close()
	f.Add(good)
	f.Add([]byte("{}\n"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		n, head, err := audit.Verify(bytes.NewReader(text))
		if err == nil && n != bytes.Count(text, []byte("\n")) {
			t.Errorf("%d of %d lines are good, and nothing is wrong", n, bytes.Count(text, []byte("\n")))
		}
		if (n > 0) != (head != "") {
			t.Errorf("%d lines with the head %q", n, head)
		}
	})
}
