package archtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/legwork-mcp/legwork/"

// The third-party modules of the program and of its tests.
const (
	cdproto    = "github.com/chromedp/cdproto"
	sdk        = "github.com/modelcontextprotocol/go-sdk"
	jsonSchema = "github.com/santhosh-tekuri/jsonschema/v6"
	kong       = "github.com/alecthomas/kong"
	image      = "golang.org/x/image"
	yaml       = "go.yaml.in/yaml/v3"
	goCmp      = "github.com/google/go-cmp"
	huma       = "github.com/danielgtaylor/huma/v2"
	goleak     = "go.uber.org/goleak"
	keyfunc    = "github.com/MicahParks/keyfunc/v3"
	jwkset     = "github.com/MicahParks/jwkset"
	jwt        = "github.com/golang-jwt/jwt/v5"
	xTime      = "golang.org/x/time"
	xNet       = "golang.org/x/net"
	xText      = "golang.org/x/text"
	mimetype   = "github.com/gabriel-vasile/mimetype"
	oauth2     = "golang.org/x/oauth2"
	oidc       = "github.com/coreos/go-oidc/v3"
	pgx        = "github.com/jackc/pgx/v5"
	sqlite     = "modernc.org/sqlite"
	goose      = "github.com/pressly/goose/v3"
	riverqueue = "github.com/riverqueue/river"
	prometheus = "github.com/prometheus/client_golang/prometheus"
	otel       = "go.opentelemetry.io/otel"
	otlp       = "go.opentelemetry.io/proto/otlp"
	protobuf   = "google.golang.org/protobuf"
	websocket  = "github.com/coder/websocket"
)

// row says what one package may import. Its test files may import the same, the
// package itself, and what the columns for tests add.
type row struct {
	rank    int
	imports []string // packages of this module; of lower ranks only, except beside
	beside  []string // packages of this module of the same rank
	modules []string // third-party modules
	testing []string // third-party modules of the test files only
	sites   []string // packages of this module, of lower ranks, that only the test files import
	suites  []string // as sites, of a package that itself imports the one that is tested
}

// everywhere are the packages that each may import: they know nothing of what the
// program does.
var everywhere = []string{"internal/lazyregexp"}

// table is the import table. A package without a row fails.
var table = map[string]row{
	// rank 0: the standard library only
	"internal/fault":      {},
	"internal/nearest":    {},
	"internal/lazyregexp": {},
	"internal/crowd":      {testing: []string{xNet}},
	"internal/auth":       {testing: []string{goCmp}},
	"internal/wizard":     {beside: []string{"internal/nearest"}, modules: []string{jsonSchema}, testing: []string{goCmp}},
	"internal/practice":   {testing: []string{goCmp}},
	// rank 1
	"internal/reach":           {rank: 1},
	"internal/observe":         {rank: 1, imports: []string{"internal/fault"}},
	"internal/observe/metrics": {rank: 1, imports: []string{"internal/fault"}, modules: []string{prometheus}},
	"internal/observe/audit":   {rank: 1, imports: []string{"internal/fault"}, testing: []string{goCmp}},
	"internal/observe/trace": {
		rank: 1, imports: []string{"internal/fault"}, beside: []string{"internal/observe"},
		modules: []string{otel}, testing: []string{goCmp, otlp, protobuf},
	},
	"internal/config": {rank: 1, imports: []string{"internal/fault"}, testing: []string{goCmp}},
	"internal/tool": {
		rank: 1, imports: []string{"internal/fault", "internal/nearest", "internal/auth"},
		modules: []string{sdk}, testing: []string{goCmp, goleak},
	},
	// only tests import it
	"internal/tool/tooltest":        {rank: 1, beside: []string{"internal/tool"}, modules: []string{goCmp}},
	"internal/auth/oauth/oauthtest": {rank: 1, modules: []string{jwt, jwkset}},
	"internal/store": {
		rank: 1, imports: []string{"internal/fault"},
		modules: []string{pgx, sqlite, goose}, suites: []string{"internal/store/storetest"},
	},
	// only tests import it: it may import what it makes databases for
	"internal/store/storetest": {rank: 1, beside: []string{"internal/store"}, modules: []string{pgx}},
	// rank 2
	"internal/auth/oauth": {
		rank: 2, imports: []string{"internal/fault", "internal/auth", "internal/observe"},
		modules: []string{keyfunc, jwkset, jwt, xTime}, testing: []string{goCmp, goleak}, sites: []string{"internal/auth/oauth/oauthtest"},
	},
	"internal/browser/webdriver": {rank: 1, testing: []string{goCmp}},
	"internal/browser/bidi":      {rank: 1, modules: []string{websocket}, testing: []string{goCmp, goleak}},
	"internal/browser": {
		rank: 2, imports: []string{"internal/fault", "internal/observe", "internal/reach", "internal/browser/bidi", "internal/browser/webdriver"},
		modules: []string{cdproto, websocket, image}, testing: []string{goCmp, goleak},
	},
	"internal/ratelimit": {
		rank: 2, imports: []string{"internal/fault", "internal/store"},
		testing: []string{goCmp}, sites: []string{"internal/store/storetest"},
	},
	"internal/store/queue": {
		rank: 2, imports: []string{"internal/fault", "internal/store"},
		modules: []string{riverqueue}, testing: []string{goCmp}, sites: []string{"internal/store/storetest"},
	},
	"internal/page":         {rank: 2, imports: []string{"internal/fault"}, beside: []string{"internal/browser"}, testing: []string{goCmp}, sites: []string{"internal/practice"}},
	"internal/board/media":  {rank: 2, imports: []string{"internal/fault"}, modules: []string{mimetype, image}, testing: []string{goCmp}},
	"internal/board/policy": {rank: 2, modules: []string{xText}, testing: []string{goCmp}},
	// rank 3: domains never import each other, nor config
	"internal/runner": {
		rank:    3,
		imports: []string{"internal/fault", "internal/wizard", "internal/tool", "internal/browser", "internal/page", "internal/observe"},
		modules: []string{image}, testing: []string{goCmp}, sites: []string{"internal/tool/tooltest"},
	},
	"internal/scout": {
		modules: []string{xText},
		rank:    3,
		imports: []string{"internal/fault", "internal/nearest", "internal/wizard", "internal/tool", "internal/browser", "internal/page", "internal/observe"},
		testing: []string{goCmp}, sites: []string{"internal/tool/tooltest", "internal/practice", "internal/auth"},
	},
	// the accessibility server is a family: its parts know those below them only
	"internal/cwac/engine/planted": {testing: []string{goCmp}},
	"internal/cwac/results":        {rank: 2, imports: []string{"internal/fault", "internal/nearest"}, testing: []string{goCmp}},
	"internal/cwac/language":       {rank: 3, imports: []string{"internal/cwac/results"}, modules: []string{xNet}, testing: []string{goCmp}, sites: []string{"internal/browser", "internal/cwac/engine/planted"}},
	"internal/cwac/markup":         {rank: 3, imports: []string{"internal/cwac/results"}, modules: []string{xNet}, testing: []string{goCmp}, sites: []string{"internal/browser", "internal/cwac/engine/planted"}},
	"internal/cwac/crawl":          {rank: 3, imports: []string{"internal/fault", "internal/cwac/results"}, modules: []string{xNet}, testing: []string{goCmp}, sites: []string{"internal/cwac/engine/planted"}},
	"internal/cwac/audit":          {rank: 3, imports: []string{"internal/fault", "internal/browser", "internal/cwac/results"}, testing: []string{goCmp}, sites: []string{"internal/cwac/engine/planted"}},
	"internal/cwac/report":         {rank: 4, imports: []string{"internal/fault", "internal/cwac/results"}, testing: []string{goCmp, jsonSchema}, sites: []string{"internal/browser", "internal/cwac/audit"}},
	"internal/cwac/engine":         {rank: 4, imports: []string{"internal/fault", "internal/nearest", "internal/observe", "internal/browser", "internal/page", "internal/cwac/results", "internal/cwac/language", "internal/cwac/markup", "internal/cwac/crawl", "internal/cwac/audit"}, testing: []string{goCmp}, sites: []string{"internal/cwac/engine/planted"}},
	"internal/cwac/process":        {rank: 2},
	"internal/cwac/external":       {rank: 3, imports: []string{"internal/fault", "internal/cwac/results"}},
	"internal/cwac":                {rank: 5, imports: []string{"internal/fault", "internal/nearest", "internal/tool", "internal/cwac/results", "internal/cwac/report", "internal/cwac/audit", "internal/cwac/process", "internal/cwac/external"}, testing: []string{goCmp, sdk}, sites: []string{"internal/tool/tooltest", "internal/auth"}},
	// so is the tester of MCP servers
	// only tests import it
	"internal/mcptest/fixture":  {rank: 2},
	"internal/mcptest/check":    {rank: 3, imports: []string{"internal/mcptest/junit", "internal/mcptest/wire"}, modules: []string{jsonSchema}, testing: []string{goleak, sdk}, sites: []string{"internal/mcptest/fixture"}},
	"internal/mcptest/junit":    {testing: []string{goCmp}},
	"internal/mcptest/official": {rank: 2, testing: []string{goCmp}},
	"internal/mcptest/login":    {rank: 3, imports: []string{"internal/mcptest/wire"}, modules: []string{jwt}, testing: []string{goCmp, goleak}},
	"internal/mcptest/suite":    {rank: 4, imports: []string{"internal/nearest", "internal/mcptest/junit", "internal/mcptest/wire", "internal/mcptest/check"}, modules: []string{jsonSchema, yaml}, testing: []string{goCmp, goleak}, sites: []string{"internal/mcptest/fixture"}},
	"internal/mcptest/wire":     {rank: 2, testing: []string{goCmp, goleak, sdk}},
	"internal/mcptest":          {rank: 5, imports: []string{"internal/fault", "internal/nearest", "internal/tool", "internal/mcptest/wire", "internal/mcptest/check", "internal/mcptest/suite", "internal/mcptest/login", "internal/mcptest/official"}, modules: []string{jsonSchema}, testing: []string{goCmp, jwt, sdk}, sites: []string{"internal/mcptest/fixture", "internal/tool/tooltest", "internal/auth"}},
	// so is the board of tasks
	"internal/board/words": {testing: []string{goCmp}},
	"internal/board/place": {modules: []string{xText}},
	"internal/board/money": {rank: 2, testing: []string{goCmp}},
	"internal/board/task":  {rank: 2, imports: []string{"internal/fault", "internal/board/place"}, beside: []string{"internal/board/money"}, modules: []string{xText}, testing: []string{goCmp}},
	"internal/board/data":  {rank: 3, imports: []string{"internal/fault", "internal/store", "internal/board/money", "internal/board/task"}, testing: []string{goCmp}, sites: []string{"internal/store/storetest"}},
	"internal/board/web": {
		rank: 4, imports: []string{"internal/fault", "internal/ratelimit", "internal/board/words", "internal/board/place", "internal/board/money", "internal/board/task", "internal/board/data", "internal/board/notify", "internal/board/push", "internal/board/signin", "internal/board/media"},
		modules: []string{xText}, testing: []string{goCmp, websocket}, sites: []string{"internal/store", "internal/store/storetest", "internal/browser", "internal/cwac/audit", "internal/cwac/results"},
	},
	"internal/board/signin":  {rank: 2, imports: []string{"internal/fault"}, modules: []string{oidc, oauth2}, testing: []string{goCmp, jwt}},
	"internal/board/webhook": {rank: 2, imports: []string{"internal/fault", "internal/reach", "internal/store"}, testing: []string{goCmp}, sites: []string{"internal/store/storetest"}},
	"internal/board/api": {
		rank: 4, imports: []string{"internal/fault", "internal/nearest", "internal/ratelimit", "internal/board/words", "internal/board/money", "internal/board/task", "internal/board/policy", "internal/board/data", "internal/board/webhook"},
		modules: []string{huma}, testing: []string{goCmp}, sites: []string{"internal/store", "internal/store/storetest"},
	},
	"internal/board": {
		rank:    5,
		imports: []string{"internal/fault", "internal/store", "internal/ratelimit", "internal/board/money", "internal/board/task", "internal/board/data", "internal/board/webhook", "internal/board/notify", "internal/board/push", "internal/board/jobs", "internal/board/simulated", "internal/board/signin", "internal/board/media", "internal/board/web", "internal/board/api", "internal/reach"},
		sites:   []string{"internal/store/storetest"},
	},
	"internal/board/push":   {rank: 2, imports: []string{"internal/fault", "internal/reach", "internal/store"}, sites: []string{"internal/store/storetest"}},
	"internal/board/notify": {rank: 2, imports: []string{"internal/fault", "internal/reach", "internal/store", "internal/board/words"}, beside: []string{"internal/board/push"}, testing: []string{goCmp}, sites: []string{"internal/store/storetest"}},
	// and what asks people: it knows a board by its REST API alone
	"internal/bounty/rest":     {rank: 3, imports: []string{"internal/fault", "internal/observe"}},
	"internal/bounty":          {rank: 4, imports: []string{"internal/fault", "internal/observe", "internal/tool", "internal/bounty/rest"}, testing: []string{goCmp, sdk}, sites: []string{"internal/tool/tooltest", "internal/auth"}},
	"internal/board/jobs":      {rank: 4, imports: []string{"internal/fault", "internal/store", "internal/store/queue", "internal/board/data", "internal/board/money", "internal/board/task", "internal/board/notify", "internal/board/webhook", "internal/board/words"}, testing: []string{goCmp}, sites: []string{"internal/store/storetest", "internal/board/simulated", "internal/reach"}},
	"internal/board/simulated": {rank: 3, imports: []string{"internal/store", "internal/board/money"}, testing: []string{goCmp}, sites: []string{"internal/store/storetest"}},
	// rank 4: the kit's faces; they know no domain
	"internal/serve": {
		rank: 4, imports: []string{"internal/crowd", "internal/fault", "internal/auth", "internal/auth/oauth", "internal/ratelimit", "internal/tool", "internal/observe", "internal/observe/audit", "internal/observe/metrics", "internal/observe/trace"},
		modules: []string{sdk, xNet}, testing: []string{goCmp, goleak, jwt}, sites: []string{"internal/auth/oauth/oauthtest"},
	},
	"internal/serve/fixtures": {rank: 4, beside: []string{"internal/serve"}, modules: []string{sdk}, testing: []string{goCmp}},
	"internal/docgen":         {rank: 4, imports: []string{"internal/tool"}, testing: []string{goCmp}},
	// rank 6: the composition root sees everything
	"internal/cli": {
		rank: 6,
		imports: []string{
			"internal/crowd", "internal/fault", "internal/nearest", "internal/auth", "internal/wizard", "internal/practice", "internal/observe", "internal/config", "internal/tool",
			"internal/observe/audit", "internal/observe/metrics", "internal/observe/trace",
			"internal/auth/oauth", "internal/ratelimit", "internal/store", "internal/browser", "internal/page", "internal/runner", "internal/scout", "internal/serve", "internal/serve/fixtures", "internal/docgen",
			"internal/bounty", "internal/bounty/rest", "internal/cwac", "internal/cwac/process", "internal/cwac/engine", "internal/cwac/results", "internal/cwac/report", "internal/mcptest", "internal/mcptest/check", "internal/mcptest/login", "internal/mcptest/official", "internal/mcptest/suite", "internal/mcptest/wire",
			"internal/board",
		},
		modules: []string{kong, sdk, xNet}, testing: []string{goCmp, jsonSchema}, sites: []string{"internal/cwac/engine/planted", "internal/mcptest/fixture", "internal/board/api", "internal/board/policy", "internal/board/task"},
	},
	// whole errands, told from outside
	"internal/bounty/flows": {rank: 6, testing: []string{sdk}, sites: []string{"internal/store", "internal/store/storetest", "internal/browser", "internal/board/words"}},
	"cmd/legwork":           {rank: 7, imports: []string{"internal/cli"}},
	"internal/archtest":     {},
	// the benchmark is a module of its own
	"bench":        {rank: 6, imports: []string{"internal/browser", "internal/practice"}, modules: []string{sdk}, testing: []string{goCmp}},
	"bench/board":  {rank: 6, imports: []string{"internal/browser"}},
	"bench/checks": {rank: 6, modules: []string{sdk}},
	"bench/calls":  {rank: 6, modules: []string{sdk}},
	"bench/floor":  {rank: 6},
	"bench/scans":  {rank: 6, imports: []string{"internal/cwac/engine/planted"}},
	// what the official conformance suite drives
	"test/conformance": {rank: 6, imports: []string{"internal/mcptest/login", "internal/mcptest/wire"}},
	// what others complained of, tried on the board
	"test/complaints": {rank: 6, sites: []string{"internal/store", "internal/store/storetest", "internal/board/api", "internal/board/data", "internal/board/money", "internal/board/task", "internal/board/webhook"}},
	// so are the tests of the hosted server, which know the program from outside
	"test/hosted": {rank: 6, testing: []string{sdk, goCmp, oauth2}},
}

// fences name the only packages whose program files may import a part of the
// standard library.
var fences = []struct {
	library, reason string
	only            []string
}{
	{"flag", "flags are the composition root's", []string{"bench", "bench/board", "bench/checks", "bench/calls", "bench/scans"}},
	{"net/http", "outgoing requests go through guarded clients", []string{"internal/bounty/rest", "internal/board/webhook", "internal/board/signin", "internal/board/notify", "internal/board/push", "internal/board/media", "internal/reach", "internal/browser", "internal/browser/bidi", "internal/browser/webdriver", "internal/observe/metrics", "internal/observe/trace", "internal/auth/oauth", "internal/auth/oauth/oauthtest", "internal/crowd", "internal/serve", "internal/practice", "internal/cwac/crawl", "internal/cwac/engine/planted", "internal/cwac/engine", "internal/mcptest/wire", "internal/mcptest/fixture", "internal/mcptest/check", "internal/mcptest/login", "internal/cli", "bench", "bench/board", "bench/calls", "bench/scans", "test/conformance", "internal/board/api", "internal/board/web", "internal/board"}},
	{"database/sql", "connections are opened in one place", []string{"internal/store", "internal/store/queue"}},
	{"os/exec", "only browsers, scans and servers under test are processes of ours", []string{"internal/browser", "internal/mcptest/wire", "internal/mcptest/official", "internal/mcptest/fixture", "internal/cwac/process", "internal/cwac/external", "internal/store/storetest", "bench", "bench/board", "bench/checks", "bench/calls", "bench/scans", "bench/floor"}},
	{"net/http/pprof", "it opens the process to whoever reaches the port", nil},
	{"expvar", "it opens the process to whoever reaches the port", nil},
	{"unsafe", "memory stays safe", nil},
	{"plugin", "one binary, nothing loaded", nil},
	{"C", "the program is built without a C compiler", nil},
}

func importRules() []rule {
	lib := func(file, path string) sample {
		return sample{path: file, text: "package x\nimport _ \"" + path + "\"\n"}
	}
	want := func(s sample, text string) sample { s.want = text; return s }
	return []rule{
		{
			name: "packages of this module", check: ownImports,
			bad: []sample{
				want(lib("internal/new/a.go", "fmt"), "package internal/new has no row in the import table"),
				want(lib("internal/fault/a.go", module+"internal/wizard"), "may not import internal/wizard"),
				want(lib("internal/runner/a_test.go", module+"internal/practice"), "may not import internal/practice"),
				want(lib("internal/fault/a.go", module+"internal/fault"), "may not import internal/fault"),
				want(lib("internal/page/a.go", module+"internal/practice"), "may not import internal/practice"),
			},
			good: []sample{
				lib("internal/page/a.go", module+"internal/browser"), lib("internal/fault/a_test.go", module+"internal/fault"),
				lib("internal/page/a_test.go", module+"internal/practice"),
			},
		},
		{
			name: "third-party modules", check: thirdParty,
			bad: []sample{
				want(lib("internal/page/a.go", cdproto+"/cdp"), "may not import "+cdproto+"/cdp"),
				want(lib("internal/wizard/a.go", goCmp+"/cmp"), "may not import "+goCmp+"/cmp"),
				want(lib("internal/wizard/a_test.go", "github.com/stretchr/testify"), "may not import github.com/stretchr/testify"),
				want(lib("internal/wizard/a.go", "github.com/santhosh-tekuri/jsonschema"), "may not import github.com/santhosh-tekuri/jsonschema"),
				want(lib("internal/fault/a.go", "fmt"), "internal/cli no longer imports "+kong),
			},
			good: []sample{lib("internal/wizard/a_test.go", goCmp+"/cmp"), lib("internal/wizard/a_test.go", jsonSchema+"/kind")},
		},
		{
			name: "parts of the standard library", check: fencedLibraries,
			bad: []sample{
				want(lib("internal/wizard/a.go", "os/exec"), "imports os/exec: only browsers"),
				want(lib("internal/cli/a.go", "net/http/pprof"), "imports net/http/pprof: it opens"),
				want(lib("internal/wizard/a.go", "net/http/httptest"), "imports net/http/httptest: outgoing"),
				want(lib("internal/fault/a.go", "fmt"), "the fence of flag names bench, which does not import it"),
			},
			good: []sample{lib("internal/wizard/a_test.go", "os/exec"), lib("internal/browser/a.go", "net/http/httputil")},
		},
	}
}

func ownImports(files []source) []string {
	var wrong []string
	unknown := map[string]bool{}
	for _, f := range files {
		r, known := table[f.pkg]
		if !known {
			if !unknown[f.pkg] {
				wrong = append(wrong, fmt.Sprintf("%s: package %s has no row in the import table of archtest", f.path, f.pkg))
			}
			unknown[f.pkg] = true
			continue
		}
		for _, i := range f.imports() {
			ours, ok := strings.CutPrefix(i.path, module)
			if !ok || slices.Contains(everywhere, ours) || slices.Contains(r.imports, ours) || slices.Contains(r.beside, ours) {
				continue
			}
			if f.test && (ours == f.pkg || slices.Contains(r.sites, ours) || slices.Contains(r.suites, ours)) {
				continue
			}
			wrong = append(wrong, fmt.Sprintf("%s: %s may not import %s", f.at(i.spec), f.pkg, ours))
		}
	}
	return wrong
}

// thirdParty also finds permissions that nobody uses any more.
func thirdParty(files []source) []string {
	var wrong []string
	used := map[[2]string]bool{}
	for _, f := range files {
		r := table[f.pkg]
		may := slices.Clone(r.modules)
		if f.test {
			may = append(may, r.testing...)
		}
		for _, i := range f.imports() {
			first, _, _ := strings.Cut(i.path, "/")
			if !strings.Contains(first, ".") || within(i.path, strings.TrimSuffix(module, "/")) {
				continue
			}
			if at := slices.IndexFunc(may, func(m string) bool { return within(i.path, m) }); at >= 0 {
				used[[2]string{f.pkg, may[at]}] = true
				continue
			}
			wrong = append(wrong, fmt.Sprintf("%s: %s may not import %s", f.at(i.spec), f.pkg, i.path))
		}
	}
	for pkg, r := range table {
		for _, m := range slices.Concat(r.modules, r.testing) {
			if !used[[2]string{pkg, m}] {
				wrong = append(wrong, fmt.Sprintf("the import table: %s no longer imports %s", pkg, m))
			}
		}
	}
	return wrong
}

func fencedLibraries(files []source) []string {
	var wrong []string
	used := map[[2]string]bool{}
	for _, f := range files {
		if f.test {
			continue
		}
		for _, i := range f.imports() {
			for _, fence := range fences {
				if !within(i.path, fence.library) {
					continue
				}
				used[[2]string{fence.library, f.pkg}] = true
				if !slices.Contains(fence.only, f.pkg) {
					wrong = append(wrong, fmt.Sprintf("%s: %s imports %s: %s", f.at(i.spec), f.pkg, i.path, fence.reason))
				}
			}
		}
	}
	for _, fence := range fences {
		for _, pkg := range fence.only {
			if !used[[2]string{fence.library, pkg}] {
				wrong = append(wrong, fmt.Sprintf("the fence of %s names %s, which does not import it", fence.library, pkg))
			}
		}
	}
	return wrong
}

// TestRanksOfTheTable: the table itself must keep the order that it is there for.
func TestRanksOfTheTable(t *testing.T) {
	for _, wrong := range ranks(table) {
		t.Error(wrong)
	}
	bad := map[string]row{
		"low":  {rank: 1, imports: []string{"high", "gone"}, beside: []string{"high"}},
		"high": {rank: 2, imports: []string{"high"}, sites: []string{"top"}},
		"top":  {rank: 3},
		"best": {rank: 1, suites: []string{"low"}},
		"one":  {rank: 1, beside: []string{"two"}}, "two": {rank: 1, beside: []string{"one"}},
	}
	want := []string{
		"best lists the suite low, which is not beside it",
		"high of rank 2 lists high, which is not below it",
		"high of rank 2 lists top, which is not below it",
		"low of rank 1 lists gone, which is not below it",
		"low of rank 1 lists high, which is not below it",
		"low of rank 1 lists high, which is not beside it",
		"one of rank 1 lists two, which is not beside it",
		"two of rank 1 lists one, which is not beside it",
	}
	if got := ranks(bad); !slices.EqualFunc(slices.Sorted(slices.Values(got)), want, strings.HasSuffix) {
		t.Errorf("of a bad table it says %q", got)
	}
}

// ranks finds rows that let a package import one that is not below it.
func ranks(table map[string]row) []string {
	var wrong []string
	for pkg, r := range table {
		for _, i := range slices.Concat(r.imports, r.sites) {
			if other, known := table[i]; !known || other.rank >= r.rank {
				wrong = append(wrong, fmt.Sprintf("the import table: %s of rank %d lists %s, which is not below it", pkg, r.rank, i))
			}
		}
		for _, i := range r.suites {
			if !slices.Contains(table[i].beside, pkg) {
				wrong = append(wrong, fmt.Sprintf("the import table: %s lists the suite %s, which is not beside it", pkg, i))
			}
		}
		for _, i := range r.beside {
			if other, known := table[i]; !known || other.rank != r.rank || len(other.beside) > 0 {
				wrong = append(wrong, fmt.Sprintf("the import table: %s of rank %d lists %s, which is not beside it", pkg, r.rank, i))
			}
		}
	}
	return wrong
}

// within reports whether an import is the library or below it.
func within(imp, library string) bool {
	return imp == library || strings.HasPrefix(imp, library+"/")
}
