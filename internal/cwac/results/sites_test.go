package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

func inputs(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadSites(t *testing.T) {
	got, err := LoadSites(inputs(t, map[string]string{
		"b.csv":      bom + "organisation,url,sector\r\n\"Org, B\",HTTPS://A.Example/Path?Q=B,S\r\n",
		"a.csv":      "sector,organisation,url\nS1,Org A, http://a.example \n\nS2,\"Org \"\"C\"\"\",127.0.0.1:8765/nothing\nS3,X,https:///\n",
		"last.csv":   "organisation,url,sector\nD,https://d.example/,S",
		"empty.csv":  "",
		"._a.csv":    "\x00\x05\x16\x07", // macOS leaves such files on shares
		"secret.csv": "organisation,url,sector\nE,https://me:pass@e.example/,S\nE,https://me:pa%zz@e.example/,S\n",
		"readme.txt": "no, not, this",
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := Inputs{
		Sites: []Site{
			{"Org A", "http://a.example", "S1"},
			{"Org, B", "https://a.example/Path?Q=B", "S"},
			{"D", "https://d.example/", "S"},
		},
		Skipped: []SkippedRow{
			{"a.csv:4", "127.0.0.1:8765/nothing", "the address has no scheme; write https:// before it"},
			{"a.csv:5", "https:///", "this is no address"},
			{"secret.csv:2", "https://***@e.example/", "the address holds a user name or a password; put them into a login"},
			{"secret.csv:3", "https://***@e.example/", "this is no address"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func second(_ Inputs, err error) error { return err }

func TestInputsThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"organisation,url,sector\nCaf\xe9,https://a.example/,S\n":                    "line 2 is not in UTF-8; save the file as CSV UTF-8",
		"\xff\xfeo\x00r\x00g\x00":                                                    "line 1 is not in UTF-8",
		"organisation,url,sector\nA,https://a.example/,S,x\n":                        "x.csv is wrong: line 2: there must be 3 fields (organisation,url,sector), and there are 4",
		"organisation,url,sector\n\nA, Ltd,https://a.example/,S\n":                   "line 3: there must be 3 fields",
		"organisation,url\nA,https://a.example/\n":                                   "line 1: the header must be organisation,url,sector, and is \"organisation,url\"",
		"organisation,url,sector,more\n":                                             "line 1: the header must be",
		"organisation,url,sector\n\"A,https://a.example/,S\n":                        "line 2: a quote is not closed",
		"organisation,url,sector\n" + strings.Repeat("x", 5<<20):                     "line 2: a cell is longer than",
		strings.Repeat("organisation,url,sector\n", 1<<20):                           "x.csv is wrong",
		"organisation,url,sector\n" + strings.Repeat("A,http://a.b,S\n", maxSites+1): "there are more than 100000 base URLs",
	} {
		_, err := LoadSites(inputs(t, map[string]string{"x.csv": text}))
		if f := fault.From(err); f.Type != "base_urls_invalid" || !strings.Contains(f.Message, want) {
			t.Errorf("%.40q: got %v, want %s", text, err, want)
		}
	}
	file := filepath.Join(inputs(t, map[string]string{"x.csv": ""}), "x.csv")
	if f := fault.From(second(LoadSites(file))); f.Type != "base_urls_no_folder" || f.Action == "" {
		t.Errorf("a file in the place of a folder: %v", f)
	}
	many := map[string]string{}
	for i := range maxInputFiles + 1 {
		many[fmt.Sprint(i, ".csv")] = "organisation,url,sector\n"
	}
	if _, err := LoadSites(inputs(t, many)); err == nil || !strings.Contains(fault.From(err).Message, "there are more than 1000 files") {
		t.Errorf("got %v", err)
	}
	in, err := LoadSites(inputs(t, map[string]string{"x.csv": "organisation,url,sector\nA,https://a.example/" + strings.Repeat("x", maxLabel) + ",S\n"}))
	if err != nil || len(in.Sites) > 0 || len(in.Skipped) != 1 || in.Skipped[0].Reason != "the address is too long" {
		t.Errorf("a long address: %d sites, %v", len(in.Sites), err)
	}
	if _, err := LoadSites(filepath.Join(t.TempDir(), "none")); fault.From(err).Type != "base_urls_missing" {
		t.Errorf("got %v", err)
	}
}

// The folder of base URLs may be someone else's: its links show no other file.
func TestInputsFollowNoLinks(t *testing.T) {
	secret := inputs(t, map[string]string{"secret.csv": "organisation,url,sector\nA,https://a.example/,S\n"})
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(secret, "secret.csv"), filepath.Join(dir, "x.csv")); err != nil {
		t.Fatal(err)
	}
	if in, err := LoadSites(dir); fault.From(err).Type != "base_urls_unreadable" || len(in.Sites) > 0 {
		t.Errorf("got %v, %v", in, err)
	}
}

func TestLoadNoHead(t *testing.T) {
	got, err := LoadNoHead(inputs(t, map[string]string{"x.csv": "url\nHTTPS://A.example/B\nnothing\n"}))
	if diff := cmp.Diff([]string{"https://a.example/B"}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got, err := LoadNoHead(filepath.Join(t.TempDir(), "none")); got != nil || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestSitesAreReadAsTheyWereWritten(t *testing.T) {
	want := []Site{
		{"Org, \"A\"\nLtd", "https://a.example/?a=1,2", "S"},
		{"=cmd|' /C calc'!A0", "https://b.example/", ""},
	}
	dir := t.TempDir()
	if err := WriteSites(filepath.Join(dir, "urls.csv"), want); err != nil {
		t.Fatal(err)
	}
	got, err := LoadSites(dir)
	if diff := cmp.Diff(Inputs{Sites: want}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestBaseURLsStayInTheirFolder(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"base_urls/visit/x", "elsewhere"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "elsewhere"), filepath.Join(root, "base_urls", "link")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"./base_urls/visit/x/": "", filepath.Join(root, "base_urls", "visit"): "",
		"./base_urls/link": "base_urls_outside", "./base_urls/../elsewhere": "base_urls_outside", "/": "base_urls_outside",
		"./base_urls/none": "base_urls_missing",
	} {
		_, err := InBaseURLs(root, path)
		if got := typeOf(err); got != want {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}

func typeOf(err error) string {
	if err == nil {
		return ""
	}
	return fault.From(err).Type
}
