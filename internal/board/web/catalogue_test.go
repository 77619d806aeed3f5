package web

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/words"
)

// literals finds keys of the catalogue in templates and in the program.
var literals = regexp.MustCompile("[\"`]([a-z][a-z_]*(?:\\.[a-zA-Z0-9_]+)+)[\"`]")

// prefixes are the keys that are put together from a word of the data, with all
// words that the data has.
func prefixes() map[string][]string {
	states := slices.Collect(maps.Keys(glyphs))
	all := map[string][]string{
		"status.": states, "label.": texts(task.Labels()), "deliverable.": texts(task.Deliverables()), "failure.": texts(task.FailureReasons()),
		"reject.": texts(task.RejectCodes()), "report.": reportReasons, "lang.": texts(words.Langs), "rate.by.": {"agent", "human"}, "ops.by.": {"agent", "human", "operator"},
		"dispute.": {"worker", "requester", "split"}, "apply.counter.": {"JPY", "USD"}, "reason.": append(shown(), signInReasons()...), "mine.": nil, "scope.": data.AgentScopes(), "profile.from.": {"0", "1", "2", "3", "4", "5", "6"}, "profile.to.": {"0", "1", "2", "3", "4", "5", "6"},
	}
	for _, group := range []string{"applied", "working", "delivered", "finished"} {
		all["mine."] = append(all["mine."], group, group+".none")
	}
	for _, s := range states {
		all["status."] = append(all["status."], s+".help")
	}
	return all
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// machineOnly are refusals that only programs meet.
var machineOnly = []task.Reason{
	task.IdempotencyKeyConflict, task.IdempotencyKeyTooLong, task.RequestInProgress, task.ClientRefConflict, task.ForbiddenScope,
	task.MissingCredentials, task.InvalidCredentials, task.VerificationRequired, task.KeyLimit,
}

// shown are the refusals that people meet.
func shown() []string {
	var list []string
	for _, r := range task.Reasons() {
		if !slices.Contains(machineOnly, r) {
			list = append(list, string(r))
		}
	}
	return list
}

// Whatever a page says is in the catalogue, every state, failure and refusal
// among it; and nothing is in the catalogue that no page says.
func TestPagesSayWhatTheCatalogueHas(t *testing.T) {
	used := map[string]bool{}
	sources, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pageNames(t) {
		sources = append(sources, "templates/"+name+".html")
	}
	for _, name := range append(sources, "templates/layout.html", "templates/parts.html", "../words/format.go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literals.FindAllStringSubmatch(string(raw), -1) {
			used[m[1]] = true
		}
	}
	for prefix, all := range prefixes() {
		for _, word := range all {
			if used[prefix+word] = true; !words.Ja.Has(prefix + word) {
				t.Errorf("the catalogue lacks %s%s", prefix, word)
			}
		}
	}
	for key := range used {
		first, _, _ := strings.Cut(key, ".")
		if isTopic(first) && !words.Ja.Has(key) && !strings.HasSuffix(key, ".html") {
			t.Errorf("%s is said and not in the catalogue", key)
		}
	}
	var catalogue map[string]string
	raw, err := os.ReadFile("../words/ja.json")
	if err == nil {
		err = json.Unmarshal(raw, &catalogue)
	}
	if err != nil {
		t.Fatal(err)
	}
	for key := range catalogue {
		base := strings.TrimSuffix(key, ".hint")
		if !used[base] && !used[key] && !slices.ContainsFunc([]string{"done.", "notify."}, func(p string) bool { return strings.HasPrefix(key, p) }) {
			t.Errorf("nothing says %s", key)
		}
	}
}

// isTopic reports whether the catalogue has keys that begin so.
func isTopic(first string) bool {
	raw, err := os.ReadFile("../words/ja.json")
	return err == nil && strings.Contains(string(raw), `"`+first+`.`)
}

// What a page says after a form was taken is in the catalogue.
func TestEveryFormSaysThatItWasTaken(t *testing.T) {
	call := regexp.MustCompile(`v\.(?:done|decided|openDispute)\([^\n]*?"([a-z_]+)"(?:\)|, func)`)
	sources, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, name := range sources {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range call.FindAllStringSubmatch(string(raw), -1) {
			if said[m[1]] = true; !words.Ja.Has("done." + m[1]) {
				t.Errorf("%s: nothing is said after %s", name, m[1])
			}
		}
	}
	if len(said) < 15 {
		t.Errorf("only %d forms were found: %v", len(said), said)
	}
	for _, o := range toggles() {
		if !words.En.Has(o.Text) {
			t.Errorf("the mail of %s has no name", o.Value)
		}
	}
}
